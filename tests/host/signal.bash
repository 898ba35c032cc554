# shellcheck shell=bash
# For tests of what a signal ends.

# ended_by SIGNAL FILE COMMAND...: sends it as soon as COMMAND has written FILE, and
# the status is that of a script which the signal ended.
ended_by() {
	local sig=$1 file=$2 pid rc=0
	shift 2
	rm -f "$file"
	# What a script starts in the background ignores SIGINT otherwise.
	env --default-signal=INT "$@" 3>&- &
	pid=$!
	for _ in {1..50}; do [ -s "$file" ] && break; sleep 0.1; done
	kill "-$sig" "$pid"
	wait "$pid" || rc=$?
	echo "$sig: $rc" >&2
	[ "$rc" = $((128 + $(kill -l "$sig"))) ]
}
