#!/usr/bin/env bats
# shellcheck disable=SC2154
# The engines at work on this machine's kernel: what fio and the path report
# say of small jobs on files and no-ops.

load lib.bash

# sections NAME... < options of all: a job file of those engines, in turn.
sections() {
	local e
	{
		printf '[global]\nclocksource=clock_gettime\n'
		cat
		for e; do
			printf '\n[%s]\nstonewall\nioengine=%s\n' "$e" "$(engine "$e")"
			[ "$e" = nop ] || echo "filename=data.$e"
		done
	} >job.fio
}
# job.fio, its result in the file json.
run_job() {
	run "$fio" --output-format=json --output=json job.fio
	echo "$output"
	[ "$status" = 0 ]
}

@test "every I/O is done once, at the depth that was asked for" {
	sections "${any_engines[@]}" <<-EOF
		rw=randread
		bs=4k
		size=1m
		iodepth=32
	EOF
	run_job
	lacks "$output" synchronous 'No I/O performed'
	result '[.jobs[].read | .total_ios == 256 and .io_bytes == 1048576 and .short_ios == 0] == [true, true, true, true]'
	result '[.jobs[] | .iodepth_level["32"] > 80] | all'
	result '[.jobs[].error] == [0, 0, 0, 0]'
	reports '[.[] | .requests == 256 and .completions == 256 and .errors == 0] == [true, true, true, true]'
	reports '[.[].engine] == ["iou_plain", "iou_defer", "iou_iowq", "iou_nop"]'
}

@test "fio's bandwidth is requests times their size" {
	sections "${any_engines[@]}" <<-EOF
		rw=randread
		bs=16k
		size=4m
		iodepth=4
	EOF
	sed -i 's/^ioengine.*/&\nsplit=32/' job.fio
	run_job
	result '[.jobs[].read | .total_ios == 256 and .io_bytes == 4194304] | all'
	reports '[.[] | .requests == 256 * 32 and .bytes == .requests * 512 and .split == 32] == [true, true, true, true]'
}

@test "a report of each thread, one valid line each" {
	local thread
	for thread in 0 1; do
		rm -f report
		iou_json nop --numjobs=8 --thread=$thread --iodepth=4 --bs=4k --split=8
		[ "$(wc -l <report)" = 8 ]
		reports 'length == 8 and ([.[].thread] | unique | length) == 8 and ([.[].pid] | unique | length) == 8'
		reports 'all(.schema == 1 and .requests == 2048 and .error == 0 and .command == "nop")'
		result '[.jobs[].read.total_ios] | add == 2048'
	done
}

@test "the report says which flags were granted and what the file is" {
	iou_json defer --bs=4k --iodepth=4 --fixedbufs=1 --registerfiles=1 --report=mine
	[ ! -e report ]
	FIO_IOU_REPORT=mine reports 'length == 1 and (.[0] |
		(.ring.required | sort) == ["DEFER_TASKRUN", "SINGLE_ISSUER"] and
		(.ring.granted | index("DEFER_TASKRUN")) != null and
		(.ring.required - .ring.granted) == [] and
		.ring.sq_entries == 4 and .taskrun == "defer" and
		.fixedbufs and .registerfiles and .cq_overflow == 0 and
		(.files | length) == 1 and .files[0].kind == "file" and
		.files[0].name == "'"$PWD"'/data" and
		.completions_per_reap.mean > 0 and
		(.completions_per_reap.log2 | add) == .reaps)'
	is mine ".fio == \"$("$fio" --version)\""
}

@test "normal output has one summary line, JSON has none" {
	run iou nop --bs=4k --iodepth=4
	echo "$output"
	[ "$(grep -c '^t: iou_nop: 256 requests, .* per enter, .* per reap, 0 errors$' <<<"$output")" = 1 ]
	local format
	for format in json json+; do
		run iou nop --bs=4k --iodepth=4 --output-format=$format
		jq -e '.jobs[0].read.total_ios == 256' <<<"$output"
	done
	run iou nop --bs=4k --output-format=terse
	[ "${#lines[@]}" = 1 ]
}

@test "a failed job leaves no half result in the JSON, and no report" {
	run iou_json plain --iodepth=65536
	[ "$status" = 1 ]
	[[ $output == *"iou_plain: iodepth=65536"* ]]
	[ ! -e report ]
	sed -n '/^{/,$p' json >only
	is only '.jobs | all(.error != 0 and .read.total_ios == 0)'
}

