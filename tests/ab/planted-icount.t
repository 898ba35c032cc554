#!/usr/bin/env bash
# A slow-down that is there is found to the instruction: 67 a request, planted
# in null_blk's completion, in QEMU that counts.
# shellcheck source-path=SCRIPTDIR source=trees.sh
. "$(dirname "$0")/trees.sh"

ab icount --guest icount --pre "$tree@base" --post "$tree@slow" peak-1-thread
diag "$(cat "$work/icount.txt")"
like "icount: the difference is exact" "$(verdicts icount)" '^exact'
is "icount: and it is the loop's 67 instructions" \
	"$(jq -r '.rows[0] | .median_b - .median_a | . > 66 and . < 68' "$work/icount.json")" true
done_testing
