#!/usr/bin/env bash
# In a guest: every engine on block devices and passthrough, random reads and
# verified writes, in 1 and 8 requests an I/O, and 8 with 2 of them in flight.
# Threads against processes and 1 against 4 jobs are spread so that each engine,
# and each kind, meets each pair of them.
set -uo pipefail
# shellcheck source=tap.sh
. "$(dirname "$0")/tap.sh"
# shellcheck source=engine.sh
. "$(dirname "$0")/engine.sh"

# section WHAT KIND SPLIT [DEPTH]: a section of the job file, and a row of the
# table of what is expected of it.
section() {
	local what=$1 kind=$2 split=$3 depth=${4-$3} name=$1-$2-$3${4+-$4} k=0 s=0 numjobs ios bs dev
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
	[ "$depth" = "$split" ] || sections+="split_depth=$depth\nsubmit_wait=1\n"
	sections+="thread=$((k ^ s))\nnumjobs=$numjobs\n"
	table+=("{\"name\": \"$name\", \"kind\": \"$kind\", \"split\": $split, \"depth\": $depth, \"numjobs\": $numjobs,
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
			section $what $kind 8 2
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

# And at full speed, by the clock: what the report counts is what the device
# served, and what fio counts but for the I/Os in flight at its end.
before=$(served nvme0n1)
ENGINES=$ENGINES DEV=/dev/nvme0n1 CPU=0 RUNTIME=2 run /fio-iou/jobs/peak-1-thread.fio
is "peak-1-thread: the device served what the report counts" \
	"$(report '.[0] | "\(.requests) \(.completions)"')" \
	"$(($(served nvme0n1) - before)) $(($(served nvme0n1) - before))"
is "peak-1-thread: fio's bytes are the requests' but for those in flight" \
	"$(jq -rn --slurpfile fio out.json --slurpfile reports reports '
		$reports[0] as $r | $fio[0].jobs[0].read.io_bytes as $bytes |
		$r.errors == 0 and $bytes <= $r.requests * 512 and
		$bytes > 0 and $bytes >= ($r.requests - 4 * 256) * 512')" true ||
	diag "$(json '.jobs[0].read.io_bytes') bytes, $(report '.[0].requests') requests"
done_testing
