# shellcheck shell=bash disable=SC2034
# What every script here needs: where things are, one-line errors, and a way
# out that leaves nothing behind. Source it first:
#
#	set -euo pipefail
#	. "$(dirname "$(readlink -f "$0")")/lib.sh"

iou_top=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
iou_build=${FIO_IOU_BUILD:-$iou_top/build}
# Downloads that survive "make distclean": kernels, fio sources, kernel trees.
iou_cache=${FIO_IOU_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/fio-iou}
iou_name=fio-iou\ $(basename "$0")

# Exit codes, as everywhere in fio-iou: 1 the run says no, 2 the request is wrong.
die()  { printf '%s: %s\n' "$iou_name" "$*" >&2; exit 2; }
fail() { printf '%s: %s\n' "$iou_name" "$*" >&2; exit 1; }
warn() { printf '%s: warning: %s\n' "$iou_name" "$*" >&2; }
# What is being done, for whoever waits; never on stdout.
note() { printf '%s\n' "$*" >&2; }

# on_exit CMD...: run CMD on every way out, last registered first.
_iou_exit=()
_iou_run_exit() {
	local rc=$? _iou_i
	trap - EXIT
	trap '' INT TERM
	for ((_iou_i = ${#_iou_exit[@]} - 1; _iou_i >= 0; _iou_i--)); do
		eval "${_iou_exit[_iou_i]}" || :
	done
	exit "$rc"
}
on_exit() {
	local cmd
	printf -v cmd '%q ' "$@"
	_iou_exit+=("$cmd")
	trap _iou_run_exit EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
}

# iou_tmpdir VAR: a private folder in VAR, gone when the script ends.
iou_tmpdir() {
	local -n _dir=$1
	_dir=$(mktemp -d "${TMPDIR:-/tmp}/fio-iou.XXXXXX")
	on_exit rm -rf "$_dir"
}

# iou_child CMD...: run CMD, and on every way out end it and all that it started.
# bash itself would wait for it to end before it looks at a signal.
_iou_end_child() {
	[ -n "$_iou_child" ] || return 0
	kill -TERM -- "-$_iou_child" 2>/dev/null || return 0
	wait "$_iou_child" 2>/dev/null || :
}
iou_child() {
	local rc=0
	[ -v _iou_child ] || on_exit _iou_end_child
	set -m # a process group of its own, in which SIGINT is not ignored
	"$@" & _iou_child=$!
	set +m
	wait "$_iou_child" || rc=$?
	_iou_child=''
	return "$rc"
}

need_arg() { [ $# -ge 2 ] || die "$1 needs a value: try --help"; }
have() { command -v "$1" >/dev/null 2>&1; }
# need TOOL PACKAGE: a tool that must be there, and the package that brings it.
need() { have "$1" || die "$1 is missing: apt-get install $2"; }

# The value of a variable that configure wrote.
iou_config() {
	[ -r "$iou_build/config.mk" ] || die "not configured: run ./configure && make"
	sed -n "s/^$1 *:\{0,1\}= *//p" "$iou_build/config.mk" | head -n 1
}

# The fio that the engines were built for; another one would refuse them.
iou_fio() {
	local fio=${FIO:-}
	[ -n "$fio" ] || fio=$(iou_config FIO_BIN) || exit 2
	[ -x "$fio" ] || die "no fio at '$fio': run scripts/get-fio, then ./configure && make"
	printf '%s\n' "$fio"
}

# The processor here: what a guest's own /proc/cpuinfo does not say.
iou_cpu_model() { sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1; }

# iou_keep_off CPU...: sets keep_off, how a command begins that keeps to the other
# processors; empty where there is none that this may run on.
# shellcheck disable=SC2034
iou_keep_off() {
	local last i others=''
	keep_off=()
	{ read -r last </sys/devices/system/cpu/possible; } 2>/dev/null || return 0
	for ((i = 0; i <= ${last##*[-,]}; i++)); do
		case " $* " in *" $i "*) ;; *) others+=${others:+,}$i ;; esac
	done
	[ -z "$others" ] || ! taskset -c "$others" true 2>/dev/null || keep_off=(taskset -c "$others")
}

# What a guest cannot know of itself and its records need, as lines of a script.
# A kernel without CONFIG_SYSCTL has no boot_id.
iou_guest_facts() {
	printf 'export %q\n' "FIO_IOU_BOOT_ID=$(</proc/sys/kernel/random/uuid)" \
		"FIO_IOU_GUEST_HOST=$(iou_cpu_model)"
}
