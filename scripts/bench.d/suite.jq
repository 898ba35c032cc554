# The runs of a suite (one object a measurement) to its part of bench.json:
# a program's values in the order of the rounds, and ratios within each round.
# An interval is the sign test's: it holds the median ratio in at least 95 of a
# hundred such measurements, whatever the ratios' distribution. Six rounds are
# the fewest that have one.
def median: sort | if length == 0 then null
	elif length % 2 == 1 then .[length / 2 | floor]
	else (.[length / 2 - 1] + .[length / 2]) / 2 end;
def choose($n; $k): reduce range($k) as $i (1; . * ($n - $i) / ($i + 1));
def interval: sort as $v | ($v | length) as $n
	| [foreach range($n) as $k (0; . + choose($n; $k)) | select(. * 2 <= 0.05 * pow(2; $n))] | length as $k
	| if $k == 0 then null else [$v[$k - 1], $v[$n - $k]] end;
def digits($n): . * pow(10; $n) | round / pow(10; $n);

# A guest does not see what its host did beside it.
map(if $shared and $where == "host" and .cpu != null then .value /= .cpu else . end) as $runs
| def of($name): [$runs[] | select(.name == $name)] | sort_by(.round);
  # Requests per enter of one and another, within a percent. Two engines of fio
  # with one set of options may differ in it: that is what they are.
  def is_fio($name): any($programs[]; .name == $name and (.command | startswith("fio ")));
  def same_enters($a; $b):
	if is_fio($a[0].name) and is_fio($b[0].name) then null else
	[$a, $b | map(.per_enter | values) | median] |
	if any(. == null) then null else (.[0] / .[1] - 1 | fabs) < 0.01 end end;
{
	suite: $suite, where: $where, kernel: $kernel, seconds: $seconds,
	rounds: ([$runs[].round] | max), unit: $unit,
	programs: [($programs[] | . as $p | of($p.name) | {
		name: $p.name, command: $p.command,
		values: map(.value), median: (map(.value) | median),
		per_enter: (map(.per_enter | values) | median),
		cpu: (map(.cpu | values) | min)
	})],
	ratios: [($ratios[] | . as $r | of($r.ours) as $a | of($r.peer) as $b |
		[range($a | length) | $a[.].value / $b[.].value] | . as $each | {
		ours: $r.ours, peer: $r.peer, target: $r.target, limit: $r.limit,
		each: map(digits(4)), median: (median | digits(4)),
		min: (min | digits(4)), max: (max | digits(4)),
		interval: (interval | if . then map(digits(4)) else null end),
		same_enters: same_enters($a; $b),
		disturbed: ([range($a | length) | select([$a[.].cpu, $b[.].cpu] | any(. != null and . < 0.97))] | length)
	} | .verdict = (
		if .same_enters == false then "enters differ"
		elif .target == null then ""
		elif .limit == "at-most" then (if .median <= .target then "ok" else "above" end)
		elif .median >= .target then "ok" else "below" end)
		| .noise = (.interval != null and .target != null and .interval[0] < .target and .target < .interval[1]))]
}
