#!/usr/bin/env bash
# Every path, both kinds of device; see matrix.sh, which runs in the guest.
cd "$(dirname "$0")/../.." || exit 2
exec scripts/fio-iou guest -- tests/guest/matrix.sh
