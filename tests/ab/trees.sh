# shellcheck shell=bash disable=SC2034
# A Linux tree with a slow-down planted in null_blk's completion, as two tags of
# a git repository: base, and slow. Made once, in the cache. Source it.
set -uo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$top" || exit 2
# shellcheck source-path=SCRIPTDIR source=../../scripts/lib.sh
. scripts/lib.sh
# shellcheck source-path=SCRIPTDIR source=../../scripts/apt.sh
. scripts/apt.sh
# shellcheck source-path=SCRIPTDIR source=../guest/tap.sh
. tests/guest/tap.sh
set +e
patch=$top/results/published/planted/slower.patch
tree=$iou_cache/planted/$(sha256sum "$patch" | cut -c1-8)/linux

# Of Linux 7.3, for which the patch was made, or else of the newest on offer: if
# it does not apply there, there is no "slow".
plant() {
	local tmp=$tree.new version suite package
	[ ! -e "$tree" ] || return 0
	rm -rf "$tmp"
	mkdir -p "$tmp/deb"
	read -r version suite package < <(scripts/uml-kernel --list |
		awk '{ newest = $0 } $1 ~ /^7\.3\./ { made_for = $0 }
			END { print made_for == "" ? newest : made_for }')
	apt_private "$suite" &&
	(cd "$tmp/deb" && apt_private_get "$suite" download "$package=$version" > log 2>&1) &&
	dpkg-deb --fsys-tarfile "$tmp"/deb/*.deb |
		tar -xO --wildcards './usr/src/linux-source-*.tar.xz' |
		tar -xJ -C "$tmp" --strip-components=1 &&
	rm -r "$tmp/deb" &&
	git -C "$tmp" init -q &&
	git -C "$tmp" add -f . &&
	commit base || return
	if git -C "$tmp" apply "$patch"; then
		git -C "$tmp" add -u && commit slow || return
	fi
	mv "$tmp" "$tree"
}
commit() {
	git -C "$tmp" -c user.name=test -c user.email=test@example.org commit -qm "$1" &&
	git -C "$tmp" tag "$1"
}

plant || { echo "Bail out! no Linux source to plant a slow-down in"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ab NAME ARGUMENT...: an A/B whose comparison is $work/NAME.json and .txt; the
# first gives its status in $rc.
ab() {
	local name=$1
	shift
	rc=0
	scripts/fio-iou ab -o "$work/$name" "$@" > "$work/$name.txt" 2> "$work/$name.err" || rc=$?
	[ "$rc" -lt 2 ] || diag "$(tail -n 5 "$work/$name.err")"
	# not ab once more: after a failure it would go on with the boots
	scripts/fio-iou compare --vary kernel --vary kernel.debug --format json \
		"$work/$name/pre" "$work/$name/post" > "$work/$name.json" 2> /dev/null
}
# verdicts NAME: of its rows, in a line.
verdicts() { jq -r '[.rows[].verdict] | join(" ")' "$work/$1.json"; }
