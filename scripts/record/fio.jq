# What fio printed, as it really comes, into rows of a record ("runs").
#
# fio.sh keeps of each run the parts that "parsed" names: section and engine are
# what was to be run, rc is fio's exit status, late whether it had to be stopped,
# facts the lines of kv.sh, out the file of --output, err standard error.
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
      # Not index(): jq 1.6 counts bytes there, and characters in slices.
      ("\n" + $piece | split("\n}")) as $parts
      | if ($parts | length) == 1 then .cut = true
        else ("{" + $parts[0] + "}" | fromjson? // null) as $doc
          | .text += "\n" + ($parts[1:] | join("\n}"))
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

def failed($why):
  [{section: .section, engine: .engine, error: $why, iops: null, bw: null, insn_per_io: null,
    lat_ns: null, usr_cpu: null, sys_cpu: null, ctx: null, best_second: null, runtime_ms: null,
    proof: proof(.facts; .reports), reports: .reports, fio: null}];

# Instructions per request, where a nanosecond is one. fio's own runtime is in
# milliseconds, rounded up; the engines' is the same span, unless loops= made
# several of it.
def insn($ms; $requests):
  (map(.elapsed_ns | numbers) | max) as $ns
  | if $ns != null and ($ns / 1e6 / $ms - 1 | fabs) < 0.01 then $ns / $requests
    else $ms * 1e6 / $requests end;

# A job of fio's, with these reports of its threads.
def row($run; $reports):
  directions as $dirs
  | ($dirs | map(.runtime) | max) as $ms
  | ($reports | map(.split | numbers) | .[0] // 1) as $split
  | (($dirs | map(.total_ios) | add) * $split) as $requests
  | {
      section: .jobname,
      engine: ($reports[0].engine // $run.engine),
      error: null,
      iops: ($requests * 1000 / $ms),
      bw: (if $reports[0].command == "nop" then null else ($dirs | map(.io_bytes) | add) * 1000 / $ms end),
      insn_per_io: (if $run.icount then $reports | insn($ms; $requests) else null end),
      lat_ns: latency($dirs),
      usr_cpu: .usr_cpu, sys_cpu: .sys_cpu, ctx: .ctx,
      best_second: ($reports | map(.best_second | numbers) | if . == [] then null else add end),
      runtime_ms: $ms,
      proof: proof($run.facts; $reports),
      reports: $reports,
      fio: .
    };

def parsed($icount):
  split("\u001f")
  | {section: .[0], engine: .[1], rc: (.[2] | tonumber), late: (.[3] == "true"), $icount,
     facts: (.[4] | kv), out: .[5], err: .[6],
     reports: [.[7] | lines[] | fromjson? | objects]};

# The rows of one run, its parts separated by the unit separator of ASCII.
def rows($icount):
  parsed($icount)
  | (.out | documents) as $d
  | ((.err | lines) + ($d.text | lines)
     | reduce .[] as $l ([]; if index([$l]) then . else . + [$l] end)) as $said
  | ($d.docs[-1].jobs // []) as $jobs
  | if any($said[]; test("got signal=")) then failed($said | map(select(test("got signal="))) | .[0])
    elif .late then failed("fio did not end in time and was stopped")
    elif $d.cut then failed(.rc as $rc | $said | reason("fio's output ends in the middle (exit status \($rc))"))
    elif $jobs == [] then failed(.rc as $rc | $said | reason("fio printed no result (exit status \($rc))"))
    elif .rc != 0 or any($jobs[]; (.error // 0) != 0) or any($said[]; alarming) then
      failed(.rc as $rc | $said | reason("fio says error \([$jobs[].error // 0] | max) and exit status \($rc), nothing more"))
    elif any($jobs[]; directions | map(.runtime) | (max // 0) == 0) then
      failed($said | reason("no I/O was done"))
    elif ($jobs | map(.jobname) | length != (unique | length)) then
      failed("several jobs are called \($jobs[0].jobname): give the job file group_reporting=1")
    elif any(.reports[]; (.error // 0) != 0) then
      failed([.reports[].error] as $e | $said | reason("the path report says error \($e | max)"))
    elif (.engine | startswith("iou_")) and .reports == [] then
      failed("\(.engine) left no path report: the path is not proven")
    else . as $run
      | [$jobs[] | .jobname as $name
         | row($run; $run.reports | if ($jobs | length) == 1 then . else map(select(.job == $name)) end)]
    end;
