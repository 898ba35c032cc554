# shellcheck shell=bash disable=SC2034,SC2154
# What a job's device is, and how its queues are set up, from sysfs. After kv.sh.

# device_find PATH: sets dev_path (links followed), dev_name, dev_kind (block, char,
# file), dev_disk (the disk whose queue/ rules: an ng node's block twin, a
# partition's disk, the disk under a file; or empty) and dev_ctrls (its NVMe
# controllers, several where it is multipath). Each device is looked up once.
declare -A device_found=()
device_find() {
	if [ -z "${device_found[$1]-}" ]; then
		device_look "$1"
		device_found[$1]=$dev_path$'\t'$dev_kind$'\t'${dev_disk:--}$'\t'${dev_ctrls[*]}
		return
	fi
	IFS=$'\t' read -r dev_path dev_kind dev_disk dev_ctrls <<<"${device_found[$1]}"
	IFS=' ' read -r -a dev_ctrls <<<"$dev_ctrls"
	dev_name=${dev_path##*/} dev_disk=${dev_disk#-}
}

device_look() {
	local path
	path=$(readlink -f -- "$1") || path=$1
	dev_path=$path dev_name=${path##*/} dev_kind=file dev_disk='' dev_ctrls=()
	if [ -d "$sysfs/class/nvme-generic/$dev_name" ] && [ ! -f "$path" ]; then
		dev_kind=char
		dev_disk=${dev_name/#ng/nvme}
	elif [ -d "$sysfs/class/block/$dev_name" ] && [ ! -f "$path" ]; then
		dev_kind=block
		dev_disk=$dev_name
	else
		dev_disk=$(disk_under "$path") || :
	fi
	[ -n "$dev_disk" ] || return 0
	disk_of_partition
	controllers_of_disk
}

# The disk under a regular file, from its device number.
disk_under() {
	local d link
	d=$((16#$(stat -c %D -- "$1" 2>/dev/null || echo 0)))
	link=$sysfs/dev/block/$(((d >> 8) & 0xfff)):$(((d & 0xff) | ((d >> 12) & 0xfff00)))
	[ -e "$link" ] || return 1
	link=$(readlink -f "$link")
	printf '%s\n' "${link##*/}"
}

disk_of_partition() {
	local link
	[ -e "$sysfs/class/block/$dev_disk/partition" ] || return 0
	link=$(readlink -f "$sysfs/class/block/$dev_disk")
	link=${link%/*}
	dev_disk=${link##*/}
}

controllers_of_disk() {
	local link c
	link=$(readlink -f "$sysfs/class/block/$dev_disk/device" 2>/dev/null) || return 0
	case ${link##*/} in
	nvme-subsys*)
		for c in "$link"/nvme[0-9]*; do
			c=${c##*/}
			[[ ! $c =~ ^nvme[0-9]+$ ]] || dev_ctrls+=("$c")
		done ;;
	nvme*)	dev_ctrls=("${link##*/}") ;;
	esac
}

# queue_counts: sets q_poll, q_read, q_default. debugfs counts the queues of each
# kind; without it there is only what the module was asked for.
queue_counts() {
	local h t
	q_poll='' q_read='' q_default=''
	if [ -e "$sysfs/kernel/debug/block/$dev_disk/hctx0/type" ]; then
		q_poll=0 q_read=0 q_default=0
		for h in "$sysfs/kernel/debug/block/$dev_disk"/hctx*/type; do
			rd t "$h"
			case $t in
			poll)		q_poll=$((q_poll + 1)) ;;
			read)		q_read=$((q_read + 1)) ;;
			default)	q_default=$((q_default + 1)) ;;
			esac
		done
		return
	fi
	case $dev_disk in
	nvme*)	rd q_poll "$sysfs/module/nvme/parameters/poll_queues"
		rd q_default "$sysfs/module/nvme/parameters/write_queues" ;;
	nullb*)	rd1 q_poll "$sysfs/kernel/config/nullb/$dev_disk/poll_queues" \
			"$sysfs/module/null_blk/parameters/poll_queues" ;;
	esac
}

