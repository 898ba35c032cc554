# shellcheck shell=bash disable=SC2034,SC2154
# For the tests of the engines: the fio that was configured, small jobs on
# files in the test's own folder, their results and their path reports.

top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
build=${FIO_IOU_BUILD:-$top/build}
fio=$(sed -n 's/^FIO_BIN *:= *//p' "$build/config.mk")

# Those that no device can refuse, and all.
any_engines=(plain defer iowq nop)
all_engines=(plain iopoll hybrid defer iowq nop)

# Every test in its own folder, with its own reports.
setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	export FIO_IOU_REPORT=$BATS_TEST_TMPDIR/report
}

engine() { printf 'external:%s/fio-iou_%s.so\n' "$build" "$1"; }

# iou ENGINE [OPTION...]: one job of that engine; a no-op needs no file.
iou() {
	local engine=$1
	shift
	[ "$engine" = nop ] || [[ " $*" == *" --filename="* ]] ||
		set -- --filename="$BATS_TEST_TMPDIR/data" "$@"
	# that clock needs no calibration, which takes longer than these jobs
	"$fio" --name=t --clocksource=clock_gettime --ioengine="$(engine "$engine")" \
		--size=1m "$@"
}

# iou_json ENGINE [OPTION...]: the same; fio's JSON in the file json.
iou_json() { iou "$@" --output-format=json --output=json; }

# is FILE FILTER: true of a JSON file, or say what it holds.
is() {
	jq -e "$2" "$1" >/dev/null && return
	echo "not so in $1: $2"
	jq -c . "$1" | head -c 3000
	return 1
}
# Of fio's result, and of all path reports as one array.
result() { is json "$1"; }
reports() { jq -s . "$FIO_IOU_REPORT" >reports && is reports "$1"; }

# lacks TEXT PATTERN...: none of them is in it.
lacks() {
	local text=$1 pattern
	shift
	for pattern; do
		if grep -E -- "$pattern" <<<"$text"; then
			echo "there is \"$pattern\" in it"
			return 1
		fi
	done
}

# refused TEXT COMMAND...: fails (with the number of jobs that did), says TEXT in
# one line of ours, says nothing of success, measures nothing, dies of nothing.
refused() {
	local text=$1 ours
	shift
	run "$@"
	echo "$output"
	[ "$status" -ge 1 ] && [ "$status" -le 8 ] || return 1
	ours=$(grep '^iou_' <<<"$output" | sort -u)
	[ "$(wc -l <<<"$ours")" = 1 ] || return 1
	grep -qF -- "$text" <<<"$ours" || { echo "does not say: $text"; return 1; }
	lacks "$output" Success 'IOPS=' 'signal' 'core dumped' || return 1
	[ ! -s "$FIO_IOU_REPORT" ]
}

# said_once: the line of refused() came once, not from every clone.
said_once() { [ "$(grep -c '^iou_' <<<"$output")" = 1 ]; }

# as_nobody DIR COMMAND...: where DIR is, as a user without privileges.
as_nobody() {
	local dir=$1
	shift
	(cd "$dir" && setpriv --reuid=65534 --regid=65534 --clear-groups \
		--bounding-set=-all --inh-caps=-all env -u FIO_IOU_REPORT "$@")
}

# public_dir VAR: a folder that anyone may use, with a copy of the engines and
# of fio: the tree that is tested may be its user's alone. Its user removes it.
public_dir() {
	local -n _public=$1
	_public=$(mktemp -d /tmp/fio-iou-test.XXXXXX)
	chmod 777 "$_public"
	cp "$build"/fio-iou_*.so "$fio" "$_public"
}
