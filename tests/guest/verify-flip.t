#!/usr/bin/env bash
# Written in one boot, damaged on this side, and verified in the next: a byte
# that was flipped in the file behind a drive is caught on every path, and
# nothing else is. See verify-flip.sh.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/lib.sh
tmp=''
iou_tmpdir tmp
guest() { scripts/fio-iou guest --disk "$tmp/disk" -- tests/guest/verify-flip.sh "$1"; }

truncate -s 64M "$tmp/disk"
echo "# written:"
guest write | sed 's/^/# /'
# one byte in the middle of the first region's seventeenth block, past its header
at=$((16 * 32768 + 9000))
byte=$(od -An -tu1 -j $at -N 1 "$tmp/disk")
# shellcheck disable=SC2059
printf "\\x$(printf %02x $((byte ^ 1)))" | dd of="$tmp/disk" bs=1 seek=$at conv=notrunc status=none
guest verify
