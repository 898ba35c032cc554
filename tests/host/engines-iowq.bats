#!/usr/bin/env bats
# shellcheck disable=SC2154
# iou_iowq's workers: no more than the cap, on the CPUs that they were given.

load lib.bash

teardown() {
	[ -z "${job_pid-}" ] || kill "$job_pid" 2>/dev/null || :
}

# start OPTION...: a job that is at work for two seconds; it reads what is not
# cached and so blocks, which makes io-wq start another worker if it may.
start() {
	head -c 16m /dev/zero >data
	"$fio" --name=t --ioengine="$(engine iowq)" --filename=data --size=16m --bs=4k \
		--iodepth=64 --rw=randread --direct=0 --invalidate=1 --thread \
		--time_based --runtime=2 --output-format=json --output=json "$@" &
	job_pid=$!
}

# workers: the lines "TID CPUs" of the job's workers that live now.
workers() {
	local task comm cpus
	for task in /proc/"$job_pid"/task/*; do
		comm=$(cat "$task/comm" 2>/dev/null) || continue
		[[ $comm == iou-wrk-* ]] || continue
		cpus=$(sed -n 's/^Cpus_allowed_list:\t//p' "$task/status" 2>/dev/null) || continue
		[ -z "$cpus" ] || echo "${task##*/} $cpus"
	done
}

# most_workers: the most that were seen until the job ended; all lines in seen.
most_workers() {
	local most=0 n
	: >seen
	while kill -0 "$job_pid" 2>/dev/null; do
		workers >now
		cat now >>seen
		n=$(wc -l <now)
		[ "$n" -le "$most" ] || most=$n
		sleep 0.1
	done
	wait "$job_pid"
	job_pid=
	echo "$most" >most
}

@test "a cap on bounded workers is kept" {
	start --workers=3
	most_workers
	cat seen
	[ "$(cat most)" -ge 1 ]
	[ "$(cat most)" -le 3 ]
	reports '.[0] | .iowq.bounded == 3 and .iowq.unbounded == 3 and .iowq.workers_seen >= 1 and .iowq.workers_seen <= 3 and .requests > 0'
}

@test "a cap on one kind of worker leaves the other be" {
	iou_json iowq --bs=4k --iodepth=16 --unbound_workers=2
	reports '.[0].iowq | .unbounded == 2 and .bounded > 2 and .workers_seen <= .bounded + 2'
}

@test "without one the report says what the kernel's is" {
	iou_json iowq --bs=4k --iodepth=16
	reports '.[0].iowq | .bounded > 0 and .unbounded > 0'
	rm report
	iou_json plain --bs=4k
	reports '.[0].iowq == null'
}

@test "a cap is not inherited by the next section" {
	printf '%s\n' '[global]' "ioengine=$(engine iowq)" thread=1 filename=data size=1m \
		iodepth=16 '[one]' workers=2 '[two]' stonewall workers=5 '[three]' stonewall >job.fio
	"$fio" --output-format=json --output=json job.fio
	reports '[.[].iowq.bounded][0:2] == [2, 5] and .[2].iowq.unbounded > 100'
}

@test "workers stay on the job's CPUs, or on their own" {
	local cpu
	cpu=$(taskset -cp $$ | sed 's/.*[ ,-]//')
	start --cpus_allowed="$cpu" --workers=4
	most_workers
	cat seen
	[ -s seen ]
	[ "$(cut -d' ' -f2 seen | sort -u)" = "$cpu" ]
	[ "$(cat most)" -le 4 ]
	[ "$cpu" != 0 ] || return 0
	start --cpus_allowed="$cpu" --worker_cpus=0
	most_workers
	cat seen
	[ "$(cut -d' ' -f2 seen | sort -u)" = 0 ]
}

@test "async_every forces every Nth alone" {
	iou_json iowq --bs=4k --iodepth=4 --async_every=4 --split=4
	reports '.[0] | .async_every == 4 and .requests == 1024 and .errors == 0'
}
