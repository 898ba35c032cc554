#!/usr/bin/env bats
# fio-iou list: what it says is what the job files say.

top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)

list() { "$top/scripts/fio-iou" list "$@"; }

@test "every job file is listed once, with a summary" {
	run list --names
	[ "$status" = 0 ]
	[ "$(sort <<<"$output")" = "$(cd "$top/jobs" && printf '%s\n' *.fio | sed 's/\.fio$//' | sort)" ]
	[ "${#lines[@]}" -ge 8 ]
	run list --tsv
	[ -z "$(grep -vP '^[a-z0-9-]+\t([0-9]{3}|-)\t\S.{10,}$' <<<"$output")" ]
	[ -z "$(cut -f3 <<<"$output" | grep -E '^#|^[a-z0-9-]+: $')" ]
}

@test "the threads that threads.md names for these jobs" {
	run list --tsv
	[ "$(cut -f1,2 <<<"$output" | grep -v verify | tr '\t\n' '= ')" = \
	  "hybrid-small=002 hybrid=002 iowq=001 nop-qd1=003 nops=000 peak-1-thread=000 peak-2-threads=000 taskwork=004 " ]
}

@test "a job's whole header" {
	run list peak-1-thread
	[ "$status" = 0 ]
	[[ ${lines[0]} == "peak-1-thread: "* ]]
	[[ $output == *000* && $output != *'['* && $output != *'#'* ]]
}

@test "no such job, no such option" {
	run list nosuch
	[ "$status" = 2 ]
	[ "${#lines[@]}" = 1 ]
	run list --nosuch
	[ "$status" = 2 ]
	[ "${#lines[@]}" = 1 ]
	run list --help
	[ "$status" = 0 ]
}
