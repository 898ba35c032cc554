#!/usr/bin/env bats
# How fio's output becomes rows, and a machine's facts a record.

load record.bash

# rows NAME [RC]: what fio.jq makes of a fixture; of files in $BATS_TEST_TMPDIR
# where they are there, named out, err and report.
rows() {
	local f out=/dev/null err=/dev/null report=/dev/null
	[ ! -e "$data/$1.json" ] || out=$data/$1.json
	[ ! -e "$data/$1.err" ] || err=$data/$1.err
	[ ! -e "$data/$1.report" ] || report=$data/$1.report
	for f in out err report; do
		[ ! -e "$BATS_TEST_TMPDIR/$f" ] || printf -v "$f" '%s' "$BATS_TEST_TMPDIR/$f"
	done
	{
		printf '%s\x1f' "${section:-s}" "${engine:-null}" "${2:-0}" "${late:-false}" "${facts:-}"
		cat "$out" <(printf '\x1f') "$err" <(printf '\x1f') "$report"
	} | jq -R -s -c -L "$top/scripts/record" "include \"fio\"; rows(${icount:-false})"
}
is() { jq -e "$1" <<<"$output" >/dev/null || { echo "not so: $1"; jq 'del(.[].fio)' <<<"$output"; return 1; }; }
# A failed row has its reason and not one figure.
no_figures() {
	is 'length == 1 and (.[0] | .iops == null and .bw == null and .lat_ns == null
		and .usr_cpu == null and .sys_cpu == null and .ctx == null and .runtime_ms == null and .fio == null)'
}
tmp() { cat >"$BATS_TEST_TMPDIR/$1"; }

@test "IOPS are fio's I/Os times split; zeros of gtod_reduce are no latency" {
	engine=iou_nop run rows nop
	is '.[0] | .error == null and .lat_ns == null and .bw == null and .engine == "iou_nop"'
	is '.[0] | (.iops - .fio.read.total_ios * 32 * 1000 / .fio.read.runtime | fabs) < 1e-6'
	is '.[0] | .insn_per_io == null and .reports[0].split == 32'
	is '.[0].proof | .flags_required == ["DEFER_TASKRUN", "SINGLE_ISSUER"] and (.flags_granted | index("DEFER_TASKRUN")) != null'
}

@test "icount: instructions per I/O" {
	engine=iou_nop icount=true run rows nop
	is '.[0] | (.insn_per_io * .iops - 1e9 | fabs) < 1'
	# by the engine's own clock, where fio's is rounded up to a millisecond
	local ms
	ms=$(jq '.jobs[0].read.runtime' "$data/nop.json")
	jq -c ".elapsed_ns = $ms * 1000000 - 123456" "$data/nop.report" | tmp report
	engine=iou_nop icount=true run rows nop
	is ".[0] | .insn_per_io == ($ms * 1000000 - 123456) / (.fio.read.total_ios * 32)"
	# but not where that is of another span, as with loops=
	jq -c ".elapsed_ns = $ms * 2000000" "$data/nop.report" | tmp report
	engine=iou_nop icount=true run rows nop
	is '.[0] | (.insn_per_io * .iops - 1e9 | fabs) < 1'
}

@test "latencies of one direction, and a mean alone of two" {
	run rows read
	is '.[0] | .error == null and .lat_ns.mean == .fio.read.lat_ns.mean and .lat_ns.p99 == .fio.read.clat_ns.percentile["99.000000"] and .lat_ns.p50 > 0'
	is '.[0] | .bw > 0 and (.bw / .iops - 4096 | fabs) < 1e-6'
	run rows mixed
	is '.[0] | .error == null and .lat_ns.mean > 0 and .lat_ns.p50 == null'
	is '.[0] | (.iops - (.fio.read.total_ios + .fio.write.total_ios) * 1000 / ([.fio.read.runtime, .fio.write.runtime] | max) | fabs) < 1e-6'
}

@test "without disk_util" {
	jq 'del(.disk_util)' "$data/read.json" | tmp out
	run rows read
	is '.[0].error == null and .[0].iops > 0'
}

@test "several jobs are several rows" {
	run rows two
	is 'map(.section) == ["a", "b"] and all(.[]; .error == null and .iops > 0)'
}

@test "several objects: the last one counts" {
	run rows status
	is 'length == 1 and .[0].error == null and .[0].fio.job_runtime >= 2000'
}

@test "harmless text before and after the object" {
	{ echo 'fio: file hash not empty on exit'; cat "$data/read.json"; echo 'done'; } | tmp out
	run rows read
	is '.[0].error == null and .[0].iops > 0'
}

@test "names and text beyond ASCII" {
	{ echo 'fio: größer — als'; sed 's/"filename" : "data"/"filename" : "données é"/' "$data/read.json"; echo 'fin, très bien'; } | tmp out
	grep -q données "$BATS_TEST_TMPDIR/out"
	run rows read
	is '.[0].error == null and .[0].iops > 0'
}

