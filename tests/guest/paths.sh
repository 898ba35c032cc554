#!/usr/bin/env bash
# In a guest whose null device takes 200 us: does each engine take the path it
# is named after? The kernel's word for it: interrupts, and tracepoints.
set -uo pipefail
# shellcheck source=tap.sh
. "$(dirname "$0")/tap.sh"
# shellcheck source=engine.sh
. "$(dirname "$0")/engine.sh"

events=/sys/kernel/debug/tracing/events/io_uring
trace=/sys/kernel/debug/tracing/trace
tracing() {
	local event
	for event in create queue_async_work task_work_run local_work_run; do
		echo "$1" >$events/io_uring_$event/enable
	done
	echo >$trace
}
# traced: counts of the last run, as words: rings created and the flags of the
# last (in hex), requests given to workers, completions that came by task work
# and by local (deferred) work.
traced() {
	awk '/io_uring_create:/ { rings++; flags = $NF }
		/io_uring_queue_async_work:/ { async++ }
		match($0, /work_run: .*count [0-9]+/) {
			n = substr($0, RSTART, RLENGTH); sub(/.*count /, "", n)
			if (/local_work_run/) locally += n; else task += n
		}
		END { print rings + 0, flags, async + 0, task + 0, locally + 0 }' $trace
	echo >$trace
}

# Setup flags: IOPOLL 1, SQE128 and CQE32 c00, SINGLE_ISSUER and DEFER_TASKRUN
# 3000, NO_SQARRAY 10000, HYBRID_IOPOLL 20000; CQSIZE (8) is the size, no path.
declare -A flags=([plain]=0 [iopoll]=1 [hybrid]=20001 [defer]=3000 [iowq]=0)
n=100
one=(--direct=1 --rw=randread --bs=4k --size=64m "--number_ios=$n")
tracing 1
for name in plain iopoll hybrid defer iowq; do
	for dev in nvme0n1 ng0n1; do
		before=$(irqs nvme0)
		engine $name --filename=/dev/$dev "${one[@]}"
		raised=$(($(irqs nvme0) - before))
		ctx=$(json '.jobs[0].ctx')
		read -r rings got async task locally <<<"$(traced)"
		diag "$name on $dev, $n reads one by one: $raised interrupts, $ctx context switches, $async to workers, $task by task work, $locally by deferred work"
		want=$((0x${flags[$name]} | 0x10008))
		[ $dev = nvme0n1 ] || want=$((want | 0xc00))
		is "$name on $dev: one ring, of its flags" "$rings $((got))" "1 $want"
		case $name in
		iopoll|hybrid)
			is "$name on $dev: no interrupts" "$raised" 0 ;;
		*)	is "$name on $dev: an interrupt for each read" "$raised" $n ;;
		esac
		case $name in
		iopoll)	ok "$name on $dev: does not switch for a read" [ "$ctx" -lt $((n / 2)) ] ;;
		hybrid)	ok "$name on $dev: switches about once a read" \
				[ "$ctx" -gt $((n / 2)) -a "$ctx" -lt $((n * 5 / 4)) ] ;;
		iowq)	is "$name on $dev: every read goes to a worker" "$async" $n ;;
		defer)	is "$name on $dev: completions by deferred work" "$locally $task" "$n 0" ;;
		plain)	ok "$name on $dev: completions by task work" [ "$task" -gt 0 -a "$locally" = 0 ] ;;
		esac
		[ $name = iowq ] || is "$name on $dev: no worker" "$async" 0
	done
done
engine iowq --filename=/dev/nvme0n1 "${one[@]}" --async_every=4
read -r rings got async task locally <<<"$(traced)"
is "async_every=4: every fourth goes to a worker" "$async" $((n / 4))

# More than the device's queue takes at once: what is over goes to workers, on
# polled paths too, and then the path was not all that was measured.
engine iopoll --filename=/dev/nvme0n1 --direct=1 --rw=randread --bs=1m --size=1g --number_ios=16 \
	--iodepth=8 --split=256 --split_offset=random
read -r rings got async task locally <<<"$(traced)"
ok "iopoll beyond the queue's depth: the kernel gives some to workers" [ "$async" -gt 0 ]
ok "... and the report says so" [ "$(report '.[0].iowq.workers_seen')" -gt 0 ]