@test "rings belong to their jobs: four each, threads and processes, in turn" {
	local thread
	for thread in 0 1; do
		sections defer nop defer <<-EOF
			bs=4k
			size=256k
			iodepth=8
			numjobs=4
			thread=$thread
		EOF
		run_job
		result '(.jobs | length) == 12 and ([.jobs[].read.total_ios] | all(. == 64))'
	done
}

@test "ours, another engine, ours again and another of ours; eight jobs" {
	local thread
	for thread in 0 1; do
		sections plain psync plain iowq <<-EOF
			bs=4k
			size=128k
			numjobs=8
			group_reporting=1
			thread=$thread
		EOF
		sed -i 's|^ioengine=.*psync.so|ioengine=psync|' job.fio
		run_job
		lacks "$output" signal
		result '[.jobs[].read.total_ios] == [256, 256, 256, 256]'
	done
}

@test "latencies: submission and completion make up the whole" {
	sections "${any_engines[@]}" <<-EOF
		rw=randread
		bs=4k
		size=4m
		iodepth=8
	EOF
	run_job
	result '[.jobs[].read | .slat_ns.N == 1024 and .clat_ns.N == 1024 and .lat_ns.N == 1024] | all'
	result '[.jobs[].read | .slat_ns.min > 0] | all'
	# each sample is rounded on its own
	result '[.jobs[].read | (.slat_ns.mean + .clat_ns.mean - .lat_ns.mean) | fabs < 100] | all'
	result '[.jobs[].read | .lat_ns.mean < 1e8] | all'
}

@test "no latencies where none are asked for, and no nonsense" {
	iou_json defer --bs=4k --iodepth=8 --gtod_reduce=1
	result '.jobs[0].read | .lat_ns.N == 0 and .clat_ns.N == 0 and .slat_ns.N == 0 and .total_ios == 256'
	iou_json defer --bs=4k --iodepth=8 --disable_clat=1 --disable_slat=1
	result '.jobs[0] | .read.lat_ns.mean < .job_runtime * 1e6 and .read.clat_ns.N == 0'
}

@test "deferred completions: batches, looks without a wait, a low rate" {
	iou_json defer --bs=4k --size=4m --iodepth=128 --iodepth_batch_complete_max=128
	reports '.[0] | .completions == 1024 and .completions_per_reap.mean >= 1'
	rm report
	iou_json defer --bs=4k --iodepth=8 --iodepth_batch_complete_min=0 --rate_iops=100 \
		--time_based --runtime=2
	result '.jobs[0] | .job_runtime < 4000 and .read.total_ios >= 100 and .read.total_ios <= 300'
	reports '.[0].errors == 0'
}

@test "submit_wait: the whole batch by one enter" {
	iou_json nop --bs=4k --size=4m --iodepth=32 --iodepth_batch=32 \
		--iodepth_batch_complete_min=32 --submit_wait=1 --split=8
	reports '.[0] | .requests_per_enter == 256 and .enters == 32 and .completions_per_reap.mean == 256'
	rm report
	iou_json defer --bs=4k --size=4m --iodepth=32 --submit_wait=1 --iodepth_batch_complete_min=0
	reports '.[0] | .submit_wait and .completions == 1024'
	# and 0 is off
	rm report
	iou_json nop --bs=4k --submit_wait=0 --rate_iops=10000
	reports '.[0].submit_wait == false'
}

@test "min_wait waits for the batch" {
	iou_json defer --bs=4k --size=4m --iodepth=16 --min_wait=1000 --rw=randread --direct=1 \
		--iodepth_batch_complete_max=16
	reports '.[0] | .min_wait == 1000 and .completions == 1024 and .completions_per_reap.mean > 4'
}

