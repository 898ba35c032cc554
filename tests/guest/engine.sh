# shellcheck shell=bash disable=SC2034
# Running fio with our engines inside a guest. Source it after tap.sh.

work=$(mktemp -d)
cd "$work" || exit 2
here=/fio-iou/tests/guest

# run ARGUMENT...: fio, its JSON in out.json, its words in err, the path
# reports in reports, its status in $rc. It may take 60 s, and no more.
run() {
	rm -f out out.json err reports
	rc=0
	FIO_IOU_REPORT=$work/reports timeout -k 5 60 "$FIO" --output-format=json "$@" \
		>out 2>err || rc=$?
	# fio's warnings come first
	sed -n '/^{/,$p' out >out.json
}

# engine NAME ARGUMENT...: one job of that engine.
engine() {
	local name=$1
	shift
	run --name=t "--ioengine=external:$ENGINES/fio-iou_$name.so" "$@"
}

# Programs start slowly in an emulated machine, jq most of all: ask it for all
# there is to know at once.
# json FILTER: of fio's output; report FILTER: of all path reports as one list.
json() { jq -r "$1" out.json; }
report() { jq -rs "$1" reports; }

# facts FILTER [JQ-ARGUMENT...]: a test for each line of what jq says of $fio
# and $reports: its name, a tab, and what is wrong, which should be nothing.
facts() {
	local filter=$1 name wrong
	shift
	if jq -rn --slurpfile fio out.json --slurpfile reports reports "$@" \
		"$filter" >facts 2>&1; then
		while IFS=$'\t' read -r name wrong; do
			ok "$name" [ -z "$wrong" ] || diag "$wrong"
		done <facts
	else
		ok "facts: $(cat facts)" false
	fi
}

# refused NAME PATTERN: the last run was: one line of ours that matches, exit
# status 1, no signal, no I/O counted.
refused() {
	local name=$1 pattern=$2 ours wrong=''
	ours=$(grep '^iou_' err)
	[ "$(grep -c '^iou_' err)" = 1 ] || wrong+="lines of ours: $(cat err)
"
	grep -Eq -- "$pattern" <<<"$ours" || wrong+="said: $ours
wanted: $pattern
"
	[ "$rc" = 1 ] || wrong+="status $rc
"
	grep -Eiq 'success|got signal' err && wrong+="said: $(cat err)
"
	grep -Eq '"total_ios" : [1-9]' out && wrong+="it counted I/O
"
	ok "$name" [ -z "$wrong" ] || diag "$wrong"
}

# Interrupts of the I/O queues of an NVMe controller (nvme0) so far.
irqs() {
	awk -v q="${1}q[1-9]" '$NF ~ q { for (i = 2; $i ~ /^[0-9]+$/; i++) n += $i }
		END { print n + 0 }' /proc/interrupts
}

# Reads and writes that a disk (nvme0n1) has served: requests, merged or not.
served() { awk '{ print $1 + $2 + $5 + $6 }' "/sys/block/$1/stat"; }
