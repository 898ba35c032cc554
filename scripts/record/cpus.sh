# shellcheck shell=bash disable=SC2034,SC2154
# Which CPUs a job runs on. After kv.sh and device.sh.

# cpus_expand VAR LIST: "0-2,8" to an array; fails on anything else.
cpus_expand() {
	local -n _cpus=$1
	local _part _i
	_cpus=()
	[[ $2 =~ ^[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*$ ]] || return 1
	for _part in ${2//,/ }; do
		[ $((10#${_part#*-})) -lt 65536 ] || return 1
		for ((_i = 10#${_part%-*}; _i <= 10#${_part#*-}; _i++)); do
			_cpus+=("$_i")
		done
	done
}

cpus_online() {
	local _online
	rd _online "$sysfs/devices/system/cpu/online"
	cpus_expand "$1" "$_online" || cpus_expand "$1" 0
}

_has() { local x=$1; shift; case " $* " in *" $x "*) return 0 ;; esac; return 1; }

# cpus_pick HOW [NODE]: sets cpus. HOW is "one" (the last CPU online: furthest
# from what the system does on CPU 0), "siblings" (two hyperthreads of one core)
# or "all". NODE is the device's NUMA node. cpus_note tells what
# could not be had.
cpus_pick() {
	local how=$1 node=${2-} online near=() list c sibs
	cpus_note=
	cpus_online online
	cpus=("${online[@]}")
	rd list "$sysfs/devices/system/node/node${node:-none}/cpulist"
	if cpus_expand near "$list"; then
		cpus=()
		for c in "${online[@]}"; do
			! _has "$c" "${near[@]}" || cpus+=("$c")
		done
		[ ${#cpus[@]} -gt 0 ] || cpus=("${online[@]}")
	fi
	case $how in
	one)	cpus=("${cpus[@]: -1}") ;;
	siblings)
		for ((c = ${#cpus[@]} - 1; c >= 0; c--)); do
			rd list "$sysfs/devices/system/cpu/cpu${cpus[c]}/topology/thread_siblings_list"
			cpus_expand sibs "$list" || continue
			[ ${#sibs[@]} -lt 2 ] || { cpus=("${sibs[@]:0:2}"); return; }
		done
		if [ ${#cpus[@]} -gt 1 ]; then
			cpus=("${cpus[@]: -2}")
			cpus_note="no SMT siblings here: taking two cores, CPUs ${cpus[0]} and ${cpus[1]}"
		else
			cpus_note="no second CPU here: both threads share CPU ${cpus[0]}"
		fi ;;
	esac
}

# cpus_check LIST: the user's own choice, in cpus.
cpus_check() {
	local online c
	cpus_expand cpus "$1" || die "-c '$1' is not a list of CPUs: try -c 0,2-3"
	cpus_online online
	for c in "${cpus[@]}"; do
		_has "$c" "${online[@]}" || die "CPU $c is not online: there are ${online[*]}"
	done
}

# cpus_check_node NODE DEVICE: say so when the CPUs are far from the device.
cpus_check_node() {
	local list near c far=()
	[ -n "$1" ] || return 0
	rd list "$sysfs/devices/system/node/node$1/cpulist"
	cpus_expand near "$list" || return 0
	for c in "${cpus[@]}"; do
		_has "$c" "${near[@]}" || far+=("$c")
	done
	[ ${#far[@]} -eq 0 ] ||
		warn "CPU ${far[*]} is not on NUMA node $1, where $2 is: choose from $list"
}
