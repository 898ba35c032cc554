#!/usr/bin/env bats
# shellcheck disable=SC2154
# A block device: a loop device, where this machine lets us have one.

load lib.bash

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	export FIO_IOU_REPORT=$BATS_TEST_TMPDIR/report
	truncate -s 8m image
	loop=$(losetup -f --show image 2>/dev/null) || skip "no loop device to be had"
}

teardown() {
	[ -z "${loop-}" ] || losetup -d "$loop"
}

# block ENGINE OPTION...: a job on all of the device.
block() {
	local engine=$1
	shift
	iou_json "$engine" --filename="$loop" --size=8m --bs=64k --split=4 --iodepth=16 --direct=1 "$@"
}

@test "data is what was written, and the report says on which disk" {
	local e
	for e in plain defer iowq; do
		rm -f report
		block $e --rw=randwrite --verify=crc32c --fixedbufs=1 --registerfiles=1
		result '.jobs[0] | .error == 0 and .read.io_bytes == 8388608 and .write.io_bytes == 8388608'
		reports ".[0] | .requests == 1024 and .files[0].kind == \"block\" and
			.files[0].device == \"${loop##*/}\" and .files[0].io_poll == 0"
	done
}

@test "trims: at the depth that was asked for, and what is trimmed is gone" {
	kernel=$(uname -r)
	[ "${kernel%%.*}" -gt 6 ] || [ "$(cut -d. -f2 <<<"$kernel")" -ge 12 ] || skip "needs Linux 6.12"
	local e
	for e in plain defer iowq; do
		rm -f report
		head -c 8m /dev/zero | tr '\0' x >image
		block $e --rw=randtrim
		result '.jobs[0] | .error == 0 and .trim.total_ios == 128 and .iodepth_level["16"] > 50'
		reports '.[0] | .requests == 512 and .errors == 0'
		cmp -n 8388608 "$loop" /dev/zero
	done
	# with writes between, in the same ring
	block plain --rw=randtrimwrite
	result '.jobs[0] | .error == 0 and .trim.total_ios == 128 and .write.total_ios == 128'
}

@test "polling what cannot be polled, and blocks that are not whole" {
	refused "cannot be polled (/sys/class/block/${loop##*/}/queue/io_poll is 0)" \
		iou iopoll --filename="$loop" --direct=1
	refused "bs=4096 in 16 requests is not in whole blocks" \
		iou plain --filename="$loop" --direct=1 --split=16
}

@test "blocks of 4096 bytes are what a request is made of" {
	losetup -d "$loop"
	loop=$(losetup -b 4096 -f --show image 2>/dev/null) || skip "no loop device of such blocks"
	refused "bs=4096 in 2 requests is not in whole blocks of 4096 bytes" \
		iou plain --filename="$loop" --direct=1 --bs=4k --split=2
	block plain --rw=randread
	result '.jobs[0] | .error == 0 and .read.total_ios == 128'
	reports '.[0].files[0] | .lba_size == 4096 and .nsid == null'
}
