#!/usr/bin/env bats
# fio-iou doctor on machines made of files: each lack is told, with its remedy.

load record.bash

setup() {
	local tool
	fake_build
	fake_machine
	file "$FIO_IOU_PROC/sys/kernel/io_uring_disabled" 0
	file "$FIO_IOU_SYSFS/devices/system/cpu/smt/active" 1
	for tool in 0 1; do
		file "$FIO_IOU_SYSFS/class/block/nvme${tool}n1/queue/scheduler" "[none]"
		for file in iostats:0 nomerges:2 wbt_lat_usec:0; do
			file "$FIO_IOU_SYSFS/class/block/nvme${tool}n1/queue/${file%:*}" "${file#*:}"
		done
	done
	for tool in 0 1 2 3; do
		file "$FIO_IOU_SYSFS/devices/system/cpu/cpu$tool/cpufreq/scaling_governor" performance
	done
	mkdir "$BATS_TEST_TMPDIR/bin"
	for tool in perf qemu-system-x86_64; do
		printf '#!/bin/sh\n' >"$BATS_TEST_TMPDIR/bin/$tool"
	done
	printf '#!/bin/sh\necho installed\n' >"$BATS_TEST_TMPDIR/bin/dpkg-query"
	chmod +x "$BATS_TEST_TMPDIR"/bin/*
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
}

doctor() { "$top/scripts/fio-iou" doctor "$@"; }
lacks() {
	run doctor
	echo "$output"
	[ "$status" = 1 ]
	[ "$(grep -c ^lacks <<<"$output")" = 1 ]
	[[ $(grep ^lacks <<<"$output") == $1 ]]
}

@test "nothing lacks: exit 0" {
	run doctor
	echo "$output"
	[ "$status" = 0 ]
	[ -z "$(grep -v -E '^(ok|note) ' <<<"$output")" ]
	[[ $output == *"nvme0n1 can be polled, poll queues: 2"* ]]
	[[ $output == *"SMT is on: CPU 3 shares its core (1,3)"* ]]
}

@test "a device without poll queues" {
	file "$FIO_IOU_SYSFS/class/block/nvme1n1/queue/io_poll" 0
	lacks '*nvme1n1 has no poll queues (queue/io_poll is 0): boot with nvme.poll_queues=N'
}

@test "a device not tuned is a note" {
	file "$FIO_IOU_SYSFS/class/block/nvme1n1/queue/iostats" 1
	run doctor
	[ "$status" = 0 ]
	[[ $output == *"note   nvme1n1: iostats 1: run --tune sets it"* ]]
}

@test "no NVMe device at all" {
	rm "$FIO_IOU_SYSFS"/class/block/*
	lacks '*no NVMe device: fio-iou guest*'
}

@test "kernels that lack a path" {
	file "$FIO_IOU_PROC/sys/kernel/osrelease" 6.12.9-amd64
	lacks '*kernel 6.12.9-amd64: iou_hybrid needs 6.13*'
	file "$FIO_IOU_PROC/sys/kernel/osrelease" 5.10.0-30-amd64
	lacks '*kernel 5.10.0-30-amd64: iou_defer and iou_nop need 6.1*'
	file "$FIO_IOU_PROC/sys/kernel/osrelease" 10.0-rc1
	run doctor
	[ "$status" = 0 ]
}

@test "io_uring forbidden" {
	file "$FIO_IOU_PROC/sys/kernel/io_uring_disabled" 2
	lacks '*kernel.io_uring_disabled is 2: sysctl kernel.io_uring_disabled=0'
}

@test "governor" {
	file "$FIO_IOU_SYSFS/devices/system/cpu/cpu2/cpufreq/scaling_governor" powersave
	lacks '*governor is not performance on 1 of 4 CPUs*--tune*'
}

@test "no SMT siblings" {
	rm "$FIO_IOU_SYSFS/devices/system/cpu/smt/active"
	run doctor
	[ "$status" = 0 ]
	[[ $output == *"peak-2-threads will take two cores"* ]]
}

@test "another fio, none, or no build" {
	FAKE_VERSION=fio-3.41 lacks '*is fio-3.41, the engines are built for 3.33: ./configure --with-fio=DIR*'
	mv "$FIO_IOU_BUILD/fio" "$FIO_IOU_BUILD/gone"
	lacks "*no fio at *get-fio*"
	rm "$FIO_IOU_BUILD/config.mk"
	lacks '*not built: scripts/get-fio*'
}

@test "engines that fio does not load" {
	sed -i "s/echo 'split.*help'/echo 'not loadable'/" "$FIO_IOU_BUILD/fio"
	lacks '*does not load iou_plain iou_iopoll iou_hybrid iou_defer iou_iowq iou_nop*'
}

@test "packages" {
	printf '#!/bin/sh\ncase $* in *jq*) exit 1;; esac; echo installed\n' >"$BATS_TEST_TMPDIR/bin/dpkg-query"
	lacks '*packages: apt-get install jq'
}

@test "arguments" {
	run doctor --help
	[ "$status" = 0 ]
	run doctor please
	[ "$status" = 2 ]
	[ "${#lines[@]}" = 1 ]
}
