#!/usr/bin/env bats
# shellcheck disable=SC2154
# What the engines refuse: in one line that says why, with exit code 1, before
# anything is measured.

load lib.bash

teardown() {
	[ -z "${public-}" ] || rm -rf "$public"
	[ -z "${io_uring_disabled-}" ] ||
		sysctl -qw "kernel.io_uring_disabled=$io_uring_disabled"
}

# engine | what the line says | options
table() {
	local engine text options
	while IFS='|' read -r engine text options; do
		# shellcheck disable=SC2086
		refused "$text" iou $engine $options || return 1
		said_once || return 1
	done
}

@test "options that contradict each other" {
	table <<-'EOT'
		plain|split_depth=3 is more than split=2|--split=2 --split_depth=3
		plain|a ring of 65536 entries and the kernel's most is 32768|--iodepth=65536
		defer|iodepth=2048 of 32 requests is a ring of 65536 entries|--iodepth=2048 --split=32 --bs=64k
		iowq|bs=4096 is not a multiple of split=3|--split=3
		nop|bs=4096 is not a multiple of split=3|--split=3
		plain|bs=4096 in 16 requests is not in whole blocks of 512 bytes|--split=16 --direct=1
		plain|leave bssplit and bs_unaligned out|--split=2 --bs_unaligned=1
		plain|split_offset=random reads where it likes|--split_offset=random --rw=randrw
		plain|split_offset=random reads where it likes|--split_offset=random --verify=crc32c --rw=randwrite
		nop|submit_wait holds requests back|--submit_wait=1 --rate_iops=100
		defer|submit_wait holds requests back|--submit_wait=1 --thinktime=10
		iowq|worker_cpus=x: not a list of CPUs|--worker_cpus=x
		iowq|worker_cpus=0,1023: not a list of CPUs that are online|--worker_cpus=0,1023
	EOT
}

@test "what a path cannot do" {
	table <<-EOT
		plain|sync_file_range= is not on this path|--rw=write --sync_file_range=write:1
		plain|discards through io_uring need a block device|--rw=randtrim
		nop|a no-op has nothing to sync or to trim|--rw=write --fsync=1
		nop|a no-op has nothing to sync or to trim|--rw=randtrim
	EOT
}

@test "what is not a device or a file" {
	table <<-EOT
		plain|/dev/null is a character device without namespace commands|--filename=/dev/null
		defer|$PWD is a directory: name a device or a file|--filename=$PWD
		iowq|/dev/nosuchdevice: no such device|--filename=/dev/nosuchdevice
		hybrid|/dev/nosuchdevice: no such device|--filename=/dev/nosuchdevice --direct=1
		plain|/proc/version/file: Not a directory|--filename=/proc/version/file
	EOT
	# fio would have made a file of it
	[ ! -e /dev/nosuchdevice ]
}

@test "polling without direct=1, and without poll queues" {
	[ "$(cat /sys/block/*/queue/io_poll | sort -u)" = 0 ] ||
		skip "a disk of this machine has poll queues"
	local engine
	for engine in iopoll hybrid; do
		refused "a polled ring needs direct=1" iou $engine
		said_once
		run iou $engine --direct=1
		echo "$output"
		[ "$status" = 1 ]
		[ "$(grep -cE '^iou_.*(queue/io_poll (is 0|cannot be read)|no disk is known)' <<<"$output")" = 1 ]
		lacks "$output" 'IOPS=' Success
	done
}

@test "an option that an engine does not have is fio's error" {
	local engine options
	while read -r engine options; do
		# shellcheck disable=SC2086
		run iou "$engine" $options
		echo "$engine $options: $output"
		[ "$status" = 1 ]
		lacks "$output" 'IOPS=' signal
	done <<-EOT
		nop --split_offset=random
		plain --workers=2
		plain --taskrun=defer
		defer --taskrun=normal
		iowq --min_wait=100
		iowq --async_every=0
		plain --split=0
		plain --nosuchoption=1
	EOT
}

@test "offloaded submission, by every engine" {
	local engine
	for engine in "${all_engines[@]}"; do
		run iou "$engine" --io_submit_mode=offload --rate_iops=1000
		echo "$engine: $output"
		[ "$status" = 1 ]
		[[ $output == *"can't be used with offloaded submit"* ]]
		lacks "$output" 'IOPS=' signal
	done
}

# inject ERRNO: what a seccomp filter, or a kernel that lacks a flag, does.
inject() {
	strace -f -qq -o trace -e trace=io_uring_setup -e inject="io_uring_setup:error=$1" \
		"$fio" --name=t --ioengine="$(engine "$2")" --size=1m --filename=data "${@:3}"
}

@test "io_uring blocked, not built in, not permitted" {
	refused "not permitted here: see sysctl kernel.io_uring_disabled, or the container's seccomp profile" \
		inject EPERM plain
	refused "blocked by a seccomp profile, or not built into this kernel (CONFIG_IO_URING)" \
		inject ENOSYS defer
	refused "raise the locked-memory limit (ulimit -l)" inject ENOMEM iowq
}

