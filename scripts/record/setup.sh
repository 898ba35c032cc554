# shellcheck shell=bash disable=SC2034,SC2154
# What is settled before a job runs: the fio, its devices, its CPUs, and the
# environment that its file reads. After all the others.

# Another fio lays out its structures otherwise, whatever its interface number.
check_fio() {
	local built head
	built=$(iou_config FIO_VERSION)
	fio=$(iou_fio)
	fio_version=$("$fio" --version 2>/dev/null) || die "$fio does not run"
	# Only a dynamic one names its loader, right after the ELF headers.
	mapfile -d '' -n 2000 head <"$fio"
	[[ ${head[0]} != $'\x7fELF'* || ${head[*]} == */ld* ]] ||
		die "$fio is linked statically and cannot load engines: build it without --build-static"
	[ "${fio_version#fio-}" = "${built#fio-}" ] ||
		die "$fio is $fio_version, the engines are built for ${built#fio-}: ./configure --with-fio=DIR && make"
}

check_device() {
	device_find "$1"
	if [ ! -e "$1" ] && [ "$dev_kind" = file ]; then
		die "there is no $1"
	elif [ -d "$1" ]; then
		die "$1 is a directory: give a device or a file"
	elif [ -e "$1" ] && [ ! -r "$1" ]; then
		die "$1 cannot be read: be root, or in the group that may"
	fi
}

# setup_job NAME: its text and sections, the devices it uses, its CPUs.
setup_job() {
	local how
	job_find "$1"
	job_parse
	job_check_engines
	job_others
	devices=() dev_numa='' cpus_note=''
	if job_uses DEV; then
		[ ${#all_devices[@]} -ge 1 ] || die "$job_name needs a device: give one with -d"
		devices+=("${all_devices[0]}")
	fi
	if job_uses DEV2; then
		[ ${#all_devices[@]} -ge 2 ] || die "$job_name needs two devices: give -d twice"
		devices+=("${all_devices[1]}")
	fi
	if [ ${#devices[@]} -gt 0 ]; then
		device_find "${devices[0]}"
		device_numa dev_numa
	fi
	if [ "$want_cpus" ]; then
		cpus_check "$want_cpus"
		return
	fi
	how=$(job_header cpus)
	how=${how%% *}
	case ${how:=one} in
	one|siblings|all) ;;
	*)	die "$job_file: its '# cpus: $how' is neither one, siblings nor all" ;;
	esac
	cpus_pick "$how" "$dev_numa"
}

# What makes this job's figures lower than they could be; of a device, once.
warn_job() {
	local dev node
	[ -z "$cpus_note" ] || warn "$job_name: $cpus_note"
	for dev in "${devices[@]}"; do
		device_find "$dev"
		device_numa node
		case " $warned " in
		*" $dev "*) continue ;;
		esac
		warned+=" $dev"
		cpus_check_node "$node" "$dev"
		[ -n "$tune" ] || [ -z "$(device_untuned)" ] ||
			warn "$dev_disk is not set up for measuring ($(device_untuned)): --tune does it"
	done
}

# The environment of fio, and where its main thread may run: that wakes a hundred
# times a second, and where the scheduler has it beside a job, one run is slower
# than the next. Jobs that are not pinned run where it may.
set_job_env() {
	local dev list name
	keep_off=()
	[ -z "$job_pinned" ] || iou_keep_off "${cpus[@]}"
	printf -v list '%s,' "${cpus[@]}"
	job_env=("ENGINES=$ENGINES" "RUNTIME=$seconds" "CPU=${list%,}")
	list=DEV
	for dev in "${devices[@]}"; do
		# fio takes a colon for the end of a file name.
		device_find "$dev"
		job_env+=("$list=${dev_path//:/\\:}")
		list=DEV2
	done
	# As many io-wq workers as CPUs, which is what the thread measured.
	! job_uses WORKERS || job_env+=("WORKERS=${WORKERS:-${#cpus[@]}}")
	for name in "${job_vars[@]}"; do
		job_env+=("$name=${!name}")
	done
}
