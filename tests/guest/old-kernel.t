#!/usr/bin/env bash
# What a kernel lacks is refused by name: see old-kernel.sh.
cd "$(dirname "$0")/../.." || exit 2
exec scripts/fio-iou guest --kernel 6.12 -- tests/guest/old-kernel.sh