@test "an error in text before the object fails the row, with that text" {
	{ cat "$data/error.err" "$data/error.json"; } | tmp out
	: | tmp err
	run rows error 1
	no_figures
	is '.[0].error | test("^fio: io_u error on file .*Operation not supported")'
}

@test "an error in text after the object, though fio exits 0" {
	{ cat "$data/read.json"; echo 'fio: io_u error on file x: Input/output error'; } | tmp out
	run rows read
	no_figures
	is '.[0].error | test("Input/output error")'
}

@test "text glued to the brace" {
	{ printf 'fio: verify error at 0: '; cat "$data/read.json"; } | tmp out
	run rows read
	no_figures
	is '.[0].error == "fio: verify error at 0:"'
}

@test "a job's error, with the exit status alone or not at all" {
	: | tmp err
	run rows error 1
	no_figures
	is '.[0].error == "fio says error 95 and exit status 1, nothing more"'
	run rows error 0
	no_figures
}

@test "got signal: fio exits 0 and its JSON says no error" {
	run rows signal 0
	no_figures
	is '.[0].error | test("got signal=11")'
}

@test "truncated anywhere: never half a row" {
	local size cut
	size=$(wc -c <"$data/read.json")
	for cut in 1 2 20 $((size / 4)) $((size / 2)) $((size - 3)); do
		head -c "$cut" "$data/read.json" | tmp out
		run rows read 0
		no_figures
		is '.[0].error | length > 0'
	done
	is '.[0].error == "fio'"'"'s output ends in the middle (exit status 0)"'
}

@test "a whole object, then half of one" {
	{ cat "$data/read.json"; head -c 700 "$data/read.json"; } | tmp out
	run rows read
	no_figures
}

@test "empty, and text without any object" {
	run rows nothing 3
	no_figures
	is '.[0].error == "fio printed no result (exit status 3)"'
	echo 'fio: engine x not loadable' | tmp err
	run rows nothing 1
	no_figures
	is '.[0].error == "fio: engine x not loadable"'
}

@test "the engine's own line is the reason, whatever fio adds" {
	printf '%s\n' 'something else' 'fio: pid=1, err=22/file:x.c:1, func=init, error=Invalid argument' \
		'iou_hybrid: /dev/nvme0n1 has no poll queues' | tmp err
	engine=iou_hybrid run rows nothing 1
	no_figures
	is '.[0] | .error == "iou_hybrid: /dev/nvme0n1 has no poll queues" and .engine == "iou_hybrid"'
}

@test "no I/O, an error in a report, and no report at all" {
	jq '.jobs[].read |= (.total_ios = 0 | .runtime = 0)' "$data/read.json" | tmp out
	run rows read
	no_figures
	is '.[0].error == "no I/O was done"'
	rm "$BATS_TEST_TMPDIR/out"
	jq -c '.error = 95' "$data/nop.report" | tmp report
	engine=iou_nop run rows nop
	no_figures
	: | tmp report
	engine=iou_nop run rows nop
	no_figures
	is '.[0].error | test("no path report")'
}

@test "a fio that was stopped for being late" {
	late=true run rows nop 137
	no_figures
	is '.[0].error | test("did not end in time")'
}

@test "reports of several threads: what all were granted, the workers of all" {
	local r
	r=$(jq -c '.iowq = {workers_seen: 2}' "$data/nop.report")
	{ echo "$r"; jq -c '.ring.granted |= map(select(. != "NO_SQARRAY"))' <<<"$r"; } | tmp report
	engine=iou_nop run rows nop
	is '.[0].proof | .iowq_workers == 4 and .flags_granted == ["CQSIZE", "SINGLE_ISSUER", "DEFER_TASKRUN"]'
}

@test "CPU use of others is what was busy and not fio" {
	facts=$'cpu/before/total\tn\t100\ncpu/before/busy\tn\t20\ncpu/before/own_ms\tn\t5\ncpu/after/total\tn\t300\ncpu/after/busy\tn\t170\ncpu/after/own_ms\tn\t1005\n'
	run rows read
	is '.[0].proof.other_cpu_pct == 25'
	facts=${facts/1005/9005} run rows read
	is '.[0].proof.other_cpu_pct == 0'
}

# facts_of CODE [DEVICE...]: what CODE puts into kv.
facts_of() {
	local code=$1
	shift
	local iou_top=$top iou_build=$BATS_TEST_TMPDIR/build tmp=$BATS_TEST_TMPDIR ENGINES=$BATS_TEST_TMPDIR/build
	local record=$top/scripts/record part fio_version=fio-3.33 cpus=(1 3) devices=("$@")
	# job.sh and cpus.sh are tested through run.
	for part in kv cpus device job host proof; do
		# shellcheck disable=SC1090
		. "$top/scripts/record/$part.sh"
	done
	declare -A job_engine=([nop]=iou_nop)
	kv=
	eval "$code"
	jq -n -L "$top/scripts/record" --arg k "$kv" 'include "kv"; $k | kv'
}

