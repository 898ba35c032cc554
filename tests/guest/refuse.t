#!/usr/bin/env bash
# What cannot be done, and its neighbours that can: see refuse.sh. The guest
# gets two more NVMe devices, whose LBA formats have 64 bytes of metadata, by a
# QEMU that adds them to what it is told.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/lib.sh
tmp=''
iou_tmpdir tmp
qemu=$(command -v qemu-system-x86_64)
{
	printf '#!/usr/bin/env bash\nexec %q "$@"' "$qemu"
	for i in 0 1; do
		printf ' %q' -blockdev "node-name=meta$i,driver=null-co,size=$((64 << 20)),read-zeroes=on" \
			-device "nvme,id=meta$i,serial=meta$i" \
			-device "nvme-ns,bus=meta$i,drive=meta$i,logical_block_size=4096,physical_block_size=4096,ms=64,mset=$i"
	done
} >"$tmp/qemu-system-x86_64"
chmod +x "$tmp/qemu-system-x86_64"
PATH=$tmp:$PATH scripts/fio-iou guest -- tests/guest/refuse.sh
