#!/usr/bin/env bats
# uml-kernel with a source tree of three lines, uml with a kernel that is a
# script; and with a real one, where it was built.

bats_require_minimum_version 1.5.0
top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)

setup() {
	real_cache=${FIO_IOU_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/fio-iou}
	export FIO_IOU_CACHE=$BATS_TEST_TMPDIR/cache TMPDIR=$BATS_TEST_TMPDIR/tmp
	mkdir "$TMPDIR"
}

uml_kernel() { "$top/scripts/uml-kernel" "$@"; }
uml() { "$top/scripts/uml" "$@"; }

# A "kernel" source: linux is one.c and two.c, each compiled when it is newer.
kernel_tree() {
	tree=$BATS_TEST_TMPDIR/tree
	mkdir -p "$tree/arch/um"
	: >"$tree/arch/um/Makefile"
	echo one >"$tree/one.c"
	echo two >"$tree/two.c"
	cat >"$tree/Makefile" <<-'EOF2'
		.RECIPEPREFIX = |
		allnoconfig:
		|cp $(KCONFIG_ALLCONFIG) $(O)/.config
		linux: $(O)/linux
		$(O)/linux: $(O)/one.o $(O)/two.o
		|cat $^ >$@; chmod +x $@
		$(O)/%.o: %.c
		|! grep -q BROKEN $<
		|cp $< $@; echo $< >>$(O)/compiled
	EOF2
}

git_tree() {
	kernel_tree
	git -C "$tree" init -q
	commit A
}
commit() {
	git -C "$tree" add -A
	git -C "$tree" -c user.name=t -c user.email=t@example.org commit -qm "$1"
	git -C "$tree" tag "$1"
}

@test "uml-kernel: a revision is built once, another compiles only what differs" {
	git_tree
	echo changed >"$tree/two.c"
	commit B
	a=$(uml_kernel --src "$tree@A")
	[ "$(cat "$a")" = $'one\ntwo' ]
	b=$(uml_kernel --src "$tree@B")
	[ "$(cat "$b")" = $'one\nchanged' ]
	[ "$(cat "$a")" = $'one\ntwo' ]
	# make -j has no order
	[ "$(sort "$FIO_IOU_CACHE"/uml/*/tree/*/obj/compiled)" = $'one.c\ntwo.c\ntwo.c' ]
	# The tree is what it was, and an old revision needs no compiler.
	[ -z "$(git -C "$tree" status --short --ignored)" ]
	[ "$(uml_kernel --src "$tree@A" 2>&1)" = "$a" ]
	[ "$(uml_kernel --print --src "$tree@A")" = "$a" ]
}

@test "uml-kernel: without a revision the files count, also those not committed" {
	git_tree
	echo edited >"$tree/one.c"
	before=$(git -C "$tree" status --short; git -C "$tree" count-objects)
	[ "$(cat "$(uml_kernel --src "$tree")")" = $'edited\ntwo' ]
	[ "$(git -C "$tree" status --short; git -C "$tree" count-objects)" = "$before" ]
}

@test "uml-kernel: a tree without git is built too, and again when it changes" {
	kernel_tree
	[ "$(cat "$(uml_kernel --src "$tree")")" = $'one\ntwo' ]
	sleep 0.01
	echo new >"$tree/one.c"
	[ "$(cat "$(uml_kernel --src "$tree")")" = $'new\ntwo' ]
	touch "$tree/.config"
	run -2 uml_kernel --src "$tree"
	[[ "$output" == *"was configured in place"* ]]
}

@test "uml-kernel: what it cannot build it says, in a line" {
	git_tree
	run -2 uml_kernel --src "$tree@nope"
	[ "$output" = "fio-iou uml-kernel: $tree has no revision 'nope'" ]
	run -2 uml_kernel --src "$BATS_TEST_TMPDIR/none"
	[[ "$output" == *"no such folder" ]]
	run -2 uml_kernel --src "$BATS_TEST_TMPDIR"
	[[ "$output" == *"is not a Linux source tree"* ]]
	run -1 uml_kernel --print --src "$tree@A"
	[[ "$output" == *"is not built"* ]]
	run -2 uml_kernel 6.1 --src "$tree"
	echo BROKEN >"$tree/one.c"
	run -1 uml_kernel --src "$tree"
	[[ "${lines[-1]}" == *"did not build: "*"one.o"* ]]
	# and nothing is left that looks built
	[ -z "$(find "$FIO_IOU_CACHE" -name linux)" ]
}

