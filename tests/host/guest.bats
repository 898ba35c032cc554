#!/usr/bin/env bats
# fio-iou guest: what it refuses, and what it passes on. Each boot is some five
# seconds, so there are few.
# shellcheck disable=SC2030,SC2031

setup() {
	top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	unset FIO
	export TMPDIR=$BATS_TEST_TMPDIR/tmp
	mkdir "$TMPDIR"
}

guest() { "$top/scripts/fio-iou" guest "$@"; }

# refused MESSAGE ARGUMENT...: one line, status 2.
refused() {
	local message=$1
	shift
	run guest "$@"
	[ "$status" = 2 ]
	[ "${#lines[@]}" = 1 ]
	[[ ${lines[0]} = "fio-iou guest: "*"$message"* ]]
}

left() { ls -A "$TMPDIR"; }

@test "--help names every option" {
	run guest --help
	[ "$status" = 0 ]
	local option
	for option in $(grep -oE '^	--[a-z-]+\)' "$top/scripts/guest" | tr -d '\t)'); do
		[[ $output = *"$option"* ]]
	done
}

@test "requests that make no sense are refused" {
	refused "no command" --cpus 2
	refused "no command" --
	refused "put -- before the command 'true'" true
	refused "no option '--cpu'" --cpu 2 -- true
	refused "--cpus needs a number, not 'two'" --cpus two -- true
	refused "--cpus needs at least 1" --cpus 0 -- true
	refused "--memory needs a number, not '0x10'" --memory 0x10 -- true
	refused "--nvme needs a number, not '08'" --nvme 08 -- true
	refused "--timeout needs at least 1" --timeout 0 -- true
	refused "--nvme needs a value" --nvme
	refused "--env needs NAME=VALUE, not 'A'" --env A -- true
	refused "--accel is auto, kvm or tcg" --accel xen -- true
	refused "--icount is for one CPU, not 2" --icount --cpus 2 -- true
	refused "--icount needs TCG" --icount --accel kvm -- true
	refused "--plugin needs TCG" --plugin touched --accel kvm -- true
	refused "no vmlinuz in" --kernel "$TMPDIR" -- true
	head -c 1000 /dev/zero >"$TMPDIR/disk"
	refused "multiple of 4096" --disk "$TMPDIR/disk" -- true
}

@test "output, errors, status, environment and /out come through" {
	# shellcheck disable=SC2016
	guest --env 'A=two  "words"' --out "$BATS_TEST_TMPDIR/new/out" -- bash -c '
		echo "$A|$1"
		echo err >&2
		seq 20000 >/out/seq
		[ -t 1 ] || echo no terminal
		exit 7' name "x'y" >"$TMPDIR/../stdout" 2>"$TMPDIR/../stderr" && status=0 || status=$?
	[ "$status" = 7 ]
	[ "$(cat "$TMPDIR/../stdout")" = 'two  "words"|x'\''y
no terminal' ]
	[ "$(cat "$TMPDIR/../stderr")" = err ]
	[ "$(cat "$BATS_TEST_TMPDIR/new/out/seq")" = "$(seq 20000)" ]
	[ -z "$(left)" ]
}

@test "a guest that panics is an error with its console's tail" {
	run guest -- sh -c 'echo c >/proc/sysrq-trigger; sleep 100'
	[ "$status" = 1 ]
	[ "${lines[0]}" = "fio-iou guest: the guest died; the last lines of its console:" ]
	[ "${#lines[@]}" = 16 ]
	[[ $output = *"Kernel Offset"* || $output = *"panic"* ]]
	[ -z "$(left)" ]
}

@test "a guest that does not end is an error" {
	run guest --timeout 1 -- true
	[ "$status" = 1 ]
	[[ ${lines[0]} = "fio-iou guest: the guest did not end within 1 s (--timeout)"* ]]
	[ -z "$(left)" ]
}

@test "an interrupt ends the guest and leaves nothing" {
	"$top/scripts/fio-iou" guest -- sleep 1000 3>&- &
	guest_pid=$!
	# QEMU itself, not the timeout(1) around it.
	for _ in $(seq 300); do
		! pgrep -f "^qemu-.*initrd $TMPDIR/" >/dev/null || break
		sleep 0.1
	done
	pgrep -f "^qemu-.*initrd $TMPDIR/"
	kill -TERM "$guest_pid"
	wait "$guest_pid" && status=0 || status=$?
	[ "$status" = 143 ]
	[ -z "$(pgrep -f "initrd $TMPDIR/")" ]
	[ -z "$(left)" ]
}

teardown() { [ -z "${guest_pid-}" ] || kill "$guest_pid" 2>/dev/null || :; }

@test "an initramfs without all its libraries is none" {
	mkdir "$BATS_TEST_TMPDIR/bin"
	# stopped in the middle of its list
	printf '#!/bin/bash\n%s "$1"\nkill -KILL $$\n' "$(command -v ldd)" >"$BATS_TEST_TMPDIR/bin/ldd"
	chmod +x "$BATS_TEST_TMPDIR/bin/ldd"
	export FIO_IOU_CACHE=$BATS_TEST_TMPDIR/cache
	PATH=$BATS_TEST_TMPDIR/bin:$PATH run "$top/scripts/guest.d/initramfs"
	[ "$status" = 1 ]
	[[ "$output" == *"ldd did not come to its end"* ]]
	[ -z "$(compgen -G "$FIO_IOU_CACHE/initramfs/*.cpio")" ]
}