# One more with tw=1: the engine tries whether the kernel knows it.
while read -r taskrun tw want; do
	engine nop --size=1m --number_ios=$n --iodepth=16 "--taskrun=$taskrun" "--tw=$tw"
	read -r rings got async task locally <<<"$(traced)"
	is "nop, taskrun=$taskrun, tw=$tw: completions by task work, by deferred work" \
		"$task $locally" "$want"
done <<EOT
normal 0 0 0
normal 1 $((n + 1)) 0
defer 0 0 0
defer 1 0 $((n + 1))
EOT
tracing 0

engine defer --filename=/dev/nvme0n1 "${one[@]}" --number_ios=160 --iodepth=16 --iodepth_batch=16 \
	--iodepth_batch_complete_max=16 --min_wait=500000
reaps=$(report '.[0].reaps')
diag "min_wait: 160 reads in $reaps batches"
ok "min_wait: batches of up to 16" [ "$reaps" -ge 10 -a "$reaps" -le 20 ]

# Sixteen at a time: what polling costs, and what sleeping first saves. A number
# of reads and no time, for the machine may have other things to do meanwhile.
busy=(--direct=1 --rw=randread --bs=4k --size=1g --iodepth=16 --number_ios=6000)
declare -A cpu
for dev in nvme0n1 ng0n1; do
	for name in plain iopoll hybrid; do
		engine $name --filename=/dev/$dev "${busy[@]}"
		# shellcheck disable=SC2016
		read -r cpu[$name] ios ctx words <<<"$(json '.jobs[0] | .read.total_ios as $n
			| (.usr_cpu + .sys_cpu) as $cpu | "\($cpu | round) \($n) \(.ctx) \(.read.iops | round) IOPS, \(
			$cpu * .job_runtime * 10 / $n | round) us of CPU and \(
			.ctx / $n * 100 | round / 100) switches a read"')"
		diag "$name on $dev at depth 16: ${cpu[$name]} % CPU, $words"
		is "$name on $dev at depth 16 reads" "$ios" 6000
		[ $name != iopoll ] ||
			ok "iopoll on $dev hardly switches" [ "$ctx" -lt $((ios / 20)) ]
	done
	ok "hybrid on $dev: clearly less CPU than iopoll" \
		[ "${cpu[hybrid]}" -lt $((cpu[iopoll] * 85 / 100)) ]
done

# Workers. workers: how many are there now, of all processes, and their CPUs.
workers() {
	local comm name
	for comm in /proc/[0-9]*/task/*/comm; do
		read -r name 2>/dev/null <"$comm" || continue
		[[ $name != iou-wrk-* ]] ||
			sed -n 's/^Cpus_allowed_list:\t//p' "${comm%comm}status" 2>/dev/null
	done
}
# watch ARGUMENT...: sets $most, the most workers seen, and $cpus, theirs.
watch() {
	local now pid
	engine iowq "$@" &
	pid=$!
	most=0 cpus=''
	while kill -0 $pid 2>/dev/null; do
		now=$(workers)
		[ -z "$now" ] || cpus=$(printf "%s\n" "$now" "$cpus" | sort -u | grep .)
		now=$(wc -w <<<"$now")
		[ "$now" -le "$most" ] || most=$now
	done
	wait $pid
}
for cap in 0 1 2; do
	for dev in nvme0n1 ng0n1; do
		watch --filename=/dev/$dev "${busy[@]}" --iodepth=64 --workers=$cap --cpus_allowed=1
		read -r seen bounded <<<"$(report '.[0].iowq | "\(.workers_seen) \(.bounded)"')"
		diag "workers=$cap on $dev: at most $most workers, $seen in the report, limit $bounded, $(
			report '.[0].requests') requests"
		if [ $cap = 0 ]; then
			ok "the kernel's limit is reported" [ "$bounded" -gt 0 ]
		else
			is "workers=$cap on $dev: the limit" "$bounded" $cap
			ok "workers=$cap on $dev: no more of them" [ "$most" -le $cap -a "$seen" -le $cap ]
		fi
		ok "workers=$cap on $dev: there are some" [ "$seen" -ge 1 ]
		if [ "$most" -gt 0 ]; then
			is "workers=$cap on $dev: on the job's CPU" "$cpus" 1
		else
			skip "workers=$cap on $dev: on the job's CPU (they came and went unseen)"
		fi
		is "workers=$cap on $dev: none is left" "$(workers)" ''
	done
done
done_testing
