# shellcheck shell=bash
# TAP for tests that run inside a guest. Source it, call ok, is and like, and
# end with done_testing, whose status is the test's.

tap_nr=0 tap_bad=0

diag() { printf '%s\n' "$*" | sed 's/^/# /'; }

# ok NAME COMMAND...: does COMMAND succeed?
ok() {
	local name=$1
	shift
	tap_nr=$((tap_nr + 1))
	if "$@"; then
		printf 'ok %d - %s\n' $tap_nr "$name"
		return 0
	fi
	printf 'not ok %d - %s\n' $tap_nr "$name"
	tap_bad=$((tap_bad + 1))
	return 1
}

# is NAME GOT WANTED
is() {
	ok "$1" [ "$2" = "$3" ] || diag "got: $2
wanted: $3"
}

# like NAME TEXT PATTERN: does the extended regular expression match?
like() {
	local text=$2 pattern=$3
	ok "$1" grep -Eq -- "$pattern" <<<"$text" || diag "got: $text
wanted: $pattern"
}

skip() {
	tap_nr=$((tap_nr + 1))
	printf 'ok %d # SKIP %s\n' $tap_nr "$*"
}

done_testing() {
	echo "1..$tap_nr"
	[ $tap_bad = 0 ] || exit 1
	exit 0
}
