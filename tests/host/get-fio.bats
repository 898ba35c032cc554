#!/usr/bin/env bats
# get-fio, with a source package of two small scripts in place of fio's. What
# apt does is apt's; here are the choice, the checks and the build.

bats_require_minimum_version 1.5.0
top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)

setup() {
	export FIO_IOU_BUILD=$BATS_TEST_TMPDIR/build FIO_IOU_CACHE=$BATS_TEST_TMPDIR/cache
	export GOOD=1
	codename=$(. /etc/os-release; echo "${VERSION_CODENAME:-sid}")
	in_cache 9.1
	mkdir -p "$BATS_TEST_TMPDIR/bin"
	# No network in these tests.
	printf '#!/bin/sh\necho apt-get "$@" >>%q\nexit 1\n' "$BATS_TEST_TMPDIR/apt" >"$BATS_TEST_TMPDIR/bin/apt-get"
	cp "$BATS_TEST_TMPDIR/bin/apt-get" "$BATS_TEST_TMPDIR/bin/apt-cache"
	chmod +x "$BATS_TEST_TMPDIR"/bin/*
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
}

# in_cache VERSION: a tarball whose fio builds when GOOD is set.
in_cache() {
	local src=$BATS_TEST_TMPDIR/src/fio-$1 dir=$FIO_IOU_CACHE/fio/$1
	mkdir -p "$src" "$dir"
	cat >"$src/configure" <<-'EOF'
		#!/bin/sh
		# --disable-rdma)
		[ -n "$GOOD" ] || { echo 'no compiler here'; exit 1; }
		echo "$*" >configured
	EOF
	chmod +x "$src/configure"
	printf 'all fio t/io_uring:\n\tmkdir -p t\n\t[ -z "$$HANG" ] || { touch $$HANG; sleep 20; }\n\tprintf "#!/bin/sh\\necho fio-%s\\n" >$@\n\tchmod +x $@\n' "$1" >"$src/Makefile"
	tar -C "$BATS_TEST_TMPDIR/src" -czf "$dir/fio_$1.orig.tar.gz" "fio-$1"
	(cd "$dir" && sha256sum ./*.tar.gz | sed 's,\./,,' >sha256)
}
get_fio() { "$top/scripts/get-fio" "$@"; }
only_path() { [ "$status" = 0 ] && [ "${lines[-1]}" = "$1" ]; }

@test "a version is built, printed, and then there" {
	run get_fio 9.1
	echo "$output"
	only_path "$FIO_IOU_BUILD/fio-9.1"
	[ "$("$FIO_IOU_BUILD/fio-9.1/fio" --version)" = fio-9.1 ]
	[ -x "$FIO_IOU_BUILD/fio-9.1/t/io_uring" ]
	# The processor it is built for is any; only options that it knows.
	[ "$(<"$FIO_IOU_BUILD/fio-9.1/configured")" = "--disable-native --disable-rdma" ]
	[ ! -e "$FIO_IOU_BUILD/fio" ]
	GOOD='' run get_fio 9.1
	[ "$output" = "$FIO_IOU_BUILD/fio-9.1" ]
	[ ! -e "$BATS_TEST_TMPDIR/apt" ]
}

@test "the default version is what build/fio points to, without asking apt again" {
	echo 9.1 >"$FIO_IOU_CACHE/fio/$codename"
	run get_fio
	only_path "$FIO_IOU_BUILD/fio-9.1"
	[ "$(readlink "$FIO_IOU_BUILD/fio")" = fio-9.1 ]
	[ ! -e "$BATS_TEST_TMPDIR/apt" ]
}

@test "a build that fails leaves nothing but its log" {
	GOOD='' run get_fio 9.1
	echo "$output"
	[ "$status" = 1 ]
	[[ ${lines[-1]} == *"fio 9.1 did not build"*log* ]]
	[ "$(find "$FIO_IOU_BUILD" -mindepth 1 ! -name '.get-fio.lock' ! -name '*.log')" = "" ]
	run get_fio 9.1
	only_path "$FIO_IOU_BUILD/fio-9.1"
}

@test "a build that is killed leaves nothing that looks usable" {
	local pid
	HANG=$BATS_TEST_TMPDIR/hangs setsid "$top/scripts/get-fio" 9.1 3>&- &
	pid=$!
	for _ in {1..50}; do [ -e "$BATS_TEST_TMPDIR/hangs" ] && break; sleep 0.1; done
	kill -KILL -- "-$pid"
	wait "$pid" || :
	[ ! -e "$FIO_IOU_BUILD/fio-9.1" ]
	run get_fio 9.1
	only_path "$FIO_IOU_BUILD/fio-9.1"
	[ "$("$FIO_IOU_BUILD/fio-9.1/fio" --version)" = fio-9.1 ]
}

@test "a damaged tarball is not built" {
	echo x >>"$FIO_IOU_CACHE/fio/9.1/fio_9.1.orig.tar.gz"
	run get_fio 9.1
	echo "$output"
	[ "$status" = 2 ]
	[ ! -e "$FIO_IOU_BUILD/fio-9.1" ]
}

@test "apt without an answer: one line that says so" {
	run --separate-stderr get_fio 9.9
	[ "$status" = 2 ]
	[ -z "$output" ]
	[ "$(grep -c '^fio-iou get-fio: ' <<<"$stderr")" = 1 ]
}

@test "arguments" {
	run get_fio --help
	[ "$status" = 0 ]
	local bad
	for bad in x -1 '9.1 9.2' --newest; do
		# shellcheck disable=SC2086
		run get_fio $bad
		[ "$status" = 2 ]
		[ "${#lines[@]}" = 1 ]
	done
}
