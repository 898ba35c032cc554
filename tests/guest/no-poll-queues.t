#!/usr/bin/env bash
# The polled paths without poll queues: see no-poll-queues.sh.
cd "$(dirname "$0")/../.." || exit 2
exec scripts/fio-iou guest --poll-queues 0 -- tests/guest/no-poll-queues.sh
