#!/usr/bin/env bash
# The same kernel on both sides, ten boots each in UML, is neither faster nor
# slower. One such verdict in twenty is what alpha = 0.05 means; so only two in
# a row are a fault.
# shellcheck source-path=SCRIPTDIR source=trees.sh
. "$(dirname "$0")/trees.sh"

for try in 1 2; do
	ab same$try --guest uml --pre "$tree@base" --post "$tree@base" --boots 10 \
		-t 1 -n 3 peak-1-thread nops
	diag "$(cat "$work/same$try.txt")"
	verdicts=$(verdicts same$try)
	! grep -Eq 'faster|slower' <<< "$verdicts" || continue
	break
done
like "the same kernel is not called faster or slower" "$verdicts" \
	"^((can't tell|equivalent)( |\$))+\$"
is "with ten boots a side" "$(jq -r '[.rows[] | .boots_a, .boots_b | length] | unique | join(" ")' "$work/same$try.json")" 10
is "and status 0" "$rc" 0
done_testing
