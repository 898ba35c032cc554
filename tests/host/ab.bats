#!/usr/bin/env bats
# ab, with UML kernels that are scripts: which boots it makes, what it keeps.

bats_require_minimum_version 1.5.0
top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)

setup() {
	export TMPDIR=$BATS_TEST_TMPDIR/tmp W=$BATS_TEST_TMPDIR
	mkdir "$TMPDIR"
	cd "$W" || return 1
	# as fio-iou run would write them, a boot each
	"$top/tests/data/make-records" "$W/records/pre" 1 6 5000000
	"$top/tests/data/make-records" "$W/records/post" 2 6 5500000
	fake_kernel pre
	fake_kernel post
}

# fake_kernel SIDE [COMMAND]: each boot gives the side's next record, unless
# COMMAND ends it before.
fake_kernel() {
	cat >"$W/linux-$1" <<-EOF2
		#!/bin/bash
		side=$1
		for word; do case \$word in IOU_CTL=*) ctl=\${word#*=} ;; esac; done
		echo "\$side" >>"$W/order"
		n=\$(grep -c "\$side" "$W/order")
		${2:-:}
		cp "\$(ls "$W/records/\$side"/*.json | sed -n "\${n}p")" "\$ctl/out/"
		echo 0 >"\$ctl/status"
	EOF2
	chmod +x "$W/linux-$1"
}
ab() {
	"$top/scripts/fio-iou" ab --pre "$W/linux-pre" --post "$W/linux-post" -o "$W/ab" "$@" 3>&-
}
order() { tr '\n' ' ' <"$W/order"; }
# The files that are there, records by their side.
kept() { (cd "$W/ab" && find . -type f | sed 's,.*/\(pre\|post\)/peak.*,\1,' | sort | tr '\n' ' '); }

@test "boots in turn, a record each, and their comparison" {
	run -0 ab --boots 6 peak-1-thread
	[ "$(order)" = "pre post post pre pre post post pre pre post post pre " ]
	[[ "$output" == *"boot 12 of 12: pre"*"peak-1-thread/iopoll"*"6:6"*faster* ]]
	[ "$(kept)" = "./.ab ./.lock $(echo ./{post,pre}/.boot-{0..5}) $(echo {post,pre}{,,,,,}) " ]
	[ -z "$(ls "$TMPDIR")" ]
	# once more makes no boot, and says the same
	run -0 ab --boots 6 peak-1-thread
	[ "$(wc -l <"$W/order")" = 12 ]
	[[ "$output" == *"12 of 12 boots are there already"*faster* ]]
}

@test "worse is status 1, and a gate is asked for more" {
	"$top/tests/data/make-records" "$W/records/post" 2 6 4900000
	run -1 ab --boots 6 peak-1-thread
	[[ "$output" == *slower* ]]
	run -0 ab --boots 6 --gate 5 peak-1-thread
	[[ "$output" == *slower* ]]
}

@test "a boot that dies is no boot: the next run goes on with it" {
	fake_kernel post '[ $n != 2 ] || [ -e '"$W"'/mended ] || { echo "Kernel panic: not today"; exit 3; }'
	run -1 ab --boots 4 peak-1-thread
	[[ "${lines[-1]}" == *"left no record of some job"* ]]
	[[ "$output" == *"not today"* ]]
	[ "$(order)" = "pre post post " ]
	[ "$(kept)" = "./.ab ./.lock ./post/.boot-0 ./pre/.boot-0 post pre " ]
	: >"$W/mended"
	# the records of boots 2 and on, of which one was not made
	sed -i '$d' "$W/order"
	run -0 ab --boots 4 peak-1-thread
	[[ "$output" == *"2 of 8 boots are there already"* ]]
	[ "$(order)" = "pre post post pre pre post post pre " ]
}

@test "a guest that dies between two jobs is no boot, whatever it left" {
	fake_kernel post 'cp "$(ls '"$W"'/records/post/*.json | head -n 1)" "$ctl/out/"; exit 3'
	run -1 ab --boots 4 peak-1-thread nops
	[[ "${lines[-1]}" == *"left no record of some job"* ]]
	[ ! -e "$W/ab/post/.boot-0" ]
	[ -z "$(ls "$W/ab/post")" ]
}

@test "a folder is of one A/B, from its first boot on" {
	fake_kernel pre 'exit 3'
	run -1 ab --boots 2 peak-1-thread
	# nothing is there yet, so this may be another
	fake_kernel pre
	: >"$W/order"
	run ab --boots 2 -t 1 peak-1-thread
	[ "$(order)" = "pre post post pre " ]
	run -2 ab --boots 2 -t 3 peak-1-thread
	[[ "$output" == *"holds an A/B of other options, kernels or engines"* ]]
	echo "# another" >>"$W/linux-post"
	run -2 ab --boots 2 -t 1 peak-1-thread
	[[ "$output" == *"of other options, kernels or engines"* ]]
	[ "$(order)" = "pre post post pre " ]
}

@test "a request that makes no sense is refused before anything is built or booted" {
	for words in 'nosuchjob' 'peak-2-threads' '-t x' '--timeout 0' '--guest xen' '--frob 1' '-o'; do
		# shellcheck disable=SC2086
		run -2 ab $words
		echo "$words: $output"
		[ "${#lines[@]}" = 1 ]
	done
	run -2 "$top/scripts/fio-iou" ab --pre 6.12
	[ ! -e "$W/order" ]
	[ ! -e "$W/ab" ]
}
