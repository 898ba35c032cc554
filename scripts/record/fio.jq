# What fio printed, as it really comes, into rows of a record ("runs").
#
# $out is the file of --output, $err standard error, $reports the path reports,
# $facts the lines of kv.sh, $rc fio's exit status, $section and $engine what
# was to be run, $icount whether guest time is the instruction count.
#
# fio's file may hold text before, after or instead of its JSON (error lines go
# there in some versions), several objects, or half of one. The rule: one whole
# object that says no error, or one failed row that says why. Never a half row.
include "kv";

def lines: split("\n") | map(gsub("^\\s+|\\s+$"; "")) | map(select(length > 0));

# Its objects, and everything that is not part of one.
def documents:
  [splits("\\{\\s*(?=\"fio version\")")]
  | {text: .[0], docs: [], cut: false} as $start
  | reduce .[1:][] as $piece ($start;
      ("\n" + $piece | index("\n}")) as $close
      | if $close == null then .cut = true
        else ("{" + $piece[:$close] + "}" | fromjson? // null) as $doc
          | .text += $piece[$close + 1:]
          | if $doc == null then .cut = true else .docs += [$doc] | .cut = false end
        end);

# The line that explains most: an engine's own word, then any that tells of an
# error, then whatever there is.
def reason($default):
  (map(select(test("^(fio: )?(fio-)?iou_[a-z]+: "))) + map(select(test("got signal")))
    + map(select(test("error|fail|invalid|bad |can't|cannot|could not|refuse|not |no such"; "i"))) + .)
  | (.[0] // $default) | sub("^fio: (?=(fio-)?iou_)"; "") | .[:500];

def alarming: test("\\berror\\b|got signal|\\bfail|unable to"; "i");

def directions: [.read, .write, .trim | objects | select((.total_ios // 0) > 0)];

# gtod_reduce leaves all the blocks there, with zeros: N tells.
def latency($dirs):
  [$dirs[] | (.lat_ns // {}) | select((.N // 0) > 0)] as $lat
  | if ($lat | length) == 0 then null
    else ($dirs[0] | .lat_ns.percentile // .clat_ns.percentile // {}) as $p
      | {mean: (($lat | map(.mean * .N) | add) / ($lat | map(.N) | add))}
        + if ($dirs | length) > 1 then {p50: null, p99: null, p999: null}
          else {p50: $p["50.000000"], p99: $p["99.000000"], p999: $p["99.900000"]} end
    end;

def union: add // [] | unique;
def intersection: if length == 0 then [] else reduce .[1:][] as $x (.[0]; . - (. - $x)) end;

# Others' share of the pinned CPUs: their busy time less what fio used, in %.
# /proc/stat counts in hundredths of a second, whatever the kernel's HZ.
def other_cpu:
  .cpu as {$before, $after}
  | ($after.total - $before.total) as $total
  | if $total <= 0 then null
    else (($after.busy - $before.busy) * 10 - ($after.own_ms - $before.own_ms)) as $ms
      | [0, $ms * 10 / $total] | max
    end;

def proof($facts; $reports):
  {
    nvme_irqs: $facts.nvme_irqs,
    poll_queues: $facts.poll_queues,
    io_poll: $facts.io_poll,
    flags_required: (if $reports == [] then null else $reports | map(.ring.required // []) | union end),
    flags_granted: (if $reports == [] then null else $reports | map(.ring.granted // []) | intersection end),
    iowq_workers: ($reports | map(.iowq.workers_seen | numbers) | add),
    device_ios: $facts.device_ios,
    other_cpu_pct: ($facts | if .cpu.after == null then null else other_cpu end)
  };

def failed($why; $facts; $reports):
  [{section: $section, engine: $engine, error: $why, iops: null, bw: null, insn_per_io: null,
    lat_ns: null, usr_cpu: null, sys_cpu: null, ctx: null, best_second: null, runtime_ms: null,
    proof: proof($facts; $reports), reports: $reports, fio: null}];

def row($facts; $reports):
  directions as $dirs
  | ($dirs | map(.runtime) | max) as $ms
  | ($reports | map(.split | numbers) | .[0] // 1) as $split
  | (($dirs | map(.total_ios) | add) * $split * 1000 / $ms) as $iops
  | {
      section: .jobname,
      engine: ($reports[0].engine // $engine),
      error: null,
      iops: $iops,
      bw: (if $reports[0].command == "nop" then null else ($dirs | map(.io_bytes) | add) * 1000 / $ms end),
      insn_per_io: (if $icount then 1e9 / $iops else null end),
      lat_ns: latency($dirs),
      usr_cpu: .usr_cpu, sys_cpu: .sys_cpu, ctx: .ctx,
      best_second: ($reports | map(.best_second | numbers) | if . == [] then null else add end),
      runtime_ms: $ms,
      proof: proof($facts; $reports),
      reports: $reports,
      fio: .
    };

($facts_text | kv) as $facts
| [$reports_text | lines[] | fromjson? | objects] as $reports
| ($out | documents) as $d
| (($err | lines) + ($d.text | lines)
   | reduce .[] as $l ([]; if index([$l]) then . else . + [$l] end)) as $said
| $d.docs[-1].jobs as $jobs
| if any($said[]; test("got signal=")) then failed($said | map(select(test("got signal="))) | .[0]; $facts; $reports)
  elif $late then failed("fio did not end in time and was stopped"; $facts; $reports)
  elif $d.cut then failed($said | reason("fio's output ends in the middle (exit status \($rc))"); $facts; $reports)
  elif ($jobs | length) == 0 then failed($said | reason("fio printed no result (exit status \($rc))"); $facts; $reports)
  elif $rc != 0 or any($jobs[]; (.error // 0) != 0) or any($said[]; alarming) then
    failed($said | reason("fio says error \([$jobs[].error // 0] | max) and exit status \($rc), nothing more"); $facts; $reports)
  elif any($jobs[]; directions | map(.runtime) | (max // 0) == 0) then
    failed($said | reason("no I/O was done"); $facts; $reports)
  elif ($jobs | map(.jobname) | length != (unique | length)) then
    failed("several jobs are called \($jobs[0].jobname): give the job file group_reporting=1"; $facts; $reports)
  elif any($reports[]; (.error // 0) != 0) then
    failed($said | reason("the path report says error \([$reports[].error] | max)"); $facts; $reports)
  elif ($engine | startswith("iou_")) and $reports == [] then
    failed("\($engine) left no path report: the path is not proven"; $facts; $reports)
  else
    [$jobs[] | .jobname as $name
     | row($facts; if ($jobs | length) == 1 then $reports else $reports | map(select(.job == $name)) end)]
  end
