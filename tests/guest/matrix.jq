# matrix.sh's tests: each of $sections by name, and what is wrong with it.
# A section: name, kind (block, char), split, depth, numjobs, ios (a job's), bs, verify
# (true: as many reads after the writes).
def wrong(cond; $what): if cond then $what else empty end;
def flags($kind): {
	iou_plain: [], iou_iowq: [], iou_iopoll: ["IOPOLL"],
	iou_hybrid: ["HYBRID_IOPOLL", "IOPOLL"],
	iou_defer: ["DEFER_TASKRUN", "SINGLE_ISSUER"]
}[$engine] + if $kind == "char" then ["CQE32", "SQE128"] else [] end | sort;
def total(f): map(f) | add;

def about($name; $wrongs): "\($engine[4:]): \($name)\t\($wrongs | join(", "))";

($sections[] as $s
| [$fio[0].jobs[] | select(.jobname == $s.name)][0] as $job
| [$reports[] | select(.job == $s.name)] as $r
| ($s.ios * $s.numjobs) as $want
| ($want * if $s.verify then 2 else 1 end) as $all
| [ wrong($job == null; "not in fio's output"),
    wrong($job.error != 0; "error \($job.error)"),
    wrong($s.verify and $job.write.total_ios != $want; "\($job.write.total_ios) writes"),
    wrong($job.read.total_ios != $want; "\($job.read.total_ios) reads"),
    wrong($job.read.io_bytes != $want * $s.bs; "\($job.read.io_bytes) bytes read"),
    wrong(($r | length) != $s.numjobs; "\($r | length) reports"),
    wrong(($r | total(.requests)) != $all * $s.split; "requests \($r | map(.requests))"),
    wrong(($r | total(.completions)) != $all * $s.split; "completions \($r | map(.completions))"),
    wrong(($r | total(.bytes)) != $all * $s.bs; "bytes \($r | map(.bytes))"),
    ($r[]
     | wrong(.engine != $engine; "engine \(.engine)"),
       wrong(.command != {block: "rw", char: "cmd"}[$s.kind]; "command \(.command)"),
       wrong((.ring.granted - ["CQSIZE", "NO_SQARRAY"] | sort) != flags($s.kind);
	     "granted \(.ring.granted)"),
       wrong(.ring.required - .ring.granted != []; "required \(.ring.required)"),
       wrong(.errors != 0 or .error != 0 or .cq_overflow != 0;
	     "errors \(.errors), error \(.error), overflow \(.cq_overflow)"),
       wrong((.files | length) != 1 or .files[0].kind != $s.kind; "files \(.files)"),
       wrong(.files[0].io_poll != 1; "io_poll \(.files[0].io_poll)"),
       wrong(($engine == "iou_iowq") != (.iowq != null); "iowq \(.iowq)"),
       wrong(.split != $s.split or .split_depth != $s.depth;
	     "split \(.split), \(.split_depth)")) ]
| about($s.name; .)),
(($reports | map(select($passthrough or .command == "rw")) | total(.requests)) as $n
| about("the devices served what the reports count";
	[wrong($n != $served; "\($n) requests, the devices served \($served)")]))
