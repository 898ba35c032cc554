#!/usr/bin/env bash
# What requests touch, as "fio-iou bench --profile" counts it for emulated NVMe.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 2
# shellcheck source=tap.sh
. tests/guest/tap.sh

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
scripts/bench.d/compile floor || exit 2
profile() { scripts/bench.d/profile-nvme >"$tmp/stdout" 2>"$tmp/stderr"; }

# field PROGRAM N
field() { awk -F ' *[|] *' -v name="$1" -v n="$2" '$2 == name { print $(n + 2) }' "$tmp/stdout"; }
# What "ok" calls.
# shellcheck disable=SC2317
between() { [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]; }

profile <<'E2'
shallow floor bench-floor -p -d32 -s32 /dev/nvme0n1
deep floor bench-floor -p -d128 -s32 /dev/nvme0n1
pt floor bench-floor -p -d128 -s32 /dev/ng0n1
E2
is "three programs, status" $? 0
for name in shallow deep pt; do
	# it writes an offset, and counts
	ok "$name: user space has few instructions" between "$(field $name 1)" 10 60
	ok "$name: the kernel has more" between "$(field $name 2)" 1500 6000
done
# its SQEs are a page, or four of them; a stack may lie across two
ok "few pages" between "$(field shallow 3)" 2 6
ok "commands' are more" between $(($(field pt 3) - $(field shallow 3))) 2 4
ok "what is in flight is touched" [ "$(field deep 5)" -gt $(($(field shallow 5) + 96 * 4)) ]

profile <<<'none floor bench-floor -p /dev/none'
is "one that fails, status" $? 1
like "one that fails, said" "$(cat "$tmp/stderr")" 'none: .*/dev/none'
done_testing
