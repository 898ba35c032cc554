#!/usr/bin/env bash
# Two programs in turns on one processor: each has the requests of its own turns,
# by the device's counter, and whatever fails leaves nothing behind.
set -uo pipefail
# shellcheck source=tap.sh
. "$(dirname "$0")/tap.sh"

floor="floor bench-floor -p"
ours="fio 4096 --ioengine=external:build/fio-iou_iopoll.so --split=4096 --split_depth=32
	--split_offset=random --submit_wait --bs=2m --iodepth=4 --direct=1 --rw=randread
	--norandommap --fixedbufs --registerfiles --gtod_reduce=1"
out=/tmp/turns.out err=/tmp/turns.err

# What "ok" calls.
# shellcheck disable=SC2317
turns() { scripts/bench.d/turns "$@" >"$out" 2>"$err"; }
# shellcheck disable=SC2317
says() { jq -es "$1" "$out" >/dev/null; }
# shellcheck disable=SC2317
nothing_left() {
	! grep -q cgroup2 /proc/mounts && ! cat /proc/[0-9]*/comm 2>/dev/null | grep -qxE 'bench-floor|fio'
}

# shellcheck disable=SC2086
{
	ok "two programs of one kind" turns 1 1 nvme0n1 a $floor /dev/nvme0n1 -- b $floor /dev/nvme0n1
	ok "a line for each, in their order" says 'map(.name) == ["a", "b"]'
	ok "about as fast as each other" says '.[0].value / .[1].value | . > 0.33 and . < 3'
	ok "nothing is left" nothing_left

	ok "deep and shallow" turns 1 1 nvme0n1 deep $ours --filename=/dev/nvme0n1 \
		-- shallow $floor -d1 -s1 /dev/nvme0n1
	ok "each has its own requests" says '.[0].value > 2 * .[1].value and .[1].value > 0'
	ok "and its requests per enter" says '.[0].per_enter > 31 and .[0].per_enter < 33 and .[1].per_enter == 1'

	ok "passthrough" turns 1 1 nvme0n1 pt $ours --filename=/dev/ng0n1 -- block $floor /dev/nvme0n1
	ok "is counted by the device too" says '.[0].value / .[1].value | . > 0.33 and . < 4'
	ok "the floor program's passthrough" turns 1 1 nvme0n1 pt $floor /dev/ng0n1 -- block $floor /dev/nvme0n1
	ok "has its batches and its requests" says 'all(.per_enter > 31 and .per_enter < 33 and .value > 0)'

	is "one that fails, status" "$(turns 1 1 nvme0n1 a $floor /dev/nvme0n1 -- b $floor /dev/none; echo $?)" 1
	like "one that fails, said" "$(cat $err)" '^fio-iou turns: b failed: .*/dev/none'
	is "one that fails, in one line" "$(wc -l <$err)" 1
	is "one that fails has no figure" "$(cat $out)" ""
	ok "nothing is left of the other" nothing_left
	is "no such disk, status" "$(turns 1 1 none a $floor /dev/nvme0n1 -- b $floor /dev/nvme0n1; echo $?)" 2
	like "no such disk, said" "$(cat $err)" "^fio-iou turns: no disk 'none'"
}
done_testing
