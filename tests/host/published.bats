#!/usr/bin/env bats
# What is published is what its records give, byte for byte.

top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)

@test "every page is made anew from its records and comes out the same" {
	run "$top/results/published/regenerate" --check
	echo "$output"
	[ "$status" = 0 ]
	[[ $output == *"same history"* ]]
}

@test "a page whose record changed differs" {
	mkdir -p "$BATS_TEST_TMPDIR/results"
	cp -r "$top/results/published" "$BATS_TEST_TMPDIR/results/"
	ln -s "$top/build" "$top/scripts" "$BATS_TEST_TMPDIR/"
	copy=$BATS_TEST_TMPDIR/results/published
	sed -i 's/"insn_per_io":[^,]*/"insn_per_io": 1/' "$copy"/history/records/7.3/nops-*.json
	run "$copy/regenerate" --check history
	echo "$output"
	[ "$status" = 1 ]
	[[ $output == *"history differs from its records"* ]]
}
