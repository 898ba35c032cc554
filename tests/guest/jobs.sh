#!/usr/bin/env bash
# In a guest with three NVMe devices: every job file runs with fio alone, given
# no more of an environment than its header names, and does I/O in each section.
set -uo pipefail
# shellcheck source=tap.sh
. "$(dirname "$0")/tap.sh"
# shellcheck source=engine.sh
. "$(dirname "$0")/engine.sh"

# job FILE [NAME=VALUE...]: what is given, of what the header names.
job() {
	local file=$1 given=() pair names
	shift
	names=" $(sed -n 's/^# env: *//p' "$file") "
	for pair; do
		[[ $names != *" ${pair%%=*} "* ]] || given+=("$pair")
	done
	is "$title: nothing else is asked for" "$(wc -w <<<"$names")" ${#given[@]}
	rm -f out out.json err reports
	rc=0
	env -i PATH="$PATH" FIO_IOU_REPORT="$work/reports" "${given[@]}" \
		timeout -k 5 60 "$FIO" --output-format=json "$file" >out 2>err || rc=$?
	sed -n '/^{/,$p' out >out.json
	is "$title: ends well" "$rc" 0 || diag "$(cat err)"
	# Clones report as one job, and so do sections of one name.
	# shellcheck disable=SC2016
	facts '($fio[0].jobs[] | "\($title): section \(.jobname)\t\(
			if .error == 0 and .read.total_ios + .write.total_ios > 0 then ""
			else "error \(.error), \(.read.total_ios) reads" end)"),
		"\($title): no thread met an error\t\(
			$reports | map(select(.errors > 0 or .error != 0) | .job) | join(" "))",
		"\($title): a report of each of \($threads) threads\t\(
			$reports | length | if . == $threads then "" else "\(.)" end)"' \
		--arg title "$title" --argjson threads "$(threads "$file")"
}
# threads FILE: the sum of its sections' numjobs.
threads() {
	awk '/^\[/ { n += more; more = !/^\[global\]/ } /^numjobs=/ { more = substr($0, 9) }
		END { print n + more }' "$1"
}

here=/fio-iou/jobs
for file in "$here"/*.fio; do
	name=$(basename "$file" .fio)
	title=$name runtime=1
	[ "$name" != hybrid ] || runtime=300ms
	env=(ENGINES="$ENGINES" CPU=0-1 "RUNTIME=$runtime" WORKERS=2)
	case $name in
	verify)	for dev in nvme1n1 ng1n1; do
			title="$name on $dev"
			job "$file" "${env[@]}" DEV=/dev/$dev
		done ;;
	*)	job "$file" "${env[@]}" DEV=/dev/nvme0n1 DEV2=/dev/nvme2n1 ;;
	esac
	case $name in
	peak-2-threads)
		is "$name: a device for each, and read" \
			"$(report 'map(select(.requests > 0) | .files[].name) | sort | join(" ")')" \
			"/dev/nvme0n1 /dev/nvme2n1" ;;
	iowq)	is "$name: WORKERS is the limit" "$(report 'map(.iowq.bounded) | unique | join(" ")')" 2 ;;
	esac
	diag "$(report '.[] | "\(.job) \(.engine): \(.requests) requests, \(
		.requests_per_enter * 10 | round / 10) per enter, \(
		.completions_per_reap.mean * 10 | round / 10) per reap"' | sort | uniq)"
done
done_testing
