#!/usr/bin/env bash
# In a guest, as verify-flip.t says: "write" two regions of the disk that a
# file backs, the one through the block device, the other by passthrough; or
# "verify" both, of which something happened to the first.
set -uo pipefail
# shellcheck source=tap.sh
. "$(dirname "$0")/tap.sh"
# shellcheck source=engine.sh
. "$(dirname "$0")/engine.sh"

region=(--direct=1 --bs=32k --size=1m --iodepth=8 --verify=crc32c)
if [ "$1" = write ]; then
	engine hybrid --filename=/dev/nvme1n1 "${region[@]}" --rw=write --do_verify=0 --split=8
	is "written through the block device" "$rc $(json '.jobs[0].write.io_bytes')" "0 1048576" ||
		diag "$(cat err)"
	engine iopoll --filename=/dev/ng1n1 "${region[@]}" --rw=write --do_verify=0 --offset=1m
	is "written by passthrough" "$rc $(json '.jobs[0].write.io_bytes')" "0 1048576" ||
		diag "$(cat err)"
	done_testing
fi

# sections OFFSET: every engine reads that region and compares, both ways.
sections() {
	local name dev
	printf '%s\n' "[global]" direct=1 bs=32k size=1m iodepth=8 verify=crc32c rw=read \
		"offset=$1"
	for name in plain iopoll hybrid defer iowq; do
		for dev in nvme1n1 ng1n1; do
			printf '%s\n' "[$name-$dev]" stonewall filename=/dev/$dev \
				"ioengine=external:$ENGINES/fio-iou_$name.so" split=8
		done
	done
}
# each ERROR: a test for each section, whose error must be that.
each() {
	local name error bytes
	is "$1: sections" "$(json '.jobs | length')" 10
	json '.jobs[] | "\(.jobname) \(.error) \(.read.io_bytes)"' >found
	while read -r name error bytes; do
		is "$1: $name" "$error $bytes" "$2"
	done <found
}
sections 1m >job
run job
is "what nobody touched verifies" "$rc" 0 || diag "$(cat err)"
each untouched "0 1048576"
sections 0 >job
run job --verify_fatal=1
ok "a flipped byte is caught" [ "$rc" != 0 ]
like "... and told" "$(cat err out)" 'crc32c: verify failed at file /dev/.*1n1 offset 524288'
is "... by each" "$(cat err out | grep -c 'verify failed at file')" 10
# EILSEQ
is "... as an error of each" "$(json '[.jobs[].error] | unique | join(" ")')" 84
done_testing
