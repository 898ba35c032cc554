#!/usr/bin/env bash
# In a guest with two more NVMe devices, whose blocks carry metadata (see
# refuse.t): what cannot be done is said in one line, and what can be is done.
set -uo pipefail
# shellcheck source=tap.sh
. "$(dirname "$0")/tap.sh"
# shellcheck source=engine.sh
. "$(dirname "$0")/engine.sh"

few=(--rw=randread --bs=4k --size=4m --number_ios=8)

# Buffered polling; files that are none.
engine iopoll --filename=/dev/nvme0n1 "${few[@]}"
refused "iopoll without direct=1" '^iou_iopoll: /dev/nvme0n1: .*direct=1'
engine hybrid --filename=/dev/nvme0n1 "${few[@]}"
refused "hybrid without direct=1" '^iou_hybrid: /dev/nvme0n1: .*direct=1'
engine plain --filename=/dev/nvme0n1:/dev/ng0n1 --direct=1 "${few[@]}"
refused "a block and a character device in one job" '/dev/ng0n1: .*job'
engine plain --filename=/dev "${few[@]}"
refused "a folder" '^iou_plain: /dev is a directory'
engine iopoll --filename=/dev/nvme0 --direct=1 "${few[@]}"
refused "a controller's character device" '/dev/nvme0 .*/dev/ngXnY'
engine plain --filename=/dev/nvme7n1 --direct=1 "${few[@]}"
refused "a device that is not there" '/dev/nvme7n1: no such device'
ok "... and it was not created" [ ! -e /dev/nvme7n1 ]

# Sizes.
engine plain --filename=/dev/ng1n1 --rw=randread --bs=2k --size=4m
refused "half a block, passthrough" '/dev/ng1n1: bs=2048 .*4096'
engine defer --filename=/dev/nvme1n1 --direct=1 --rw=randread --bs=2k --size=4m
refused "half a block" '/dev/nvme1n1: bs=2048 .*4096'
engine plain --filename=/dev/ng1n1 --rw=randread --bs=16k --split=8 --size=4m
refused "half a block by split" 'bs=16384 in 8 requests .*4096'
engine iopoll --filename=/dev/ng0n1 --rw=read --bs=1m --size=4m
refused "more than passthrough takes at once" '/dev/ng0n1: .*1048576 .*524288'
engine iopoll --filename=/dev/ng0n1 --rw=read --bs=1m --split=2 --size=4m
is "... which split makes small enough" "$rc $(json '.jobs[0].read.total_ios')" "0 4"
engine hybrid --filename=/dev/nvme0n1 --direct=1 --rw=read --bs=1m --size=4m
refused "a polled request that the block layer would cut in two" \
	'/dev/nvme0n1: a request of 1048576 bytes is cut in two \(queue/max_'
engine plain --filename=/dev/nvme0n1 --direct=1 --rw=read --bs=1m --size=4m
is "... is none by interrupt" "$rc $(json '.jobs[0].read.total_ios')" "0 4"
engine plain --filename=/dev/ng1n1 --rw=randwrite --bsrange=4k-16k --bs_unaligned=1 --size=4m
refused "sizes that are not in whole blocks, passthrough" 'bs_unaligned'
engine plain --filename=/dev/ng1n1 --rw=write --bs=4k --size=16k --offset=512
refused "an offset inside a block, passthrough" '/dev/ng1n1: offset=512 .*4096'
engine plain --filename=/dev/ng1n1 --rw=write --bs=4k --size=16k --sync=1
refused "sync=1, passthrough" '/dev/ng1n1: sync= does nothing'
printf 'fio version 2 iolog\n%s\n' "/dev/ng1n1 add
/dev/ng1n1 open
/dev/ng1n1 read 0 512
/dev/ng1n1 close" >half
engine plain --read_iolog=half --bs=4k
like "a replay of half a block" "$rc $(grep '^iou_' err)" \
	'^1 iou_plain: /dev/ng1n1: an I/O of 512 bytes at 0 is not in whole blocks of 4096'

