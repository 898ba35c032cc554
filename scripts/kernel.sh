# shellcheck shell=bash disable=SC2154
# Building guest kernels from source: User Mode Linux for scripts/uml, a bzImage
# for scripts/guest. Source it after lib.sh.
#
#	kernel_for um			# or x86_64
#	kernel_from_tree DIR@REV	# prints the image, and ends the script
#
# The files are built with a config of ours in a folder of ours: a tree is only
# ever read, and a second revision of it compiles what differs.

# kernel_for ARCH: set what the functions below build.
#	kernel_image	its file's name		kernel_root	where they are kept
kernel_for() {
	kernel_arch=$1
	case $1 in
	um)	kernel_dir=um kernel_image=linux kernel_made=linux
		kernel_needs=(IO_URING BLK_DEV_NULL_BLK HOSTFS)
		kernel_config=$iou_top/scripts/uml.config kernel_root=$iou_cache/uml ;;
	x86_64)	kernel_dir=x86 kernel_image=bzImage kernel_made=arch/x86/boot/bzImage
		kernel_needs=(IO_URING BLK_DEV_NULL_BLK BLK_DEV_NVME)
		kernel_config=$iou_top/scripts/x86.config kernel_root=$iou_cache/x86 ;;
	esac
	# What a different config built is a different kernel.
	kernel_root+=/$(sha256sum "$kernel_config" | cut -c1-8)
}

kernel_answer() { printf '%s\n' "$1"; exit 0; }
kernel_missing() { fail "$1 is not built: without --print it is"; }

kernel_build_tools() {
	need gcc gcc
	need make make
	need flex flex
	need bison bison
	need bc bc
	need xz xz-utils
}

# kernel_compile SRC OBJ LOG LABEL SUFFIX: an image in OBJ out of SRC, as far as
# OBJ lacks it; SUFFIX ends its release. Nothing of this machine or the hour
# goes into the kernel, so equal sources give equal files.
kernel_compile() {
	local src=$1 obj=$2 log=$3 label=$4 symbol
	local make=(make -C "$src" "ARCH=$kernel_arch" "O=$obj" "LOCALVERSION=$5" KBUILD_BUILD_VERSION=1
		KBUILD_BUILD_TIMESTAMP=@0 KBUILD_BUILD_USER=fio-iou KBUILD_BUILD_HOST=fio-iou)
	mkdir -p "$obj"
	note "$label: building (log: $log)"
	{
		KCONFIG_ALLCONFIG=$kernel_config "${make[@]}" allnoconfig &&
		"${make[@]}" "-j$(nproc)" "$kernel_image"
	} >"$log" 2>&1 </dev/null ||
		fail "$label did not build: $(grep -m 1 -i -E 'error|\*\*\*' "$log" || tail -n 1 "$log") (see $log)"
	for symbol in "${kernel_needs[@]}"; do
		grep -qx "CONFIG_$symbol=y" "$obj/.config" ||
			fail "$label: this kernel refuses CONFIG_$symbol, which a guest needs (see $obj/.config)"
	done
}

# kernel_place OBJ DIR: a finished kernel, whole or not at all.
kernel_place() {
	mkdir -p "$2"
	cp "$1/$kernel_made" "$2/.$kernel_image.$$"
	mv "$2/.$kernel_image.$$" "$2/$kernel_image"
}

# Git objects are read from DIR's store and written to ours alone.
_kernel_our_git() {
	GIT_DIR=$work/src/.git GIT_WORK_TREE=$work/src git "$@"
}

# The tree object of DIR at REV; without REV that of the files as they are.
_kernel_tree_of() {
	local dir=$1 rev=$2 index=$work/index
	if [ -n "$rev" ]; then
		git -C "$dir" rev-parse --verify --quiet "$rev^{tree}" ||
			die "$dir has no revision '$rev'"
		return
	fi
	cp "$(git -C "$dir" rev-parse --path-format=absolute --git-path index)" "$index" 2>/dev/null || :
	GIT_INDEX_FILE=$index GIT_OBJECT_DIRECTORY=$work/src/.git/objects \
		GIT_ALTERNATE_OBJECT_DIRECTORIES=$(git -C "$dir" rev-parse --path-format=absolute --git-path objects) \
		sh -c 'git -C "$1" add -A && git -C "$1" write-tree' - "$dir"
}

# One work folder for each tree; revisions are checked out in it in turn, so
# only files that differ get a new time and are compiled again.
_kernel_git_tree() {
	local dir=$1 rev=$2 label=$3 tree
	mkdir -p "$work/src"
	[ -d "$work/src/.git" ] || git init -q "$work/src"
	git -C "$dir" rev-parse --path-format=absolute --git-path objects >"$work/src/.git/objects/info/alternates"
	tree=$(_kernel_tree_of "$dir" "$rev")
	built=$work/${tree:0:12}
	[ ! -s "$built/$kernel_image" ] || kernel_answer "$built/$kernel_image"
	[ -z "$print" ] || kernel_missing "$label"
	kernel_build_tools
	_kernel_our_git read-tree -u --reset "$tree" || fail "$label: cannot check out $tree in $work/src"
	[ -f "$work/src/arch/$kernel_dir/Makefile" ] || die "$dir is not a Linux source tree: it has no arch/$kernel_dir"
	kernel_compile "$work/src" "$work/obj" "$built.log" "$label" "-${tree:0:12}"
	kernel_place "$work/obj" "$built"
}

_kernel_plain_tree() {
	local dir=$1 label=$2
	built=$work/plain
	[ -z "$print" ] || { [ -s "$built/$kernel_image" ] || kernel_missing "$label"; kernel_answer "$built/$kernel_image"; }
	kernel_build_tools
	[ -f "$dir/arch/$kernel_dir/Makefile" ] || die "$dir is not a Linux source tree: it has no arch/$kernel_dir"
	[ ! -e "$dir/.config" ] || die "$dir was configured in place, which rules out a build elsewhere: make mrproper there, or make it a git tree"
	kernel_compile "$dir" "$work/obj" "$work/plain.log" "$label" ''
	kernel_place "$work/obj" "$built"
}

# kernel_from_tree DIR[@REV] [only-print]: of a git tree the revision, or without
# one the files as they are.
kernel_from_tree() {
	local arg=$1 dir=$1 rev='' print=${2-} work built
	if [ ! -d "$dir" ]; then
		dir=${arg%@*} rev=${arg##*@}
		[ -d "$dir" ] || die "--src $arg: no such folder"
		[ -n "$rev" ] || die "--src $arg: no revision after the @"
	fi
	need git git
	need flock util-linux
	dir=$(readlink -f "$dir")
	work=$kernel_root/tree/$(basename "$dir")-$(printf %s "$dir" | sha256sum | cut -c1-8)
	mkdir -p "$work"
	exec 9>"$work/.lock"
	flock 9
	if [ "$(git -C "$dir" rev-parse --show-toplevel 2>/dev/null)" = "$dir" ]; then
		_kernel_git_tree "$dir" "$rev" "$arg"
	elif [ -n "$rev" ]; then
		die "--src $arg: $dir is not the top of a git tree"
	else
		_kernel_plain_tree "$dir" "$arg"
	fi
	kernel_answer "$built/$kernel_image"
}
