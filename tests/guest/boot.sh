#!/usr/bin/env bash
# In a guest with 3 CPUs and 3 NVMe devices of 2 poll queues each: are the
# devices what "fio-iou guest --help" says, and do polled reads keep off the
# interrupts? fio's own engine does the I/O: this tests the guest, not ours.
set -uo pipefail
# shellcheck source=tap.sh
. "$(dirname "$0")/tap.sh"

queue() { cat "/sys/class/block/$1/queue/$2"; }
queues() { find "/sys/class/block/$1/mq/" -mindepth 1 -maxdepth 1 | wc -l; }

is "CPUs" "$(nproc)" 3
for i in 0 1 2; do
	ok "nvme$i: block device" [ -b /dev/nvme${i}n1 ]
	ok "nvme$i: generic device" [ -c /dev/ng${i}n1 ]
	is "nvme$i: serial" "$(tr -d ' ' </sys/class/nvme/nvme$i/serial)" iou$i
	is "nvme$i: block size" "$(queue nvme${i}n1 logical_block_size)" $((i == 1 ? 4096 : 512))
	is "nvme$i: polls" "$(queue nvme${i}n1 io_poll)" 1
	is "nvme$i: a queue for each CPU and the poll queues" "$(queues nvme${i}n1)" 5
done
is "nullb0: polls" "$(queue nullb0 io_poll)" 1
is "nullb0: depth" "$(queue nullb0 nr_requests)" 1024
is "nullb0: a queue for each CPU and the poll queues" "$(queues nullb0)" 5
for path in /tmp /dev/shm /out /sys/kernel/debug; do
	ok "$path: mounted" grep -q " $path " /proc/mounts
done
ok "tracing is there" [ -e /sys/kernel/debug/tracing/trace ]
like "the kernel's config" "$(cat /boot/config)" '^CONFIG_IO_URING=y'
like "the mode is told" "$FIO_IOU_GUEST" '^(kvm|tcg|icount)$'
is "the working folder" "$PWD" /fio-iou

interrupts() { awk '/nvme0q[1-9]/ { for (i = 2; i <= NF && $i ~ /^[0-9]+$/; i++) n += $i } END { print n + 0 }' /proc/interrupts; }

# reads DEVICE ARGUMENT...: sets $ios, and $raised, the interrupts of nvme0.
reads() {
	local dev=$1 before
	shift
	before=$(interrupts)
	"$FIO" --name=r "--filename=/dev/$dev" --ioengine=io_uring --rw=randread --bs=512 \
		--iodepth=8 --direct=1 --time_based --runtime=1 --norandommap \
		--output-format=json --output=/tmp/out.json "$@" ||
		diag "fio failed: $(head -n 3 /tmp/out.json)"
	raised=$(($(interrupts) - before))
	ios=$(jq '.jobs[0].read.total_ios' /tmp/out.json)
	diag "$dev $*: $ios reads, $raised interrupts, $(jq '.jobs[0].read.iops|floor' /tmp/out.json) IOPS"
}

reads nvme0n1 --hipri
ok "polled reads" [ "$ios" -gt 100 ]
ok "polled reads raise next to no interrupts" [ "$raised" -lt 10 ]
reads nvme0n1
ok "the same reads without polling do raise them" [ "$raised" -gt $((ios / 100 + 10)) ]
reads nullb0 --hipri
ok "polled reads of null_blk" [ "$ios" -gt 100 ]
done_testing
