#!/usr/bin/env bats
# get-kernel and the private apt, with an archive of small packages in place of
# Debian's: which kernel is chosen, what is unpacked, and what is left alone.

top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)

setup() {
	export FIO_IOU_CACHE=$BATS_TEST_TMPDIR/cache ARCHIVE=$BATS_TEST_TMPDIR/archive
	mkdir -p "$BATS_TEST_TMPDIR/bin" "$ARCHIVE/trixie" "$ARCHIVE/trixie-backports"
	# Both are called with -c CACHE/apt/SUITE/apt.conf.
	cat >"$BATS_TEST_TMPDIR/bin/apt-get" <<-'EOF'
		#!/bin/bash
		echo "apt-get $*" >>"$ARCHIVE/calls"
		[ "$1" != indextargets ] || { echo "main bookworm http://mirror.example/debian/"; exit; }
		suite=$ARCHIVE/$(basename "$(dirname "$3")")
		[ -d "$suite" ] || { echo "E: no such suite"; exit 100; }
		[ "$4" = download ] || exit 0
		for name in "${@:5}"; do
			cp "$suite/${name%%=*}.deb" . || { echo "E: no $name"; exit 100; }
		done
	EOF
	cat >"$BATS_TEST_TMPDIR/bin/apt-cache" <<-'EOF'
		#!/bin/bash
		suite=$ARCHIVE/$(basename "$(dirname "$2")")
		case $3 in
		pkgnames) (cd "$suite" && ls | sed 's/\.deb$//' | grep "^${4-}") ;;
		show)	for name in "${@:4}"; do dpkg-deb -f "$suite/$name.deb"; done ;;
		esac
	EOF
	chmod +x "$BATS_TEST_TMPDIR"/bin/*
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
}

# deb SUITE NAME VERSION: of what is in $tree.
deb() {
	mkdir -p "$tree/DEBIAN"
	printf '%s\n' "Package: $2" "Version: $3" Architecture:\ amd64 Maintainer:\ me Description:\ none \
		>"$tree/DEBIAN/control"
	dpkg-deb -Znone --build "$tree" "$ARCHIVE/$1/$2.deb" >/dev/null
	rm -rf "$tree"
}

# module NAME DEPENDS: in $tree, compressed as Debian does.
module() {
	local dir=$tree/usr/lib/modules/$release/kernel/$1
	mkdir -p "$dir"
	printf 'depends=%s\0name=%s\0' "$2" "$1" >"$BATS_TEST_TMPDIR/modinfo"
	echo 'int x;' | gcc -c -x c -o "$BATS_TEST_TMPDIR/plain.o" -
	objcopy --add-section .modinfo="$BATS_TEST_TMPDIR/modinfo" "$BATS_TEST_TMPDIR/plain.o" "$dir/$1.ko"
	xz "$dir/$1.ko"
}

# image SUITE RELEASE VERSION [split [no-modules]]: a kernel, in one package or more.
image() {
	local release=$2-cloud-amd64 tree=$BATS_TEST_TMPDIR/tree
	if [ $# -gt 3 ]; then
		mkdir -p "$tree/usr/lib/modules/$release"
		echo "kernel $2" >"$tree/usr/lib/modules/$release/vmlinuz"
		deb "$1" "linux-binary-$release" "$3"
		deb "$1" "linux-image-$release" "$3"
		mkdir -p "$tree/usr/lib/modules/$release"
		echo "config $2" >"$tree/usr/lib/modules/$release/config"
		deb "$1" "linux-base-$release" "$3"
		[ $# = 4 ] || return 0
		module configfs ''
		module null_blk configfs
		deb "$1" "linux-modules-$release" "$3"
	else
		mkdir -p "$tree/boot"
		echo "kernel $2" >"$tree/boot/vmlinuz-$release"
		echo "config $2" >"$tree/boot/config-$release"
		module configfs ''
		module null_blk configfs
		deb "$1" "linux-image-$release" "$3"
	fi
}

get_kernel() { "$top/scripts/get-kernel" "$@"; }
got() { [ "$status" = 0 ] && [ "${lines[-1]}" = "$FIO_IOU_CACHE/kernels/$1-cloud-amd64" ]; }

@test "without a version: the newest 6.x that can do hybrid polling, and it stays" {
	image trixie 6.12.9 6.12.9-1
	image trixie 6.20.1 6.20.1-1
	image trixie-backports 6.12.50 6.12.50-1
	image trixie-backports 6.13.9 6.13.9-1
	image trixie-backports 6.13.10 6.13.10-1
	image trixie-backports 6.19.1 6.19.1-1 split no-modules
	image trixie-backports 7.0.1 7.0.1-1
	run get_kernel
	got 6.13.10
	image trixie-backports 6.14.1 6.14.1-1
	: >"$ARCHIVE/calls"
	run get_kernel
	got 6.13.10
	[ ! -s "$ARCHIVE/calls" ]
	run get_kernel --update
	got 6.14.1
	run get_kernel
	got 6.14.1
}

@test "without one that fits in backports: the newest anywhere" {
	image trixie 6.12.9 6.12.9-1
	image trixie 6.20.1 6.20.1-1
	image trixie-backports 6.12.50 6.12.50-1
	image trixie-backports 7.1.3 7.1.3-1 split
	run get_kernel
	got 7.1.3
}

@test "a version is a beginning at a dot, of the release or of Debian's version" {
	image trixie 6.1.0-57 6.1.192-3
	image trixie 6.12.9 6.12.9-1
	run get_kernel 6.1
	got 6.1.0-57
	run get_kernel 6.1.192
	got 6.1.0-57
	run get_kernel 6.12.9
	got 6.12.9
	run get_kernel trixie-newest
	got 6.12.9
	run get_kernel 6.2
	[ "$status" = 2 ]
	[[ $output = "fio-iou get-kernel: no Debian suite offers a kernel '6.2'"* ]]
	run get_kernel woody-newest
	[ "$status" = 2 ]
	[[ $output = *"suite woody is not available: no such suite" ]]
}

@test "image, config and modules are unpacked, whichever packages they are in" {
	local dir
	image trixie 6.18.1 6.18.1-1
	image trixie 7.3.4 7.3.4-1 split
	for release in 6.18.1 7.3.4; do
		dir=$(get_kernel $release)
		[ "$(cat "$dir/vmlinuz")" = "kernel $release" ]
		[ "$(cat "$dir/config")" = "config $release" ]
		[ "$(cat "$dir/modules/order")" = "configfs.ko
null_blk.ko" ]
		modinfo "$dir/modules/null_blk.ko"
	done
}

@test "two at once fetch once, and leave nothing but the kernel" {
	image trixie 6.18.1 6.18.1-1
	get_kernel 6.18 >"$BATS_TEST_TMPDIR/one" &
	get_kernel 6.18 >"$BATS_TEST_TMPDIR/two"
	wait
	cmp "$BATS_TEST_TMPDIR/one" "$BATS_TEST_TMPDIR/two"
	[ "$(grep -c 'download linux-image' "$ARCHIVE/calls")" = 1 ]
	[ "$(ls -A "$FIO_IOU_CACHE/kernels")" = ".lock
6.18.1-cloud-amd64" ]
}

@test "a download that fails leaves no kernel" {
	image trixie 6.18.1 6.18.1-1 split
	get_kernel --list | grep -q '^6.18.1-cloud-amd64 trixie 6.18.1-1$'
	rm "$ARCHIVE/trixie/linux-base-6.18.1-cloud-amd64.deb"
	run get_kernel 6.18
	[ "$status" = 1 ]
	[[ ${lines[-1]} = *"cannot download"*"no linux-base-6.18.1-cloud-amd64"* ]]
	[ "$(ls -A "$FIO_IOU_CACHE/kernels")" = .lock ]
}

@test "out of reach, the cache serves" {
	image trixie 6.18.1 6.18.1-1
	get_kernel 6.18
	rm -r "$FIO_IOU_CACHE/apt" "${ARCHIVE:?}"/trixie*
	run get_kernel 6.18
	got 6.18.1
	[[ $output = *"using the one in the cache"* ]]
	run get_kernel 6.19
	[ "$status" = 2 ]
}

@test "the archive is this machine's, and its apt is only read" {
	image trixie 6.18.1 6.18.1-1
	get_kernel --list
	grep -q ' http://mirror.example/debian/ trixie main$' "$FIO_IOU_CACHE/apt/trixie/sources.list"
	! grep -qE 'apt-get (-q )?(update|install)' "$ARCHIVE/calls" || false
}

@test "get-kernel --src: a revision of a tree, as a bzImage; a second compiles what differs" {
	tree=$BATS_TEST_TMPDIR/tree
	mkdir -p "$tree/arch/x86"
	: >"$tree/arch/x86/Makefile"
	echo one >"$tree/one.c"
	cat >"$tree/Makefile" <<-'EOF'
		.RECIPEPREFIX = |
		allnoconfig:
		|cp $(KCONFIG_ALLCONFIG) $(O)/.config
		bzImage: $(O)/one.o
		|mkdir -p $(O)/arch/x86/boot && cp $< $(O)/arch/x86/boot/bzImage
		$(O)/%.o: %.c
		|! grep -q BROKEN $<
		|echo $(ARCH) | cat - $< >$@
	EOF
	git -C "$tree" init -q
	for rev in A B; do
		git -C "$tree" add -A
		git -C "$tree" -c user.name=t -c user.email=t@example.org commit -qm $rev
		git -C "$tree" tag $rev
		echo two >>"$tree/one.c"
	done
	a=$("$top/scripts/get-kernel" --src "$tree@A")
	b=$("$top/scripts/get-kernel" --src "$tree@B")
	[ "$(<"$a")" = $'x86_64\none' ]
	[ "$(<"$b")" = $'x86_64\none\ntwo' ]
	[[ "$a" == */bzImage ]]
	# nothing was asked of the archive
	[ ! -e "$ARCHIVE/calls" ]
	run "$top/scripts/get-kernel" --src "$tree@C"
	[ "$status" = 2 ]
	[[ "$output" == *"has no revision 'C'" ]]
	run "$top/scripts/get-kernel" 6.12 --src "$tree@A"
	[ "$status" = 2 ]
}