# The end: the last block, and one past it, which only a replay asks for.
end=$((16 << 30))
printf 'fio version 2 iolog\n%s\n' "/dev/ng0n1 add
/dev/ng0n1 open
/dev/ng0n1 read $((end - 512)) 512
/dev/ng0n1 close" >last
sed "s/read.*/read $end 512/" last >past
for name in plain hybrid; do
	engine $name --read_iolog=last --bs=512
	is "$name: the last block" "$rc $(json '.jobs[0].read.io_bytes')" "0 512" || diag "$(cat err)"
	engine $name --read_iolog=past --bs=512
	like "$name: past the last block, in NVMe's words" "$rc $(cat err out)" \
		'NVMe status 0x4080 \(sct 0x0, sc 0x80\): LBA Out of Range'
	is "... is a failure" "$rc" 1
done
engine plain --filename=/dev/ng0n1 --bs=4k --rw=read --offset=$end --size=4k
refused "an offset past the end" "/dev/ng0n1: .*$end"
engine plain --filename=/dev/nvme0n1 --direct=1 --bs=4k --rw=read --size=4k \
	--offset=$((end - 8192)) --offset_increment=4k --numjobs=4
is "one past the end, for some of the clones" "$(grep -c "^iou_plain: .*: offset=.* is not before its end" err)" 1 || diag "$(cat err)"
ok "... is a failure" [ "$rc" != 0 ]
engine plain --filename=/dev/ng0n1 --bs=64k --rw=read --offset=$((end - 65536)) --size=64m \
	--split=32 --split_offset=random
is "split_offset=random stays before the end" "$rc $(json '.jobs[0].read.total_ios')" "0 1" ||
	diag "$(cat err)"

# Metadata: nvme2 has it in separate buffers, nvme3 after each block's data.
engine iopoll --filename=/dev/ng2n1 "${few[@]}"
refused "passthrough with separate metadata" '/dev/ng2n1: .*64 bytes of separate metadata'
engine iopoll --filename=/dev/nvme2n1 --direct=1 "${few[@]}"
is "the kernel handles it on the block device" "$rc $(json '.jobs[0].read.total_ios')" "0 8"
engine plain --filename=/dev/ng3n1 "${few[@]}"
refused "passthrough with extended metadata" '/dev/ng3n1: .*64 bytes of extended metadata'
engine plain --filename=/dev/nvme3n1 --direct=1 "${few[@]}"
refused "the kernel cannot handle that" '/dev/nvme3n1 has no size'

# Flushes and discards. Commands are counted as the driver makes them.
trace=/sys/kernel/debug/tracing
echo 1 >$trace/events/nvme/nvme_setup_cmd/enable
# commands NAME: how many of them since the last time.
commands() { grep -c "$1" $trace/trace; echo >$trace/trace; }
for option in fsync=1 fdatasync=1 end_fsync=1; do
	engine iopoll --filename=/dev/nvme1n1 --direct=1 --rw=write --bs=4k --size=16k --$option
	refused "$option on a polled block device" '/dev/nvme1n1: fsync'
done
commands . >/dev/null
engine hybrid --filename=/dev/ng1n1 --rw=write --bs=4k --number_ios=8 --size=64k --fsync=2
is "fsync=2 through passthrough flushes" "$rc $(commands nvme_cmd_flush)" "0 3" || diag "$(cat err)"
engine defer --filename=/dev/nvme1n1 --direct=1 --rw=write --bs=4k --number_ios=8 --size=64k --fsync=2
is "... as it does on an unpolled block device" "$rc $(json '.jobs[0].sync.total_ios')" "0 3"
commands . >/dev/null
trim=(--rw=randtrim --bs=16k --size=16m --iodepth=8 --number_ios=100)
for name in plain iopoll; do
	engine $name --filename=/dev/ng1n1 "${trim[@]}" --split=4
	is "$name: trims through passthrough, at depth" \
		"$rc $(json '.jobs[0] | "\(.trim.total_ios) \(.iodepth_level["8"] > 90)"') $(commands nvme_cmd_dsm)" \
		"0 100 true 400" || diag "$(cat err)"
done
engine iopoll --filename=/dev/nvme1n1 --direct=1 "${trim[@]}"
refused "trims on a polled block device" '/dev/nvme1n1: a discard'
engine plain --filename=/dev/nvme1n1 --direct=1 "${trim[@]}"
is "trims on an unpolled one" "$rc $(json '.jobs[0].trim.total_ios') $(commands nvme_cmd_dsm)" "0 100 100"
echo 0 >$trace/events/nvme/nvme_setup_cmd/enable