@test "uml-kernel: a kernel that refuses an option it needs is no kernel" {
	kernel_tree
	sed -i 's,cp $(KCONFIG_ALLCONFIG),grep -v IO_URING <$(KCONFIG_ALLCONFIG) >,' "$tree/Makefile"
	run -1 uml_kernel --src "$tree"
	[[ "${lines[-1]}" == *"refuses CONFIG_IO_URING"* ]]
}

# fake_kernel BODY: its $ctl is the folder that the guest's first process has.
fake_kernel() {
	{
		echo '#!/bin/bash'
		echo 'for word; do case $word in IOU_CTL=*) ctl=${word#*=} ;; esac; done'
		echo "$1"
	} >"$BATS_TEST_TMPDIR/linux"
	chmod +x "$BATS_TEST_TMPDIR/linux"
}

@test "uml: a guest that dies, or hangs, shows its last messages and exits 1" {
	fake_kernel 'echo "Kernel panic: no reason"; exit 3'
	run -1 uml --kernel "$BATS_TEST_TMPDIR/linux" -- true
	[ "${lines[-2]}" = "Kernel panic: no reason" ]
	[[ "${lines[-1]}" == *"died before the command ended"* ]]
	fake_kernel 'echo "still here"; exec sleep 30'
	SECONDS=0
	run -1 uml --kernel "$BATS_TEST_TMPDIR/linux" --timeout 1 -- true
	[ "${lines[-2]}" = "still here" ]
	[[ "${lines[-1]}" == *"did not end within 1 s"* ]]
	[ "$SECONDS" -lt 10 ]
	[ -z "$(ls "$TMPDIR")" ]
}

@test "uml: stopped by a signal, it takes its guest along" {
	fake_kernel 'echo $$ >'"$BATS_TEST_TMPDIR"'/pid; exec setsid sleep 30'
	"$top/scripts/uml" --kernel "$BATS_TEST_TMPDIR/linux" -- true &
	until [ -s "$BATS_TEST_TMPDIR/pid" ]; do sleep 0.05; done
	kill -TERM $!
	wait $! || :
	run ! kill -0 "$(<"$BATS_TEST_TMPDIR/pid")"
	[ -z "$(ls "$TMPDIR")" ]
}

@test "uml: what is wrong with the request is said before anything boots" {
	fake_kernel 'touch '"$BATS_TEST_TMPDIR/booted"
	kernel=$BATS_TEST_TMPDIR/linux
	run -2 uml --kernel "$kernel"
	run -2 uml --kernel "$kernel" true
	run -2 uml --kernel "$kernel" --cpu 4096 -- true
	run -2 uml --kernel "$kernel" --timeout soon -- true
	run -2 uml --kernel "$kernel" --env 'a b=c' -- true
	run -2 uml --kernel ./nonexistent -- true
	[ ! -e "$BATS_TEST_TMPDIR/booted" ]
}

@test "uml: a real guest runs the command with its arguments, environment and /out" {
	# the default one, or any that was built of a tree
	kernel=$(FIO_IOU_CACHE=$real_cache uml_kernel --print) ||
		kernel=$(find "$real_cache/uml" -name linux -type f -perm -u+x 2>/dev/null | head -n 1)
	[ -n "$kernel" ] || skip "no UML kernel here: scripts/uml-kernel builds it"
	SECONDS=0
	run -7 --separate-stderr uml --kernel "$kernel" --out "$BATS_TEST_TMPDIR/out" --env 'A=x  y' -- sh -c '
		echo "$A|$1|$2|$FIO_IOU_GUEST|$(pwd)"; echo wrong >&2
		cat /sys/block/nullb0/queue/io_poll; echo kept >/out/file
		touch /fio-iou/nothing 2>/dev/null || echo read-only
		mktemp >/dev/null && exit 7' - 'one two' "it's"
	[ "$output" = $'x  y|one two|it\'s|uml|/fio-iou\n1\nread-only' ]
	[ "$stderr" = wrong ]
	[ "$(<"$BATS_TEST_TMPDIR/out/file")" = kept ]
	[ "$SECONDS" -lt 20 ]
}
