#!/usr/bin/env bash
# In a guest: every engine on block devices and passthrough, random reads and
# verified writes, in 1 and 8 requests an I/O. Threads against processes and 1
# against 4 jobs are spread so that each engine, and each kind, meets each pair
# of them.
set -uo pipefail
# shellcheck source=tap.sh
. "$(dirname "$0")/tap.sh"
# shellcheck source=engine.sh
. "$(dirname "$0")/engine.sh"

# section WHAT KIND SPLIT: a section of the job file, and a row of the table of
# what is expected of it.
section() {
	local what=$1 kind=$2 split=$3 name=$1-$2-$3 k=0 s=0 numjobs ios bs dev
	[ "$kind" = block ] || k=1
	[ "$split" = 1 ] || s=1
	sections+="[$name]\nstonewall\n"
	if [ "$what" = read ]; then
		numjobs=$((s ? 4 : 1)) ios=100 bs=4096
		dev=$( ((k)) && echo ng0n1 || echo nvme0n1)
		sections+="rw=randread\nnumber_ios=$ios\nsize=64m\n"
	else
		numjobs=$((s ? 1 : 4)) ios=16 bs=32768
		dev=$( ((k)) && echo ng1n1 || echo nvme1n1)
		sections+="rw=randwrite\nverify=crc32c\nverify_fatal=1\nsize=512k\n"
		sections+="offset_increment=512k\noffset=${region}m\n"
		region=$((region + 2))
	fi
	sections+="filename=/dev/$dev\nbs=$bs\nsplit=$split\n"
	sections+="thread=$((k ^ s))\nnumjobs=$numjobs\n"
	table+=("{\"name\": \"$name\", \"kind\": \"$kind\", \"split\": $split, \"numjobs\": $numjobs,
		\"ios\": $ios, \"bs\": $bs, \"verify\": $([ "$what" = read ] && echo false || echo true)}")
}

# The device's own counters against ours. Passthrough counts where the kernel
# can be told so (6.13), and is then never merged.
passthrough=false
for dev in nvme0n1 nvme1n1; do
	[ ! -e /sys/block/$dev/queue/iostats_passthrough ] || passthrough=true
	! $passthrough || echo 1 >/sys/block/$dev/queue/iostats_passthrough
done
all_served() { echo $(($(served nvme0n1) + $(served nvme1n1))); }

region=0
for engine in plain iopoll hybrid defer iowq; do
	sections="[global]\nioengine=external:$ENGINES/fio-iou_$engine.so\n"
	sections+="direct=1\niodepth=16\ngroup_reporting=1\nfixedbufs=$((${#engine} % 2))\n"
	table=()
	for what in read write; do
		for kind in block char; do
			section $what $kind 1
			section $what $kind 8
		done
	done
	printf '%b' "$sections" >job
	before=$(all_served)
	run job
	served=$(($(all_served) - before))
	is "$engine: fio ends well" "$rc" 0 || diag "$(cat err)"
	facts "$(cat "$here/matrix.jq")" --arg engine "iou_$engine" \
		--argjson sections "[$(IFS=,; echo "${table[*]}")]" \
		--argjson passthrough $passthrough --argjson served $served
done
done_testing
