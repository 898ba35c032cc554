# shellcheck shell=bash disable=SC2016
# For the tests of run and its parts: a build with a fio that says what it is
# told, machines made of files, and the schema.

top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
data=$top/tests/data/fio-output

# fake_build: a build folder whose fio copies $FAKE_OUT, $FAKE_ERR and
# $FAKE_REPORT where fio and the engine would write, and notes how it was called.
fake_build() {
	export FIO_IOU_BUILD=$BATS_TEST_TMPDIR/build FAKE=$BATS_TEST_TMPDIR
	mkdir -p "$FIO_IOU_BUILD"
	cat >"$FIO_IOU_BUILD/fio" <<-'EOF'
		#!/bin/bash
		case $1 in
		--version)	echo "${FAKE_VERSION:-fio-3.33}"; exit 0 ;;
		--enghelp=*)	echo 'split   : help'; exit 0 ;;
		esac
		echo "$*" >>"$FAKE/calls"
		env | grep -E '^(DEV|DEV2|CPU|RUNTIME|ENGINES)=' >>"$FAKE/env"
		for arg; do
			case $arg in
			--output=*) out=${arg#*=} ;;
			--section=*) section=${arg#*=} ;;
			esac
		done
		[ -z "$FAKE_DO" ] || eval "$FAKE_DO"
		[ -z "$FAKE_ERR" ] || cat "$FAKE_ERR" >&2
		sed "s/\"jobname\" : \"nop\"/\"jobname\" : \"$section\"/" "${FAKE_OUT:-/dev/null}" >"$out"
		[ -z "$FAKE_REPORT" ] || cat "$FAKE_REPORT" >>"$FIO_IOU_REPORT"
		exit "${FAKE_RC:-0}"
	EOF
	chmod +x "$FIO_IOU_BUILD/fio"
	printf '%s\n' "FIO_BIN := $FIO_IOU_BUILD/fio" 'FIO_VERSION := fio-3.33' \
		>"$FIO_IOU_BUILD/config.mk"
	echo v0 >"$FIO_IOU_BUILD/version"
	echo engine >"$FIO_IOU_BUILD/fio-iou_nop.so"
	export FAKE_OUT=$data/nop.json FAKE_REPORT=$data/nop.report FAKE_ERR='' FAKE_DO=''
	export FIO='' ENGINES=$FIO_IOU_BUILD FIO_IOU_RUNDIR=$BATS_TEST_TMPDIR/run
	mkdir -p "$FIO_IOU_RUNDIR"
}

# job NAME [LINE...]: a job file for it, $BATS_TEST_TMPDIR/NAME.fio.
job() {
	local name=$1
	shift
	{
		echo "# $name: a test"
		printf '%s\n' "$@"
	} >"$BATS_TEST_TMPDIR/$name.fio"
}
nop_job() {
	job nop '[global]' 'stonewall' 'ioengine=external:${ENGINES}/fio-iou_nop.so' \
		'[nop]' "$@"
}

file() { mkdir -p "${1%/*}" && printf '%s\n' "${@:2}" >"$1"; }

# fake_machine: two NVMe drives on node 1, four CPUs in two cores, and counters.
fake_machine() {
	local n d q c sys proc
	sys=$BATS_TEST_TMPDIR/sys proc=$BATS_TEST_TMPDIR/proc
	export FIO_IOU_SYSFS=$sys FIO_IOU_PROC=$proc
	for n in 0 1; do
		c=$sys/devices/pci/nvme$n d=$c/nvme${n}n1 q=$c/nvme${n}n1/queue
		mkdir -p "$q" "$c/hwmon1" "$c/pci" "$sys/class/block" "$sys/class/nvme" "$sys/class/nvme-generic/ng${n}n1"
		ln -s "$d" "$sys/class/block/nvme${n}n1"
		ln -s "$c" "$sys/class/nvme/nvme$n"
		ln -s "$c" "$d/device"
		ln -s "$c/pci" "$c/device"
		file "$c/serial" "S$n   "; file "$c/model" "Fake Drive   "; file "$c/firmware_rev" F1
		file "$c/address" "0000:0$n:00.0"; file "$c/numa_node" 1
		file "$c/hwmon1/temp1_input" 41850
		file "$c/pci/current_link_speed" "16.0 GT/s PCIe"; file "$c/pci/current_link_width" 4
		file "$d/nsid" 1; file "$d/size" 2048; file "$d/metadata_bytes" 0
		file "$d/stat" "100 0 800 0 50 0 400 0 0 0 0 7 0 0 0 0 0"
		file "$q/scheduler" "none [mq-deadline] kyber"; file "$q/iostats" 1
		file "$q/nomerges" 0; file "$q/wbt_lat_usec" 2000; file "$q/io_poll" 1
		file "$q/logical_block_size" 512; file "$q/nr_requests" 1023
	done
	file "$sys/module/nvme/parameters/poll_queues" 2
	file "$sys/module/nvme/parameters/write_queues" 0
	file "$sys/devices/system/cpu/online" 0-3
	for n in 0 1 2 3; do
		c=$sys/devices/system/cpu/cpu$n
		file "$c/topology/thread_siblings_list" "$((n % 2)),$((n % 2 + 2))"
		file "$c/cpufreq/scaling_governor" powersave
	done
	file "$sys/devices/system/cpu/vulnerabilities/meltdown" "Not affected"
	file "$sys/devices/system/cpu/intel_pstate/no_turbo" 0
	file "$sys/devices/system/node/node0/cpulist" 0,2
	file "$sys/devices/system/node/node1/cpulist" 1,3
	file "$proc/interrupts" \
		"            CPU0       CPU1" \
		" 24:          3          4   PCI-MSI 0-edge      nvme0q0" \
		" 25:        100         20   PCI-MSI 1-edge      nvme0q1" \
		" 26:          5          6   PCI-MSI 2-edge      nvme0q2" \
		" 27:          7          0   PCI-MSI 2-edge      nvme10q1" \
		" 28:          1          1   PCI-MSI 2-edge      nvme1q1"
	file "$proc/stat" "cpu  40 0 0 0 0 0 0 0 0 0" "cpu1 10 0 10 80 0 0 0 0 0 0" "cpu3 10 0 10 80 0 0 0 0 0 0" "intr 5"
	file "$proc/cpuinfo" "processor	: 0" "model name	: Fake CPU @ 3.00GHz" "microcode	: 0x1f" ""
	file "$proc/cmdline" "root=/dev/vda quiet"
	file "$proc/meminfo" "MemTotal:        1024 kB"
	file "$proc/sys/kernel/osrelease" 6.13.1-fake
	file "$proc/sys/kernel/version" "#1 SMP"
	file "$proc/sys/kernel/tainted" 0
	file "$proc/sys/kernel/random/boot_id" 01234567-89ab-cdef-0123-456789abcdef
}

run_jobs() { "$top/scripts/fio-iou" run "$@"; }

# conforms FILE: does the record say what schema.json wants?
conforms() { jq -e --slurpfile schema "$top/results/schema.json" -f "$top/tests/host/schema.jq" "$1"; }
