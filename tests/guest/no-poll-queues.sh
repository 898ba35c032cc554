#!/usr/bin/env bash
# In a guest whose devices have no poll queues: the polled paths are refused on
# each of them, whatever the kernel would make of it.
set -uo pipefail
# shellcheck source=tap.sh
. "$(dirname "$0")/tap.sh"
# shellcheck source=engine.sh
. "$(dirname "$0")/engine.sh"

few=(--direct=1 --rw=randread --bs=4k --size=4m --number_ios=8)
for name in iopoll hybrid; do
	for dev in nvme0n1 ng0n1 nvme1n1 ng1n1; do
		disk=${dev/#ng/nvme}
		engine $name --filename=/dev/$dev "${few[@]}"
		refused "$name on $dev" "^iou_$name: /dev/$dev .*/sys/class/block/$disk/queue/io_poll is 0.*nvme\.poll_queues=N"
		ok "... and reports nothing" [ ! -e reports ]
	done
	engine $name --filename=/dev/nullb0 "${few[@]}"
	refused "$name on nullb0" "^iou_$name: /dev/nullb0 .*/sys/class/block/nullb0/queue/io_poll is 0"
done
for thread in 0 1; do
	engine hybrid --filename=/dev/ng0n1 "${few[@]}" --numjobs=4 --thread=$thread
	is "four jobs say it once, thread=$thread" "$(grep -c '^iou_hybrid: /dev/ng0n1 has no poll queues' err)" 1
	ok "... and fail" [ "$rc" != 0 ]
done
for dev in nvme0n1 ng0n1; do
	engine plain --filename=/dev/$dev "${few[@]}"
	is "plain on $dev needs none" "$rc $(report '.[0] | "\(.requests) \(.files[0].io_poll)"')" "0 8 0"
done
done_testing
