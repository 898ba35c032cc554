# shellcheck shell=bash disable=SC2034,SC2154
# Proof of the path taken: counters read just before and just after fio runs.
# After kv.sh and device.sh; the CPUs are in cpus, the devices in devices.

# proof_prepare: what the snapshots read, worked out once, outside the run.
proof_prepare() {
	local dev v
	proof_ctrls=() proof_stats=() proof_poll=()
	for dev in "${devices[@]}"; do
		device_find "$dev"
		device_controllers
		proof_ctrls+=("${dev_ctrls[@]}")
		[ -n "$dev_disk" ] || continue
		queue_counts
		proof_poll+=("$q_poll")
		# With iostats off, or for passthrough that is not accounted,
		# the counters stand still: that is no proof of anything.
		v=iostats
		[ "$dev_kind" != char ] || v=iostats_passthrough
		rd v "$sysfs/class/block/$dev_disk/queue/$v"
		[ "${v:-0}" = 0 ] || proof_stats+=("$dev_disk")
		proof_disk=$dev_disk
	done
}

# proof_take WHEN: "before" or "after", into kv.
proof_take() {
	local line n=0 disk f
	if [ ${#proof_ctrls[@]} -gt 0 ]; then
		while read -r _ line; do
			n=$((n + ${line:-0}))
		done <<<"$(device_irqs "${proof_ctrls[@]}")"
		putn "nvme_irqs/$1" "$n"
	fi
	if [ ${#proof_stats[@]} -gt 0 ]; then
		n=0
		for disk in "${proof_stats[@]}"; do
			rd line "$sysfs/class/block/$disk/stat"
			# shellcheck disable=SC2206
			f=($line)
			n=$((n + ${f[0]:-0} + ${f[4]:-0} + ${f[11]:-0}))
		done
		putn "device_ios/$1" "$n"
	fi
	proof_cpu "$1"
	if [ "$1" = after ]; then
		putn poll_queues "${proof_poll[0]-}"
		rd line "$sysfs/class/block/${proof_disk:-none}/queue/io_poll"
		putn io_poll "$line"
	fi
}

# Ticks of the pinned CPUs, all and busy, and what this shell's children have
# used so far, in ms: with fio the only child in between, the rest was others'.
proof_cpu() {
	local name f total=0 busy=0 t c
	while read -r name f; do
		[[ $name == cpu* ]] || break
		_has "${name#cpu}" "${cpus[@]}" || continue
		# user nice system idle iowait irq softirq steal
		# shellcheck disable=SC2206
		f=($f)
		t=$((f[0] + f[1] + f[2] + f[5] + f[6] + f[7]))
		busy=$((busy + t))
		total=$((total + t + f[3] + f[4]))
	done <<<"$(grep ^cpu "$proc/stat" 2>/dev/null)"
	times >"$tmp/times"
	{ read -r _ _; read -r name f; } <"$tmp/times"
	t=0
	for c in "$name" "$f"; do
		[[ ! $c =~ ^([0-9]+)m([0-9]+)\.([0-9]{3})s$ ]] ||
			t=$((t + BASH_REMATCH[1] * 60000 + BASH_REMATCH[2] * 1000 + 10#${BASH_REMATCH[3]}))
	done
	putn "cpu/$1/total" "$total"
	putn "cpu/$1/busy" "$busy"
	putn "cpu/$1/own_ms" "$t"
}