@test "a device's facts, from a fake machine" {
	fake_machine
	run facts_of 'put_device 0 /dev/nvme0n1'
	is '.device[0] | .name == "nvme0n1" and .kind == "block" and .serial == "S0" and .model == "Fake Drive" and .firmware == "F1"'
	is '.device[0] | .nsid == 1 and .lba_size == 512 and .size == 1048576 and .metadata_size == 0 and .driver == "nvme" and .pci == "0000:00:00.0"'
	is '.device[0] | .scheduler == "mq-deadline" and .iostats == 1 and .nomerges == 0 and .wbt == 2000 and .io_poll == 1'
	is '.device[0] | .poll_queues == 2 and .write_queues == 0 and .read_queues == null and .irqs == [25, 26]'
	is '.device[0] | .link == {speed: "16.0 GT/s PCIe", width: 4} and .numa_node == 1 and .temperature.before == 41.8'
}

@test "a link that is none is null" {
	fake_machine
	file "$FIO_IOU_SYSFS/class/nvme/nvme0/device/current_link_speed" Unknown
	file "$FIO_IOU_SYSFS/class/nvme/nvme0/device/current_link_width" 0
	run facts_of 'put_device 0 /dev/nvme0n1'
	is '.device[0].link == {speed: null, width: null}'
}

@test "passthrough: the node is named, the block twin's queue is read" {
	fake_machine
	run facts_of 'put_device 0 /dev/ng1n1'
	is '.device[0] | .name == "ng1n1" and .kind == "char" and .serial == "S1" and .irqs == [28] and .scheduler == "mq-deadline"'
}

@test "queues by kind, where debugfs tells" {
	local i
	fake_machine
	for i in 0 1 2 3 4; do
		file "$FIO_IOU_SYSFS/kernel/debug/block/nvme0n1/hctx$i/type" "$([ $i -lt 2 ] && echo default || echo poll)"
	done
	run facts_of 'put_device 0 /dev/nvme0n1'
	is '.device[0] | .poll_queues == 3 and .read_queues == 0 and .write_queues == 2'
}

@test "a drive behind several controllers counts the interrupts of all" {
	fake_machine
	mkdir -p "$FIO_IOU_SYSFS/devices/sub/nvme-subsys0"/{nvme0,nvme1,nvme0c0n1}
	ln -sfn "$FIO_IOU_SYSFS/devices/sub/nvme-subsys0" "$FIO_IOU_SYSFS/class/block/nvme0n1/device"
	run facts_of 'put_device 0 /dev/nvme0n1'
	is '.device[0].irqs == [25, 26, 28]'
}

@test "what cannot be read is null" {
	export FIO_IOU_SYSFS=$BATS_TEST_TMPDIR/none FIO_IOU_PROC=$BATS_TEST_TMPDIR/none
	run facts_of 'put_device 0 /dev/nvme0n1'
	is '.device[0] | del(.name, .kind) | [.. | scalars] | all(. == null)'
	run facts_of 'put_host'
	is '.host | .cpu_model == null and .microcode == null and .governor == null and .turbo == null and .mitigations == null and .memory_kb == null'
}

@test "the host's facts" {
	fake_machine
	run facts_of 'put_host'
	is '.host | .cpu_model == "Fake CPU @ 3.00GHz" and .microcode == "0x1f" and .cpus == 4 and .siblings == ["1,3", "1,3"]'
	is '.host | .governor == "powersave" and .turbo == true and .mitigations == {meltdown: "Not affected"} and .numa_nodes == 2 and .memory_kb == 1024'
}

@test "the kernel's facts, and debug options that cost time" {
	fake_machine
	printf '%s\n' CONFIG_KASAN=y CONFIG_DEBUG_LIST=y '# CONFIG_LOCKDEP is not set' CONFIG_NET=y |
		gzip >"$FIO_IOU_PROC/config.gz"
	run facts_of 'put_kernel'
	is '.kernel | .release == "6.13.1-fake" and .taint == 0 and .cmdline == "root=/dev/vda quiet" and .debug == ["CONFIG_KASAN", "CONFIG_DEBUG_LIST"] and (.config_hash | length) == 64'
}

@test "proof: interrupts of the I/O queues, and I/Os only where they are counted" {
	fake_machine
	run facts_of 'proof_prepare; proof_take before; proof_take after' /dev/nvme0n1 /dev/nvme1n1
	is '.nvme_irqs == {before: 133, after: 133} and .device_ios.before == 314 and .poll_queues == 2 and .io_poll == 1'
	is '.cpu.before | .total == 200 and .busy == 40'
	file "$FIO_IOU_SYSFS/class/block/nvme0n1/queue/iostats" 0
	run facts_of 'proof_prepare; proof_take before; proof_take after' /dev/nvme0n1
	is '.nvme_irqs.before == 131 and .device_ios == null'
}
