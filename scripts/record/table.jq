# Records to one table, as tab-separated cells; a row is a section of a job, the
# median of its runs. A failed row says why in place of figures.
def median: sort | if length == 0 then null
  elif length % 2 == 1 then .[length / 2 | floor]
  else (.[length / 2 - 1] + .[length / 2]) / 2 end;
def num($digits): if . == null then "n/a" else
  pow(10; $digits) as $e | (. * $e | round) as $n
  | ($n / $e | floor | tostring) + if $digits == 0 then "" else
      "." + ("000" + ($n % $e | tostring))[-$digits:] end end;
def si: if . == null then "n/a"
  elif . >= 1e6 then (. / 1e6 | num(3)) + "M"
  elif . >= 1e4 then (. / 1e3 | num(1)) + "K"
  else num(0) end;
def percent: if . == null then "n/a" else num(1) + "%" end;

def per_enter: [.reports[]? | select(.enters > 0)]
  | if . == [] then null else (map(.requests) | add) / (map(.enters) | add) end;
def switches: if .runtime_ms > 0 then .ctx * 1000 / .runtime_ms else null end;
def in_order: reduce .[] as $x ([]; if index([$x]) then . else . + [$x] end);

def figures: sort_by(.iops) | (map(.iops) | median) as $iops
  | [
      ($iops | si),
      (if length == 1 then "-" else (.[-1].iops - .[0].iops) * 100 / $iops | percent end),
      (map(per_enter | numbers) | median | num(1)),
      (map(.usr_cpu) | median | percent),
      (map(.sys_cpu) | median | percent),
      (map(switches | numbers) | median | si)
    ];

def rows: .[] | .job.name as $job | .runs as $runs
  | [$runs[].section] | in_order[] | . as $section
  | $runs | map(select(.section == $section))
  | {name: "\($job)/\($section)", engine: .[0].engine, runs: ., good: map(select(.error == null))};

(["job/section", "engine", "IOPS", "spread", "req/enter", "usr", "sys", "ctx/s"] | @tsv),
(rows | [.name, .engine] + if .good == [] then ["failed: \(.runs[0].error)"] else .good | figures end | @tsv),
# A row may rest on fewer runs than were asked for: that is said below the table.
(rows | (.runs - .good) as $bad | select(.good != [] and $bad != [])
  | "#\(.name): \($bad | length) of \(.runs | length) runs failed: \($bad[0].error)")