@test "taskrun, by every engine that has it" {
	local e t
	for e in plain:normal plain:coop iowq:normal iowq:coop iowq:defer nop:normal nop:coop nop:defer; do
		rm -f report
		t=${e#*:}
		iou_json "${e%:*}" --bs=4k --iodepth=16 --taskrun="$t"
		reports ".[0] | .taskrun == \"$t\" and .requests == 256 and
			((.ring.granted | index(\"COOP_TASKRUN\")) != null) == (\"$t\" == \"coop\") and
			((.ring.granted | index(\"DEFER_TASKRUN\")) != null) == (\"$t\" == \"defer\")"
	done
}

@test "no-ops through task work, or a refusal" {
	run iou_json nop --bs=4k --iodepth=16 --split=8 --tw=1
	echo "$output"
	if [ "$status" = 0 ]; then
		reports '.[0] | .tw and .requests == 2048 and .errors == 0'
	else
		[[ $output == *"IORING_NOP_TW, Linux 6.15"* ]]
	fi
}

@test "no-ops that look up a file and a buffer, or a refusal" {
	for args in --fixedbufs=1 --registerfiles=1 '--fixedbufs=1 --registerfiles=1 --split_depth=2'; do
		rm -f "$FIO_IOU_REPORT"
		# shellcheck disable=SC2086
		run iou_json nop --bs=4k --iodepth=16 --split=8 $args
		echo "$output"
		if [ "$status" = 0 ]; then
			reports ".[0] | .requests == 2048 and .errors == 0 and
				.fixedbufs == $([[ $args == *fixedbufs* ]] && echo true || echo false) and
				.registerfiles == $([[ $args == *registerfiles* ]] && echo true || echo false)"
		else
			[[ $output == *"IORING_NOP_FILE, Linux 6.13"* ]]
		fi
	done
}

@test "split_depth, rate, thinktime, numjobs on one file" {
	iou_json defer --bs=32k --split=8 --split_depth=2 --iodepth=2 --rw=randread
	reports '.[0] | .split_depth == 2 and .requests == 256 and .ring.sq_entries == 4'
	rm report
	iou_json iowq --bs=4k --size=64k --thinktime=1000 --numjobs=2
	reports 'length == 2 and all(.requests == 16)'
}

@test "syncs reach the kernel: as many as fio counts, at least one for each write" {
	local syncs
	iou_json defer --bs=4k --size=256k --rw=write --fdatasync=1 --iodepth=4
	syncs=$(jq '.jobs[0].sync.lat_ns.N' json)
	[ "$syncs" -ge 63 ]
	reports ".[0] | .requests == 64 + $syncs and .errors == 0"
	rm report
	# that at the end is not in fio's figures
	iou_json plain --bs=4k --size=256k --rw=write --fsync=16 --end_fsync=1
	syncs=$(jq '.jobs[0].sync.lat_ns.N' json)
	[ "$syncs" -ge 3 ]
	reports ".[0] | .requests == 64 + $syncs + 1 and .errors == 0"
}

# The flags of each io_uring_setup that strace saw, but those that only change
# what a request costs: CQSIZE and NO_SQARRAY. Numbers: strace may not know them.
setup_flags() {
	local flags
	sed -n 's/.*io_uring_setup(.*{flags=\(0x[0-9a-f]*\|0\),.*) = [0-9].*/\1/p' trace |
	while read -r flags; do
		printf '0x%x\n' $((flags & ~(1 << 3 | 1 << 16)))
	done
}
traced() {
	strace -f -qq -X raw -o trace -e trace=io_uring_setup "$@" >out 2>&1 || {
		cat out
		return 1
	}
	grep io_uring_setup trace
}

@test "strace: each engine's ring is set up once, with its path's flags" {
	local e want
	while read -r e want; do
		traced "$fio" --name=t --ioengine="$(engine "$e")" --size=64k --filename=data
		[ "$(setup_flags)" = "$want" ]
	done <<-EOF
		plain 0x0
		defer 0x3000
		iowq 0x0
		nop 0x3000
	EOF
}

@test "strace: where an optional flag is refused the path stays" {
	traced -e inject=io_uring_setup:error=EINVAL:when=1 \
		"$fio" --name=t --ioengine="$(engine defer)" --size=64k --filename=data
	[ "$(setup_flags | tail -n 1)" = 0x3000 ]
	reports '.[0] | .ring.required - .ring.granted == []'
}

@test "a file that fails: fio ends with the errno, the report counts it" {
	# a limit on the file's size: the kernel's own EFBIG
	run bash -c 'trap "" XFSZ; ulimit -f 64; exec "$@"' - \
		"$fio" --name=t --ioengine="$(engine plain)" --filename=data --size=256k --bs=4k \
		--rw=write --fallocate=none --iodepth=4
	echo "$output"
	[ "$status" = 1 ]
	[[ $output == *"File too large"* ]]
	lacks "$output" Success signal
	reports '.[0] | .error == 27 and .errors >= 1'
}