# device_numa: the node of dev_disk, empty when it has none.
device_numa() {
	local -n _node=$1
	rd1 _node "$sysfs/class/nvme/${dev_ctrls[0]:-none}/numa_node" \
		"$sysfs/class/block/$dev_disk/device/numa_node" \
		"$sysfs/class/block/$dev_disk/device/device/numa_node"
	[ "$_node" != -1 ] || _node=
}

# device_temperature VAR: degrees, one decimal.
device_temperature() {
	local -n _temp=$1
	local c=$sysfs/class/nvme/${dev_ctrls[0]:-none}
	rd1 _temp "$c"/hwmon*/temp1_input "$c"/device/hwmon/hwmon*/temp1_input
	[ -z "$_temp" ] || _temp=$((_temp / 1000)).$((_temp % 1000 / 100))
}

# put_device INDEX PATH: everything the record says of a device.
put_device() {
	local p=device/$1 q d c v irqs=()
	device_find "$2"
	queue_counts
	q=$sysfs/class/block/${dev_disk:-none}/queue d=$sysfs/class/block/${dev_disk:-none}
	c=$sysfs/class/nvme/${dev_ctrls[0]:-none}

	put "$p/name" "$dev_name"
	put "$p/kind" "$dev_kind"
	rd1 v "$d/device/serial" "$d/serial";	put "$p/serial" "$v"
	rd v "$d/device/model";			put "$p/model" "$v"
	rd1 v "$d/device/firmware_rev" "$d/device/rev"; put "$p/firmware" "$v"
	rd v "$d/nsid";				putn "$p/nsid" "$v"
	case $dev_disk in
	nvme*)	v=nvme ;;
	nullb*)	v=null_blk ;;
	*)	v=$(readlink "$d/device/driver" 2>/dev/null) || : ;;
	esac
	put "$p/driver" "${v##*/}"
	rd v "$c/address";			put "$p/pci" "$v"
	rd v "$d/size";				putn "$p/size" "${v:+$((v * 512))}"
	rd v "$q/logical_block_size";		putn "$p/lba_size" "$v"
	rd v "$d/metadata_bytes";		putn "$p/metadata_size" "$v"
	rd v "$q/io_poll";			putn "$p/io_poll" "$v"
	putn "$p/poll_queues" "$q_poll"
	putn "$p/read_queues" "$q_read"
	putn "$p/write_queues" "$q_default"
	rd v "$q/nr_requests";			putn "$p/queue_depth" "$v"
	rd v "$q/scheduler"
	[[ ! $v =~ \[(.*)\] ]] || v=${BASH_REMATCH[1]}
	put "$p/scheduler" "$v"
	rd v "$q/iostats";			putn "$p/iostats" "$v"
	rd v "$q/nomerges";			putn "$p/nomerges" "$v"
	rd v "$q/wbt_lat_usec";			putn "$p/wbt" "$v"
	if [ ${#dev_ctrls[@]} -gt 0 ]; then
		v=$(awk -v ctrls="${dev_ctrls[*]}" -v what=irqs -f "$record/proof.awk" \
			"$proc/interrupts" 2>/dev/null)
		[ -z "$v" ] || mapfile -t irqs <<<"$v"
		puta "$p/irqs" n "${irqs[@]}"
	fi
	# A drive that has no link says Unknown and 0.
	rd v "$c/device/current_link_speed";	put "$p/link/speed" "${v#Unknown}"
	rd v "$c/device/current_link_width";	putn "$p/link/width" "${v#0}"
	device_numa v;				putn "$p/numa_node" "$v"
	device_temperature v;			putn "$p/temperature/before" "$v"
}

# device_untuned: the settings of dev_disk that cost time in a measurement.
device_untuned() {
	local q=$sysfs/class/block/${dev_disk:-none}/queue v found=''
	rd v "$q/scheduler"
	[[ ! $v =~ \[(.*)\] ]] || [ "${BASH_REMATCH[1]}" = none ] || found+=" scheduler ${BASH_REMATCH[1]},"
	rd v "$q/iostats";	[ "${v:-0}" = 0 ] || found+=" iostats $v,"
	rd v "$q/nomerges";	[ "${v:-2}" = 2 ] || found+=" nomerges $v,"
	rd v "$q/wbt_lat_usec";	[ "${v:-0}" = 0 ] || found+=" wbt_lat_usec $v,"
	found=${found# }
	printf '%s\n' "${found%,}"
}