@test "a required flag that the kernel refuses: named, never dropped" {
	refused "this kernel ($(uname -r)) refuses IORING_SETUP_SINGLE_ISSUER, which came with Linux 6.0" \
		inject EINVAL defer
	# no call that asked for less was then taken for the path
	lacks "$(cat trace)" '= [0-9]'
	refused "IORING_SETUP_COOP_TASKRUN, which came with Linux 5.19" \
		inject EINVAL plain --taskrun=coop
	refused "IORING_SETUP_SINGLE_ISSUER" inject EINVAL iowq --taskrun=defer
	refused "the kernel refuses a ring of" inject EINVAL plain
}

@test "kernel.io_uring_disabled" {
	[ "$(id -u)" = 0 ] && [ -w /proc/sys/kernel/io_uring_disabled ] ||
		skip "needs root, and a kernel that has the sysctl"
	public_dir public
	local was
	was=$(sysctl -n kernel.io_uring_disabled)
	io_uring_disabled=$was
	# 1 is enough for a user, and lets root's own rings be
	sysctl -qw kernel.io_uring_disabled=1
	refused "see sysctl kernel.io_uring_disabled" as_nobody "$public" ./fio --name=t \
		--ioengine=external:./fio-iou_defer.so --size=64k --filename=data
	sysctl -qw "kernel.io_uring_disabled=$was"
	run as_nobody "$public" ./fio --name=t --ioengine=external:./fio-iou_defer.so \
		--size=64k --filename=data
	echo "$output"
	[ "$status" = 0 ]
}

# locked LIMIT OPTION...: a job of a user who may lock LIMIT KiB.
locked() (
	ulimit -l "$1"
	shift
	as_nobody "$public" ./fio --name=t --ioengine=external:./fio-iou_defer.so \
		--bs=64k --iodepth=64 --size=8m --filename=data "$@"
)

@test "locked memory: how much, how much there may be, and what to do" {
	[ "$(id -u)" = 0 ] || skip "needs root, to be another user"
	public_dir public
	refused "fixedbufs needs 4194304 bytes of locked memory and the limit is 65536 per user, over all jobs: raise it (ulimit -l, limits.conf)" \
		locked 64 --fixedbufs=1 --numjobs=4 --iomem_align=4k
	# of a buffer of 64 KiB that begins within a page, 17 pages
	refused "fixedbufs needs 4456448 bytes of locked memory" locked 64 --fixedbufs=1 --iomem_align=512
	# so do those of a page each, which are there before Linux 6.16
	local misaligned=4456448
	[ "$(printf '%s\n' 6.16 "$(uname -r)" | sort -V | head -n 1)" = 6.16 ] || misaligned=8388608
	# no page twice where eight requests have one, but for those that lie across two
	refused "fixedbufs needs 4194304 bytes of locked memory" locked 1024 --fixedbufs=1 \
		--iomem_align=4k --split=128
	refused "fixedbufs needs $misaligned bytes of locked memory" locked 1024 --fixedbufs=1 \
		--iomem_align=512 --split=128
	# random requests have no more memory than are in flight
	refused "fixedbufs needs 524288 bytes of locked memory" locked 256 --fixedbufs=1 \
		--iomem_align=4k --split=128 --split_depth=16 --split_offset=random
	run locked 64 --numjobs=4 --group_reporting
	echo "$output"
	[ "$status" = 0 ]
	# enough for some of the jobs: those that get none are not silent
	run locked 10240 --fixedbufs=1 --numjobs=4 --thread --time_based --runtime=1 --group_reporting
	echo "$output"
	[ "$status" -ge 1 ]
	[ "$status" -le 4 ]
	[[ $output == *"iou_defer: fixedbufs needs"* ]]
}

@test "a failed init: no signal, by threads and processes, one and many" {
	local thread jobs
	[ "$(id -u)" != 0 ] || public_dir public
	for thread in 0 1; do
		for jobs in 1 8; do
			refused "a ring of 65536 entries" iou nop --iodepth=65536 --thread=$thread --numjobs=$jobs
			said_once
			refused "no such device" iou plain --filename=/dev/nosuchdevice \
				--thread=$thread --numjobs=$jobs
			said_once
			# in the job itself, with a ring made already
			[ -z "${public-}" ] ||
				refused "locked memory" locked 64 --fixedbufs=1 --thread=$thread --numjobs=$jobs
			refused "IORING_SETUP_SINGLE_ISSUER" inject EINVAL defer \
				--thread=$thread --numjobs=$jobs
		done
	done
}

@test "a failed init leaves no memory behind (valgrind)" {
	command -v valgrind >/dev/null || skip "no valgrind"
	# as threads: then it is this process that must clean up
	run valgrind -q --error-exitcode=99 --log-file=vg --leak-check=full \
		--show-leak-kinds=definite --errors-for-leak-kinds=none \
		"$fio" --name=t --thread --ioengine="$(engine iowq)" --worker_cpus=x \
		--size=64k --filename=data
	cat vg
	[ "$status" = 1 ]
	[[ $output == *"worker_cpus=x"* ]]
	# what is lost, if anything, is not ours
	lacks "$(cat vg)" 'fio-iou_' 'Invalid (read|write)' 'uninitialised'
}
