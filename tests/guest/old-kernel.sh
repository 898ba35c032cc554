#!/usr/bin/env bash
# In a guest with Linux 6.12: hybrid polling (6.13) and no-ops by task work
# (6.15) are not there, and are not replaced; all else works.
set -uo pipefail
# shellcheck source=tap.sh
. "$(dirname "$0")/tap.sh"
# shellcheck source=engine.sh
. "$(dirname "$0")/engine.sh"

few=(--direct=1 --rw=randread --bs=4k --size=4m --number_ios=8)
running=$(uname -r)
like "the kernel is an old one" "$running" '^6\.12\.'
for dev in nvme0n1 ng0n1; do
	engine hybrid --filename=/dev/$dev "${few[@]}"
	refused "hybrid on $dev" "kernel \(${running//+/\\+}\) .*IORING_SETUP_HYBRID_IOPOLL, which came with Linux 6\.13"
	ok "... and reports nothing" [ ! -e reports ]
done
engine hybrid --filename=/dev/nvme0n1 "${few[@]}" --numjobs=4
ok "four jobs fail" [ "$rc" != 0 ]
like "... not in silence" "$(cat err)" '^iou_hybrid: .*IORING_SETUP_HYBRID_IOPOLL'
engine nop --size=1m --number_ios=8 --tw=1
refused "no-ops by task work" 'IORING_NOP_TW, Linux 6\.15'
for name in plain iopoll defer iowq; do
	for dev in nvme0n1 ng0n1; do
		engine $name --filename=/dev/$dev "${few[@]}"
		is "$name on $dev" "$rc $(report '.[0].requests')" "0 8" || diag "$(cat err)"
	done
done
engine nop --size=1m --number_ios=8
is "no-ops" "$rc $(report '.[0].requests')" "0 8" || diag "$(cat err)"
engine defer --filename=/dev/nvme1n1 "${few[@]}" --min_wait=100
is "min_wait" "$rc $(report '.[0] | "\(.requests) \(.min_wait)"')" "0 8 100" || diag "$(cat err)"
engine plain --filename=/dev/nvme1n1 "${few[@]}" --rw=randtrim
is "discards" "$rc $(json '.jobs[0].trim.total_ios')" "0 8" || diag "$(cat err)"
done_testing
