# shellcheck shell=bash disable=SC2034,SC2154
# --tune: settings for measuring, and the old ones back on every way out. Each
# old value is on file before its setting is touched, so that even after SIGKILL
# the next run, or "run --restore", can put it back. After kv.sh and device.sh.

tune_lock=

# tune_find: sets tune_state, the file that holds what was. Root's is in /run: a
# session's own folder goes with the session. FIO_IOU_RUNDIR is for tests.
tune_find() {
	local dir dirs=("${FIO_IOU_RUNDIR:-/run}")
	[ "$EUID" = 0 ] || [ -z "${XDG_RUNTIME_DIR:-}" ] || dirs=("$XDG_RUNTIME_DIR" "${dirs[@]}")
	for dir in "${dirs[@]}"; do
		tune_state=$dir/fio-iou/tune.state
		[ ! -s "$tune_state" ] || return 0
	done
	tune_state=${dirs[0]}/fio-iou/tune.state
}

# tune_claim: one run at a time. The lock dies with the run, the state does not.
tune_claim() {
	mkdir -p "${tune_state%/*}" 2>/dev/null ||
		die "cannot keep the state of --tune in ${tune_state%/*}: be root, or set XDG_RUNTIME_DIR"
	{ exec {tune_lock}>>"$tune_state.lock"; } 2>/dev/null ||
		die "cannot write $tune_state.lock, another user's: be root, or run without --tune"
	flock -n "$tune_lock" || die "another run is using --tune: wait for it to end"
}

# tune_read VAR FILE: the value in force, of those that a scheduler file shows.
tune_read() {
	local -n _value=$1
	rd _value "$2"
	[[ ! $_value =~ \[(.*)\] ]] || _value=${BASH_REMATCH[1]}
}

# tune_set NAME FILE VALUE
tune_set() {
	local old
	tune_read old "$2"
	[ -n "$old" ] || return 0
	tuned+=("$1" "$3")
	[ "$old" != "$3" ] || return 0
	printf '%s\t%s\n' "$2" "$old" >>"$tune_state"
	{ printf '%s\n' "$3" >"$2"; } 2>/dev/null ||
		die "cannot set $2 to '$3': be root, or run without --tune"
}

# tune_apply DEVICE...
tune_apply() {
	local dev q cpu
	tuned=()
	for dev; do
		device_find "$dev"
		[ -n "$dev_disk" ] || continue
		q=$sysfs/class/block/$dev_disk/queue
		# The scheduler first: changing it resets others.
		tune_set scheduler "$q/scheduler" none
		tune_set iostats "$q/iostats" 0
		tune_set nomerges "$q/nomerges" 2
		tune_set wbt "$q/wbt_lat_usec" 0
	done
	for cpu in "${cpus[@]}"; do
		tune_set governor "$sysfs/devices/system/cpu/cpu$cpu/cpufreq/scaling_governor" performance
	done
}

# tune_restore: in the order they were set; what fails stays on file.
tune_restore() {
	local file old now left=''
	[ -s "$tune_state" ] || { rm -f "$tune_state"; return 0; }
	while IFS=$'\t' read -r file old; do
		tune_read now "$file"
		[ "$now" != "$old" ] || continue
		{ printf '%s\n' "$old" >"$file"; } 2>/dev/null && continue
		warn "cannot put '$old' back into $file"
		left+=$file$'\t'$old$'\n'
	done <"$tune_state"
	if [ -n "$left" ]; then
		printf '%s' "$left" >"$tune_state"
		return 1
	fi
	rm -f "$tune_state"
}
