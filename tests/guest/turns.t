#!/usr/bin/env bash
# Two programs in turns, as "fio-iou bench" measures emulated NVMe: see turns.sh.
cd "$(dirname "$0")/../.." || exit 2
scripts/bench.d/compile floor || exit 2
exec scripts/fio-iou guest --cpus 2 --nvme 1 -- tests/guest/turns.sh
