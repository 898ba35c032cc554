# shellcheck shell=bash
# What the measure and tables scripts of results/published share. A page is a
# folder: "measure" makes records/ anew, "tables" makes all else from records/.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/../../..")
cd "$here"
fio_iou=$top/scripts/fio-iou
compare=$top/build/fio-iou-compare
[ -x "$compare" ] || { echo "not built: run make" >&2; exit 2; }
export LC_ALL=C TZ=UTC

# anew [--resume]: a measure begins with no records, or goes on with those there.
anew() {
	[ "${1-}" = --resume ] || rm -rf records
}

tmp=''
trap '[ -z "$tmp" ] || rm -rf "$tmp"' EXIT

# boots N DIR GUEST-OPTION... -- COMMAND...: boot N guests, keep their records.
boots() {
	local n=$1 dir=$2 i guest=()
	shift 2
	while [ "$1" != -- ]; do guest+=("$1"); shift; done
	tmp=$dir/.boot
	mkdir -p "$dir"
	for ((i = 1; i <= n; i++)); do
		[ ! -e "$dir/.boot-$i" ] || continue
		echo "$dir: boot $i of $n" >&2
		rm -rf "$tmp"
		mkdir "$tmp"
		# a section that a kernel lacks fails, and that is on record too
		"$fio_iou" guest "${guest[@]}" --timeout 1800 --out "$tmp" "$@" > "$tmp/log" 2>&1 || :
		compgen -G "$tmp/*.json" > /dev/null || { tail "$tmp/log" >&2; exit 1; }
		mv "$tmp"/*.json "$dir/"
		rm -rf "$tmp"
		: > "$dir/.boot-$i"
	done
}
