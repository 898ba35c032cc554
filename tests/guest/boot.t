#!/usr/bin/env bash
# What a guest promises: its devices and their poll queues. See boot.sh.
cd "$(dirname "$0")/../.." || exit 2
exec scripts/fio-iou guest --cpus 3 --nvme 3 --poll-queues 2 -- tests/guest/boot.sh
