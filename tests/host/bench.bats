#!/usr/bin/env bats
# bench: what it makes of what programs print, and the programs of its own.

bats_require_minimum_version 1.5.0
load signal.bash
top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)

setup() {
	export FIO_IOU_BUILD=$BATS_TEST_TMPDIR/build
	mkdir -p "$FIO_IOU_BUILD"
}

compile() { "$top/scripts/bench.d/compile" "$@"; }
measure() { "$top/scripts/bench.d/measure" "$@"; }
program() { printf '#!/bin/bash\n%s\n' "$2" >"$FIO_IOU_BUILD/$1"; chmod +x "$FIO_IOU_BUILD/$1"; }

# suite RATIOS RUNS: bench.json's part for it.
suite() {
	jq -s --arg suite s --arg where host --arg kernel k --arg unit u --argjson seconds 1 \
		--argjson programs '[{"name":"a","command":"fio 1"},{"name":"b","command":"floor x"}]' \
		--argjson shared "${3:-false}" --argjson ratios "$1" -f "$top/scripts/bench.d/suite.jq" <<<"$2"
}
runs() {
	local round=0 pair
	for pair; do
		round=$((round + 1))
		printf '{"name":"a","value":%s,"per_enter":32.001,"cpu":0.99,"round":%d}\n' "${pair%:*}" $round
		printf '{"name":"b","value":%s,"per_enter":32,"cpu":1,"round":%d}\n' "${pair#*:}" $round
	done
}

@test "t/io_uring: the first second is dropped, and seconds are as long as they took" {
	# When each line was said, for a machine that is busy makes seconds longer.
	local said='said() { echo "$EPOCHREALTIME" >>"${0%/*}/said"; echo "$1"; }'
	lasted() { jq -s '.[-1] - .[0]' "$FIO_IOU_BUILD/said"; rm "$FIO_IOU_BUILD/said"; }
	# 1.5 s between the lines of 3M each: 2M a second.
	program peer "$said"'; said "IOPS=9.00M, IOS/call=32/32"; for i in 1 2; do sleep 1.5; said "IOPS=3.00M, BW=1MiB/s, IOS/call=31/32"; done; echo "Maximum IOPS=9.00M"'
	run -0 measure x 1 0 io_uring peer
	jq -e --argjson s "$(lasted)" '.name == "x" and (.value / 2e6 * $s / 3 - 1 | fabs) < 0.03 and .per_enter == 31' <<<"$output"
	program peer "$said"'; said "IOPS=1000, IOS/call=1/1"; sleep 1; said "IOPS=512.50K, IOS/call=0/1"; sleep 1; said "IOPS=512.50K, IOS/call=1/1"'
	run -0 measure x 1 0 io_uring peer
	jq -e --argjson s "$(lasted)" '(.value / 512500 * $s / 2 - 1 | fabs) < 0.03 and .per_enter == 1 and .cpu < 0.2' <<<"$output"
}

@test "a program that fails is an error, never a figure" {
	program peer 'echo "io_uring_setup: Operation not permitted" >&2; exit 1'
	run -1 measure x 1 0 io_uring peer
	[[ "$output" == *"x failed: "*"Operation not permitted"* ]]
	program peer 'echo "Exiting on timeout"'
	run -1 measure x 1 0 io_uring peer
	[[ "$output" == *"x printed no figures"* ]]
}

@test "a ratio is that of each round, and shows their median and range" {
	ratios='[{"ours":"a","peer":"b","target":1.1,"limit":"at-least"},{"ours":"a","peer":"b","target":1.1,"limit":"at-most"}]'
	run -0 suite "$ratios" "$(runs 10:10 24:20 900:500)"
	jq -e '.ratios[0] | .median == 1.2 and .min == 1 and .max == 1.8 and .verdict == "ok" and .disturbed == 0' <<<"$output"
	jq -e '.ratios[1].verdict == "above" and .programs[0].median == 24 and .rounds == 3' <<<"$output"
	run -0 suite "$ratios" "$(runs 10:10 10:10)"
	jq -e '.ratios[0].verdict == "below" and .ratios[1].verdict == "ok"' <<<"$output"
}

@test "the interval is the sign test's, and says which targets are within noise" {
	ratios='[{"ours":"a","peer":"b","target":1.05,"limit":"at-least"},{"ours":"a","peer":"b","target":1.5,"limit":"at-least"}]'
	# Nine: the second to the eighth of them holds the median in 96 of a hundred.
	run -0 suite "$ratios" "$(runs 100:100 101:100 102:100 103:100 104:100 105:100 106:100 107:100 190:100)"
	jq -e '.ratios[0] | .interval == [1.01, 1.07] and .max == 1.9 and .verdict == "below" and .noise' <<<"$output"
	jq -e '.ratios[1] | .verdict == "below" and (.noise | not)' <<<"$output"
	jq -r -f "$top/scripts/bench.d/table.jq" <<<"$output" | grep -F '1.010 – 1.070 | 1.000 – 1.900 |  ≥1.05 | below, within noise |'
	# Five cannot have one.
	run -0 suite "$ratios" "$(runs 10:10 11:10 12:10 13:10 14:10)"
	jq -e '.ratios[0] | .interval == null and (.noise | not) and .verdict == "ok"' <<<"$output"
	jq -r -f "$top/scripts/bench.d/table.jq" <<<"$output" | grep -F ' -             | 1.000'
}

