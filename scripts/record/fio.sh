# shellcheck shell=bash disable=SC2034,SC2154
# One run of fio over the sections of a group, to its rows. Sets nothing in the
# job: what a job file reads is its environment (ENGINES, DEV, DEV2, CPU, RUNTIME).

fio_pid=

# fio_stop: end fio and its jobs, the hard way when they take more than 5 s.
fio_stop() {
	[ -n "$fio_pid" ] || return 0
	kill -TERM -- "-$fio_pid" 2>/dev/null || :
	# A word through the pipe is the all-clear.
	(read -r -t 5 -u "$tick" _ || kill -KILL -- "-$fio_pid") >/dev/null 2>&1 &
	wait "$fio_pid" 2>/dev/null || :
	echo ended >&"$tick"
	wait
	fio_pid=
}

# fio_wait LIMIT: until fio ends, showing what is left; sets fio_rc. "read" on a
# pipe that stays silent is a sleep without a process.
fio_wait() {
	local start=$SECONDS
	fio_late=false
	while kill -0 "$fio_pid" 2>/dev/null; do
		progress $((SECONDS - start))
		read -r -t 0.2 -u "$tick" _ || :
		if [ $((SECONDS - start)) -ge "$1" ] && [ "$fio_late" = false ]; then
			fio_late=true
			kill -KILL -- "-$fio_pid" 2>/dev/null || :
		fi
	done
	fio_rc=0
	wait "$fio_pid" || fio_rc=$?
	fio_pid=
}

# fio_run GROUP: what it did onto $tmp/runs, for fio.jq to read when all is over:
# until then the machine is left to fio. fio is in a process group of its own, to
# be stopped with all its jobs; paths in a job file are relative to the folder
# that run is called in, as with plain fio.
fio_run() {
	local section args=()
	while IFS= read -r section; do
		args+=("--section=$section")
	done <<<"${1//$'\t'/$'\n'}"
	: >"$tmp/fio.out"
	: >"$tmp/fio.report"

	kv=
	proof_take before
	(
		[ -z "$tune_lock" ] || exec {tune_lock}>&-
		exec {tick}>&-
		exec setsid env FIO_IOU_REPORT="$tmp/fio.report" "${job_env[@]}" \
			"${keep_off[@]}" "$fio" --output-format=json --output="$tmp/fio.out" --eta=never \
			--aux-path="$tmp/work" "${args[@]}" "$job_file"
	) </dev/null >"$tmp/fio.err" 2>&1 &
	fio_pid=$!
	fio_wait $((seconds * 4 + 300))
	proof_take after

	section=${1%%$'\t'*}
	printf '%s' "$kv" >"$tmp/fio.facts"
	printf '\x1f' >"$tmp/fio.end"
	{
		printf '%s\x1f' "$section" "${job_engine[$section]}" "$fio_rc" "$fio_late"
		cat "$tmp"/fio.{facts,end,out,end,err,end,report}
		printf '\x1e\n'
	} >>"$tmp/runs"
}