# A partition: its first sector says 64 MiB from 1 MiB on.
dd if=/dev/zero of=/dev/nvme1n1 bs=1M count=1 conv=notrunc status=none
printf '\0\0\0\0\203\0\0\0\0\1\0\0\0\100\0\0' |
	dd of=/dev/nvme1n1 bs=1 seek=446 conv=notrunc status=none
printf '\125\252' | dd of=/dev/nvme1n1 bs=1 seek=510 conv=notrunc status=none
blockdev --rereadpt /dev/nvme1n1
part=/dev/nvme1n1p1
for _ in 1 2 3 4 5 6 7 8 9; do
	[ -b $part ] && break
	sleep 0.1
done
engine hybrid --filename=$part --direct=1 --rw=randwrite --bs=4k --size=64k --verify=crc32c
is "a partition is polled as its disk is" "$rc $(report '.[0].files[0] | "\(.device) \(.io_poll)"')" \
	"0 nvme1n1 1" || diag "$(cat err)"

# The write guard of passthrough.
write=(--filename=/dev/ng1n1 --bs=4k --size=16k --offset=512m)
mkfs.ext4 -q -F $part 2>/dev/null || mke2fs -F $part >/dev/null 2>&1
mkdir -p /mnt
mount -t ext4 $part /mnt || mount -t ext2 $part /mnt
engine iopoll "${write[@]}" --rw=write
refused "writes below a mounted partition" '/dev/ng1n1: nvme1n1 is in use \(mounted on /mnt\).*allow_mounted_write=1'
engine plain "${write[@]}" --rw=trim
refused "trims below it" 'nvme1n1 is in use'
engine plain "${write[@]}" --rw=read
is "reads below it" "$rc" 0
engine plain "${write[@]}" --rw=write --allow_mounted_write=1
is "allow_mounted_write=1 writes all the same" "$rc $(json '.jobs[0].write.total_ios')" "0 4" ||
	diag "$(cat err)"
file=(--filename=/mnt/file --direct=1 --rw=randwrite --bs=4k --size=64k --verify=crc32c)
engine iopoll "${file[@]}"
refused "polled writes to blocks that a file does not have yet" '/mnt/file: .*overwrite=1'
engine iopoll "${file[@]}" --overwrite=1
is "a file on the partition is polled" "$rc" 0 || diag "$(cat err)"
umount /mnt
mkswap $part >/dev/null && swapon $part
engine plain "${write[@]}" --rw=write
refused "writes below swap" 'nvme1n1 is in use \(swapped on\)'
swapoff $part
mkfs.ext4 -q -F $part 2>/dev/null || mke2fs -F $part >/dev/null 2>&1
mkfifo mounted release
exec 8<>mounted 9<>release
unshare -m sh -c "mount -t ext4 $part /mnt && echo >mounted && read -r _ <release" &
read -r -t 10 _ <&8
engine plain "${write[@]}" --rw=write
refused "writes below a mount that only others see" 'nvme1n1 is in use \(opened exclusively\)'
echo >&9
wait
engine plain "${write[@]}" --rw=write --numjobs=8 --thread --group_reporting
is "jobs do not take each other for a claim" "$rc $(json '.jobs[0].write.total_ios')" "0 32" ||
	diag "$(cat err)"

# Rights: a user other than root, who may lock 64 KiB of memory.
chmod 777 "$work"
chmod 666 /dev/nvme0n1
printf '#!/bin/bash\nulimit -l 64\nexec setpriv --reuid=1000 --regid=1000 --clear-groups %s "$@"\n' \
	"$FIO" >as-user
chmod 755 as-user
FIO=$work/as-user
engine plain --filename=/dev/ng0n1 "${few[@]}"
refused "a node that is root's alone" '/dev/ng0n1: not permitted .*owner 0:0, mode 600'
engine iopoll --filename=/dev/nvme0n1 --direct=1 "${few[@]}"
is "a node for all" "$rc" 0 || diag "$(cat err)"
engine iopoll --filename=/dev/nvme0n1 --direct=1 "${few[@]}" --iodepth=64 --fixedbufs=1
refused "more registered memory than the user may lock" \
	'fixedbufs needs 262144 bytes .* limit is 65536 per user'
done_testing
