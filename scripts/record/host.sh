# shellcheck shell=bash disable=SC2034,SC2154
# What the record says of the machine, its kernel and the software. After kv.sh.

put_host() {
	local v='' f key='' list=() cpu sys=$sysfs/devices/system/cpu
	put host/cpu_model ''
	put host/microcode ''
	[ ! -r "$proc/cpuinfo" ] || mapfile -t -n 30 list <"$proc/cpuinfo"
	for v in "${list[@]}"; do
		f=${v%%:*} v=${v#*:}
		case $f in
		'model name'*)	put host/cpu_model "${v# }" ;;
		microcode*)	put host/microcode "${v# }" ;;
		'')		break ;;
		esac
	done
	put host/arch "$HOSTTYPE"
	cpus_online list;			putn host/cpus "${#list[@]}"

	list=()
	for cpu in "${cpus[@]}"; do
		rd v "$sys/cpu$cpu/topology/thread_siblings_list"
		[ -z "$v" ] || list+=("$v")
	done
	[ ${#list[@]} -eq 0 ] || puta host/siblings s "${list[@]}"

	key=
	for cpu in "${cpus[@]}"; do
		rd v "$sys/cpu$cpu/cpufreq/scaling_governor"
		case ,$key, in *",$v,"*) ;; *) key+=${key:+,}$v ;; esac
	done
	put host/governor "$key"

	rd v "$sys/intel_pstate/no_turbo"
	if [ -n "$v" ]; then
		v=$((1 - v))
	else
		rd v "$sys/cpufreq/boost"
	fi
	_put host/turbo b "$v"

	put host/mitigations ''
	for f in "$sys"/vulnerabilities/*; do
		rd v "$f"
		[ -z "$v" ] || put "host/mitigations/${f##*/}" "$v"
	done

	list=("$sysfs"/devices/system/node/node[0-9]*)
	[ ! -d "${list[0]}" ] || putn host/numa_nodes "${#list[@]}"
	rd v "$proc/meminfo"
	v=${v#MemTotal:}
	putn host/memory_kb "${v//[!0-9]/}"
}

# Debug options that cost time on this path, by their kernel names.
debug_options='^CONFIG_(KASAN|KCSAN|KMSAN|UBSAN|KFENCE|KCOV|GCOV_KERNEL|LOCKDEP|PROVE_LOCKING|PROVE_RCU|LOCK_STAT|DEBUG_LOCK_ALLOC|DEBUG_SPINLOCK|DEBUG_MUTEXES|DEBUG_RWSEMS|DEBUG_ATOMIC_SLEEP|DEBUG_PREEMPT|DEBUG_OBJECTS|DEBUG_KMEMLEAK|DEBUG_PAGEALLOC|DEBUG_LIST|DEBUG_SG|SLUB_DEBUG_ON|PAGE_POISONING|FAULT_INJECTION)=y$'

put_kernel() {
	local v config list=()
	# without CONFIG_SYSCTL, as in a small UML kernel, uname still knows
	rd v "$proc/sys/kernel/osrelease";	put kernel/release "${v:-$(uname -r)}"
	config=/boot/config-$v
	rd v "$proc/sys/kernel/version";	put kernel/version "${v:-$(uname -v)}"
	rd v "$proc/cmdline";			put kernel/cmdline "$v"
	rd v "$proc/sys/kernel/tainted";	putn kernel/taint "$v"
	put kernel/config_hash ''
	put kernel/debug ''
	if [ -r "$proc/config.gz" ] && gzip -dc "$proc/config.gz" >"$tmp/config" 2>/dev/null; then
		config=$tmp/config
	fi
	# In a guest the kernel has no version in the name of its config.
	[ -r "$config" ] || config=/boot/config
	if [ -r "$config" ]; then
		v=$(sha256sum -- "$config" 2>/dev/null) || v=
		put kernel/config_hash "${v%% *}"
		v=$(grep -E "$debug_options" "$config") || :
		[ -z "$v" ] || mapfile -t list <<<"$v"
		puta kernel/debug s "${list[@]%=y}"
	fi
}

# put_software FIO: the versions, and the hash of each engine the job names.
put_software() {
	local v key engine engines=() hashes
	put software/fio "$fio_version"
	rd v "$iou_build/version";		put software/version "$v"
	while IFS=$' \t:=' read -r key v; do
		case $key in
		IOU_COMMIT|COMMIT)	put software/commit "$v" ;;
		LIBURING_VERSION)	put software/liburing "$v" ;;
		LIBNVME_VERSION)	put software/libnvme "$v" ;;
		CC_VERSION)		put software/compiler "$v" ;;
		esac
	done <"$iou_build/config.mk"
	for engine in "${job_engine[@]}"; do
		engines+=("$ENGINES/fio-$engine.so")
	done
	put software/fio_hash ''
	put software/so_hash ''
	hashes=$(sha256sum -- "$1" "${engines[@]}" 2>/dev/null) || :
	while read -r v key; do
		engine=${key##*/fio-}
		case $key in
		"$1")	put software/fio_hash "$v" ;;
		*.so)	put "software/so_hash/${engine%.so}" "$v" ;;
		esac
	done <<<"$hashes"
}

# put_guest: said by whoever booted the guest, in FIO_IOU_GUEST.
put_guest() {
	local kind=none list v
	case ${FIO_IOU_GUEST:-} in
	tcg|kvm)	kind=qemu-$FIO_IOU_GUEST ;;
	icount|uml)	kind=$FIO_IOU_GUEST ;;
	esac
	put guest/kind "$kind"
	[ "$kind" != none ] || return 0
	put guest/accel "${FIO_IOU_GUEST_ACCEL:-}"
	put guest/version "${FIO_IOU_GUEST_VERSION:-}"
	# Counted instructions are the same on any processor.
	put guest/host_cpu ''
	[ "$kind" = icount ] || put guest/host_cpu "${FIO_IOU_GUEST_HOST:-}"
	cpus_online list;			putn guest/cpus "${#list[@]}"
	rd v "$proc/meminfo"
	v=${v//[!0-9]/}
	putn guest/memory_mb "${v:+$((v / 1024))}"
}
