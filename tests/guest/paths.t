#!/usr/bin/env bash
# Each engine on its own path, on a device that takes its time: see paths.sh.
cd "$(dirname "$0")/../.." || exit 2
exec scripts/fio-iou guest --latency 200 -- tests/guest/paths.sh
