#!/usr/bin/env bats
# shellcheck disable=SC2154
# Data: what is written through an engine is what is read back, whichever way
# an I/O is cut; and a byte that changed in between is found.

load lib.bash

# cut OPTION...: a job file that writes and verifies files of its own with each
# engine, as many sections as there are ways to cut an I/O.
cut() {
	local e split depth
	{
		printf '[global]\nclocksource=clock_gettime\nsize=256k\nbs=16k\niodepth=8\nverify=crc32c\n'
		for e in plain defer iowq; do
			for split in 1 8; do
				for depth in 0 1 3; do
					[ "$depth" -le "$split" ] || continue
					printf '[%s-%s-%s]\nioengine=%s\nsplit=%s\nsplit_depth=%s\n' \
						$e $split $depth "$(engine $e)" $split $depth
					printf '%s\n' "$@"
				done
			done
		done
	} >job.fio
}
# verified N: N jobs wrote all and read back as much, without an error.
verified() {
	run "$fio" --output-format=json --output=json job.fio
	echo "$output"
	[ "$status" = 0 ]
	lacks "$output" verify:
	result "[.jobs[] | select(.error == 0 and .write.io_bytes >= 262144 and
		.read.io_bytes == .write.io_bytes)] | length == $1"
	reports "length == $1 and all(.errors == 0)"
}

@test "crc32c, split and windowed, by processes" {
	cut rw=randwrite direct=1
	verified 15
}

@test "crc32c, by threads, with buffers and files registered" {
	cut rw=randwrite direct=1 thread=1 fixedbufs=1 registerfiles=1
	verified 15
}

@test "crc32c, over four files of which two are open, registered and not" {
	local registered
	for registered in 0 1; do
		cut rw=randwrite nrfiles=4 openfiles=2 file_service_type=random \
			registerfiles=$registered fixedbufs=$registered
		verified 15
		rm report
	done
}

@test "crc32c, mixed with reads, sizes that differ, syncs, and no random map" {
	cut rw=randrw bsrange=16k-64k fixedbufs=1 fsync=4 iodepth_batch=4
	run "$fio" --output-format=json --output=json job.fio
	echo "$output"
	[ "$status" = 0 ]
	result '.jobs | length == 15 and all(.error == 0)'
	reports 'length == 15 and all(.errors == 0)'
}

@test "four clones of one job, on parts of one file" {
	local thread
	for thread in 0 1; do
		rm -f report
		iou_json defer --rw=randwrite --bs=16k --split=8 --iodepth=4 --size=256k \
			--numjobs=4 --offset_increment=256k --verify=crc32c --fixedbufs=1 \
			--registerfiles=1 --thread=$thread --direct=1 --create_serialize=1
		sed -n '/^{/,$p' -i json
		result '.jobs | length == 4 and all(.error == 0 and .read.io_bytes == 262144)'
		reports 'length == 4 and all(.errors == 0 and .requests == 256)'
	done
}

@test "a byte that changed between write and verify is found" {
	local split
	for split in 1 8; do
		iou_json plain --rw=write --bs=16k --size=256k --split=$split --verify=crc32c --do_verify=0
		printf '\377' | LD_PRELOAD='' dd of=data bs=1 seek=100001 conv=notrunc status=none
		run iou defer --rw=read --bs=16k --size=256k --split=$split --verify=crc32c \
			--direct=1 --verify_fatal=1
		echo "$output"
		[ "$status" != 0 ]
		[[ $output == *"verify"* ]]
		lacks "$output" signal
		rm data
	done
}
