# shellcheck shell=bash disable=SC2034,SC2154
# Proof of the path taken: counters read just before and just after fio runs.
# After kv.sh and device.sh; the CPUs are in cpus, the devices in devices.

# proof_prepare: what the snapshots read, worked out once, outside the run.
proof_prepare() {
	local dev v
	proof_ctrls=() proof_poll='' proof_files=("$proc/stat" "$proc/interrupts")
	proof_queue=$sysfs/class/block/none/queue
	for dev in "${devices[@]}"; do
		device_find "$dev"
		proof_ctrls+=("${dev_ctrls[@]}")
		[ -n "$dev_disk" ] || continue
		queue_counts
		proof_poll=$q_poll
		proof_queue=$sysfs/class/block/$dev_disk/queue
		# With iostats off, or for passthrough that is not accounted,
		# the counters stand still: that is no proof of anything.
		v=iostats
		[ "$dev_kind" != char ] || v=iostats_passthrough
		rd v "$proof_queue/$v"
		[ "${v:-0}" = 0 ] || proof_files+=("$sysfs/class/block/$dev_disk/stat")
	done
}

# proof_take WHEN: "before" or "after", into kv.
proof_take() {
	local v
	kv+=$(awk -v ctrls="${proof_ctrls[*]}" -v cpus="${cpus[*]}" -v when="$1" \
		-f "$record/proof.awk" "${proof_files[@]}" 2>/dev/null)$'\n' || :
	children_ms v
	putn "cpu/$1/own_ms" "$v"
	[ "$1" = after ] || return 0
	putn poll_queues "$proof_poll"
	rd v "$proof_queue/io_poll"
	putn io_poll "$v"
}

# children_ms VAR: CPU time of this shell's children so far. With fio the only one
# between two looks, what else the pinned CPUs were busy with was others'.
children_ms() {
	local -n _ms=$1
	local user sys t
	times >"$tmp/times"
	{ read -r _ _; read -r user sys; } <"$tmp/times"
	_ms=0
	for t in "$user" "$sys"; do
		[[ ! $t =~ ^([0-9]+)m([0-9]+)[.,]([0-9]{3})s$ ]] ||
			_ms=$((_ms + BASH_REMATCH[1] * 60000 + BASH_REMATCH[2] * 1000 + 10#${BASH_REMATCH[3]}))
	done
}