@test "different requests per enter are no comparison, and a shared processor shows" {
	ratios='[{"ours":"a","peer":"b","target":1,"limit":"at-least"}]'
	run -0 suite "$ratios" "$(runs 20:10 | sed 's/32.001/64/')"
	jq -e '.ratios[0].verdict == "enters differ"' <<<"$output"
	run -0 suite "$ratios" "$(runs 20:10 | sed 's/0.99/0.5/')"
	jq -e '.ratios[0] | .verdict == "ok" and .median == 2 and .disturbed == 1' <<<"$output"
	run -0 suite "$ratios" "$(runs 20:10 | sed 's/0.99/0.5/')" true
	jq -e '.ratios[0].median == 4' <<<"$output"
	jq -r -f "$top/scripts/bench.d/table.jq" <<<"$output" | grep -F '| a / b  '
}

@test "a signal ends what runs in a child, and all of it, at once" {
	local sig child
	child='echo $$ >"$2.part"; mv "$2.part" "$2"; sleep 1000; echo never'
	for sig in INT TERM; do
		ended_by "$sig" "$BATS_TEST_TMPDIR/pid" bash -euc \
			'. "$1/scripts/lib.sh"; iou_child bash -c "$3" bash "$1" "$2"; echo never' \
			bash "$top" "$BATS_TEST_TMPDIR/pid" "$child" >"$BATS_TEST_TMPDIR/out"
		[ ! -s "$BATS_TEST_TMPDIR/out" ]
		# a group of that number has nobody left, when init has buried them
		for _ in {1..50}; do kill -0 -- "-$(<"$BATS_TEST_TMPDIR/pid")" 2>/dev/null || break; sleep 0.1; done
		run -1 kill -0 -- "-$(<"$BATS_TEST_TMPDIR/pid")"
	done
}

@test "a child's status and output are its own" {
	run -3 bash -euc '. "$1/scripts/lib.sh"; iou_child echo one; iou_child bash -c "echo two; exit 3"; echo never' bash "$top"
	[ "$output" = $'one\ntwo' ]
}

@test "fio's main thread keeps off the processor of its job" {
	[ "$(nproc)" -gt 1 ] || skip "one processor"
	last=$(taskset -cp $$ | sed 's/.*[^0-9]//')
	# shellcheck disable=SC2016
	program fio 'grep Cpus_allowed_list /proc/self/status; echo "$@"'
	# shellcheck disable=SC2016
	FIO=$FIO_IOU_BUILD/fio run -0 bash -euc '
		. "$1/scripts/lib.sh"
		. "$1/scripts/bench.d/command.sh"
		bench_command a "$2" fio 1 --bs=512
		"${command[@]}"' bash "$top" "$last"
	[[ ${lines[0]} =~ [^0-9]0 ]]
	[[ ! ${lines[0]} =~ [^0-9]$last$ ]]
	[[ ${lines[1]} == *--cpus_allowed="$last "* ]]
}

@test "floor: no-ops and reads, one enter for each batch, and errors end it" {
	compile floor
	floor=$FIO_IOU_BUILD/bench-floor
	run -0 "$floor" -N -t 1
	[[ "$output" =~ ^IOPS=[0-9]+\ requests=([0-9]+)\ enters=([0-9]+)$ ]]
	[ $((BASH_REMATCH[1] / BASH_REMATCH[2])) = 32 ]
	head -c 1M /dev/urandom >"$BATS_TEST_TMPDIR/file"
	run -0 "$floor" -d 8 -s 2 -t 1 "$BATS_TEST_TMPDIR/file"
	[[ "$output" =~ ^IOPS=[1-9] ]]
	run -2 "$floor" -d 1 -s 2 -N
	run -1 "$floor" "$BATS_TEST_TMPDIR/none"
	[[ "$output" == "floor: $BATS_TEST_TMPDIR/none: open failed: "* ]]
	# O_DIRECT refuses each read: a result, looked at in the first second.
	run -1 "$floor" -b 100 "$BATS_TEST_TMPDIR/file"
	[[ "$output" == *"request failed: Invalid argument" ]]
}

@test "insn: instructions per request, the same each time, of any thread" {
	compile floor
	compile insn
	run -0 "$FIO_IOU_BUILD/bench-insn" -e 50 "$FIO_IOU_BUILD/bench-floor" -N -t 60
	[[ "$output" =~ ^([0-9]+)\.[0-9]+\ instructions=[0-9]+\ requests=1600\ enters=50$ ]]
	[ "${BASH_REMATCH[1]}" -lt 4 ]
	first=$output
	run -0 "$FIO_IOU_BUILD/bench-insn" -e 50 "$FIO_IOU_BUILD/bench-floor" -N -t 60
	[ "$output" = "$first" ]
	run -1 "$FIO_IOU_BUILD/bench-insn" sleep 9
	[[ "$output" == *"cannot step through sleep"* ]]
}

@test "bench: a request that makes no sense is refused" {
	for words in '--suite none' '--rounds x' '--rounds 0' '--cpu 4096' '--frob' '-o'; do
		# shellcheck disable=SC2086
		run -2 "$top/scripts/bench" $words
		echo "$words: $output"
		[ "${#lines[@]}" = 1 ]
	done
}
