#!/usr/bin/env bats
# fio-iou run: what it asks of its user, what it prints, what it keeps.

bats_require_minimum_version 1.5.0
load record.bash
load signal.bash

setup() {
	fake_build
	out=$BATS_TEST_TMPDIR/out
	nop_job
	nop=$BATS_TEST_TMPDIR/nop.fio
}
record_of() { cat "$out"/*.json; }
is() { record_of | jq -e "$1" >/dev/null || { echo "not so: $1"; record_of | jq 'del(.runs[].fio)'; return 1; }; }
kept() { find "$out" -mindepth 1 2>/dev/null | wc -l; }

@test "help, and every option that is wrong says so in one line" {
	run run_jobs --help
	[ "$status" = 0 ]
	[[ $output == *--restore* ]]
	local args
	while IFS= read -r args; do
		# shellcheck disable=SC2086
		run run_jobs $args
		echo "run $args: $output"
		[ "$status" = 2 ]
		[ "${#lines[@]}" = 1 ]
	done <<-EOF

		--bad
		nosuchjob
		$nop -t
		$nop -t 0
		$nop -t 1.5
		$nop -n none
		$nop -c 3-
		$nop -c 99999
		$nop --format xml
		$nop -d /dev/nosuch
		$nop -d /
		$nop -o /proc/nosuch
		/nosuch/file.fio
	EOF
	[ ! -e "$FAKE/calls" ]
}

@test "a table: one line a section, figures, nothing else when piped" {
	run run_jobs "$nop" -t 1 -n 2
	echo "$output"
	[ "$status" = 0 ]
	[ "${#lines[@]}" = 2 ]
	[[ ${lines[0]} =~ ^job/section\ +engine\ +IOPS\ +spread\ +req/enter\ +usr\ +sys\ +ctx/s$ ]]
	[[ ${lines[1]} =~ ^nop/nop\ +iou_nop\ +[0-9.]+M\ +0.0%\ +32.0\ +[0-9.]+%\ +[0-9.]+%\ +[0-9]+$ ]]
	[ "$(wc -l <"$FAKE/calls")" = 2 ]
}

@test "progress is for a terminal alone, and --quiet" {
	FAKE_DO='sleep 0.4' run script -qec "$top/scripts/fio-iou run $nop -t 1 -n 1" /dev/null
	echo "$output"
	[[ $output == *"nop: nop, run 1 of 1, "*" s left"* ]]
	FAKE_DO='sleep 0.4' run script -qec "$top/scripts/fio-iou run $nop -t 1 -n 1 --quiet" /dev/null
	[[ $output != *"run 1 of 1"* ]]
	[[ $output == *iou_nop* ]]
}

@test "a record that conforms, named by job, boot and time" {
	fake_machine
	run run_jobs "$nop" -t 1 -n 2 -o "$out" --note 'with "quotes"	and tab'
	[ "$status" = 0 ]
	[ "$(kept)" = 1 ]
	[[ $(echo "$out"/*) =~ /nop-01234567-[0-9]{8}T[0-9]{6}Z\.json$ ]]
	conforms "$out"/*.json
	is '.schema == 1 and .failed == null and (.runs | length) == 2 and .guest.kind == "none" and .device == [] and .tune == null'
	is '.boot_id == "01234567-89ab-cdef-0123-456789abcdef" and .note == "with \"quotes\" and tab"'
	is '.job | .name == "nop" and .argv == ["fio", "--output-format=json", "nop.fio"] and .env.RUNTIME == "1"'
	is '.software | .fio == "fio-3.33" and .version == "v0" and (.so_hash.iou_nop | length) == 64'
	record_of | jq -rj .job.text | cmp - "$nop"
}

@test "two records of one second have two names" {
	local n=0
	run_jobs "$nop" "$nop" -t 1 -n 1 -o "$out"
	[ "$(kept)" = 2 ]
}

@test "a guest is named, and its boot may be given" {
	FIO_IOU_GUEST=icount FIO_IOU_BOOT_ID=feedface-1 run_jobs "$nop" -t 1 -n 1 -o "$out"
	[ -n "$(echo "$out"/nop-feedface-*)" ]
	is '.guest.kind == "icount" and .runs[0].insn_per_io > 0 and .boot_id == "feedface-1"'
	rm -r "$out"
	FIO_IOU_GUEST=tcg run_jobs "$nop" -t 1 -n 1 -o "$out"
	is '.guest.kind == "qemu-tcg" and .runs[0].insn_per_io == null'
	rm -r "$out"
	# which processor is emulated on, but for counted instructions
	FIO_IOU_GUEST=uml FIO_IOU_GUEST_HOST='Some CPU' run_jobs "$nop" -t 1 -n 1 -o "$out"
	is '.guest.kind == "uml" and .guest.host_cpu == "Some CPU"'
	conforms "$out"/*.json
	rm -r "$out"
	FIO_IOU_GUEST=icount FIO_IOU_GUEST_HOST='Some CPU' run_jobs "$nop" -t 1 -n 1 -o "$out"
	is '.guest.kind == "icount" and .guest.host_cpu == null'
	rm -r "$out"
	FIO_IOU_GUEST=tcg FIO_IOU_GUEST_ACCEL=tcg FIO_IOU_GUEST_VERSION=7.2 run_jobs "$nop" -t 1 -n 1 -o "$out"
	is '.guest.accel == "tcg" and .guest.version == "7.2"'
	conforms "$out"/*.json
}

@test "sections that wait run one by one, others together" {
	job s '[global]' 'ioengine=null' '[a]' 'stonewall=0' '[b]' '; [not]' '[c]' 'stonewall' '[d]' 'wait_for_previous=1' 'rw=read' '[global]' 'stonewall=1' '[e]' '[f]'
	run_jobs "$BATS_TEST_TMPDIR/s.fio" -t 1 -n 1
	cat "$FAKE/calls"
	[ "$(grep -o -- '--section=.*' "$FAKE/calls" | sed 's/ [^ ]*$//' | tr '\n' '|')" = "--section=a --section=b|--section=c|--section=d|--section=e|--section=f|" ]
}

@test "sections of one name are one row when they run together, else refused" {
	job twice '[global]' 'ioengine=null' '[nop]' '[nop]'
	run run_jobs "$BATS_TEST_TMPDIR/twice.fio" -t 1 -n 1
	[ "$status" = 0 ]
	[ "${#lines[@]}" = 2 ]
	[ "$(grep -o -- '--section=[a-z]*' "$FAKE/calls")" = --section=nop ]
	job twice '[global]' 'stonewall' '[a]' '[a]'
	run run_jobs "$BATS_TEST_TMPDIR/twice.fio"
	[ "$status" = 2 ]
	[[ $output == *"one after the other are both called 'a'"* ]]
}

@test "fio's main thread keeps off the processors of jobs that have theirs" {
	[ "$(nproc)" -gt 1 ] || skip "one processor"
	local last
	last=$(taskset -cp $$ | sed 's/.*[^0-9]//')
	export FAKE_DO='grep Cpus_allowed_list /proc/self/status >>"$FAKE/allowed"'
	job pinned '[global]' 'cpus_allowed=${CPU}' 'ioengine=null' '[nop]'
	job free '[global]' 'ioengine=null' '[nop]' 'cpus_allowed=${CPU}' '[free]' 'stonewall'
	run_jobs "$BATS_TEST_TMPDIR/pinned.fio" "$BATS_TEST_TMPDIR/free.fio" -c "$last" -t 1 -n 1
	cat "$FAKE/allowed"
	[[ ! $(sed -n 1p "$FAKE/allowed") =~ [^0-9]$last$ ]]
	[[ $(sed -n 2p "$FAKE/allowed") =~ [^0-9]$last$ ]]
	[[ $(sed -n 3p "$FAKE/allowed") =~ [^0-9]$last$ ]]
	# all there are: nothing to keep off to
	: >"$FAKE/allowed"
	run_jobs "$BATS_TEST_TMPDIR/pinned.fio" -c "0-$last" -t 1 -n 1
	[[ $(cat "$FAKE/allowed") =~ [^0-9]$last$ ]]
}

@test "two jobs of one name in fio's output are refused" {
	jq '.jobs += .jobs' "$data/nop.json" >"$FAKE/out"
	FAKE_OUT=$FAKE/out run run_jobs "$nop" -t 1 -n 1
	[ "$status" = 1 ]
	[[ $output == *"give the job file group_reporting=1"* ]]
}

@test "a job gets the devices it asks for, and no other" {
	fake_machine
	job one '[nop]' 'filename=${DEV}' '# not ${DEV2}'
	job two '[nop]' 'filename=${DEV}:${DEV2}'
	run run_jobs "$BATS_TEST_TMPDIR/one.fio"
	[ "$status" = 2 ]
	[[ $output == *"one needs a device: give one with -d"* ]]
	run run_jobs "$BATS_TEST_TMPDIR/two.fio" -d /dev/nvme0n1
	[ "$status" = 2 ]
	[[ $output == *"two needs two devices"* ]]
	run_jobs "$BATS_TEST_TMPDIR/two.fio" -d /dev/nvme0n1 /dev/ng1n1 -t 1 -n 1 -o "$out"
	grep -x DEV=/dev/nvme0n1 "$FAKE/env"
	grep -x DEV2=/dev/ng1n1 "$FAKE/env"
	is '.device | map(.serial) == ["S0", "S1"] and map(.temperature.after) == [41.8, 41.8]'
	conforms "$out"/*.json
	run_jobs "$BATS_TEST_TMPDIR/one.fio" -d /dev/nvme0n1 -d /dev/nvme1n1 -t 1 -n 1 -o "$out/2"
	jq -e '.device | length == 1' "$out"/2/*.json
}

@test "a link is followed, and a colon in a path is no separator" {
	job one '[nop]' 'filename=${DEV}'
	echo x >"$BATS_TEST_TMPDIR/a:b"
	ln -s a:b "$BATS_TEST_TMPDIR/link"
	run_jobs "$BATS_TEST_TMPDIR/one.fio" -d "$BATS_TEST_TMPDIR/link" -t 1 -n 1
	grep -xF "DEV=$BATS_TEST_TMPDIR/a\\:b" "$FAKE/env"
}

@test "CPUs: the last near the device, two siblings, or as asked" {
	fake_machine
	job one '[nop]' 'filename=${DEV}'
	job pair 'cpus: siblings' '[nop]' 'cpus_allowed=${CPU}'
	sed -i 's/^cpus:/# &/' "$BATS_TEST_TMPDIR/pair.fio"
	run_jobs "$BATS_TEST_TMPDIR/one.fio" -d /dev/nvme0n1 -t 1 -n 1
	run_jobs "$BATS_TEST_TMPDIR/pair.fio" -t 1 -n 1
	run_jobs "$BATS_TEST_TMPDIR/pair.fio" -t 1 -n 1 -c 0-1,3 -o "$out"
	[ "$(grep ^CPU "$FAKE/env" | tr '\n' ' ')" = "CPU=3 CPU=1,3 CPU=0,1,3 " ]
	is '.job.cpus == [0, 1, 3]'
	run run_jobs "$nop" -c 4
	[ "$status" = 2 ]
	[[ $output == *"CPU 4 is not online: there are 0 1 2 3"* ]]
}

@test "no siblings: it says so and takes two cores" {
	local n
	fake_machine
	for n in 0 1 2 3; do
		file "$FIO_IOU_SYSFS/devices/system/cpu/cpu$n/topology/thread_siblings_list" $n
	done
	job pair 'cpus: siblings' '[nop]'
	sed -i 's/^cpus:/# &/' "$BATS_TEST_TMPDIR/pair.fio"
	run run_jobs "$BATS_TEST_TMPDIR/pair.fio" -t 1 -n 1
	[ "$status" = 0 ]
	[[ $output == *"no SMT siblings here: taking two cores, CPUs 2 and 3"* ]]
	grep -x CPU=2,3 "$FAKE/env"
}

@test "a CPU far from the device, and a device not set up, are warned of" {
	fake_machine
	job one '[nop]' 'filename=${DEV}'
	run run_jobs "$BATS_TEST_TMPDIR/one.fio" -d /dev/nvme0n1 -t 1 -n 1 -c 2
	[ "$status" = 0 ]
	[[ $output == *"CPU 2 is not on NUMA node 1, where /dev/nvme0n1 is: choose from 1,3"* ]]
	[[ $output == *"nvme0n1 is not set up for measuring (scheduler mq-deadline, iostats 1, nomerges 0, wbt_lat_usec 2000)"* ]]
	run run_jobs "$BATS_TEST_TMPDIR/one.fio" -d /dev/nvme0n1 -t 1 -n 1 -c 3
	[[ $output != *NUMA* ]]
}

@test "another fio than the engines' is refused before it starts" {
	FAKE_VERSION=fio-3.41 run run_jobs "$nop"
	[ "$status" = 2 ]
	[ "${#lines[@]}" = 1 ]
	[[ $output == *fio-3.41*3.33*configure* ]]
	[ ! -e "$FAKE/calls" ]
}

@test "a failed section: its reason in the row, exit 1, a record of the failure" {
	echo 'iou_nop: this kernel refuses DEFER_TASKRUN' >"$FAKE/err"
	FAKE_OUT='' FAKE_ERR=$FAKE/err FAKE_RC=1 run run_jobs "$nop" -t 1 -n 2 -o "$out"
	echo "$output"
	[ "$status" = 1 ]
	[ "${#lines[@]}" = 2 ]
	[[ ${lines[1]} =~ ^nop/nop\ +iou_nop\ +failed:\ iou_nop:\ this\ kernel\ refuses\ DEFER_TASKRUN$ ]]
	conforms "$out"/*.json
	is '.failed == "iou_nop: this kernel refuses DEFER_TASKRUN" and all(.runs[]; .iops == null and .fio == null)'
}

@test "one run of several fails: the row stays, and what it lacks is said" {
	FAKE_DO='[ -e "$FAKE/second" ] && exit 1; touch "$FAKE/second"' run run_jobs "$nop" -t 1 -n 2 -o "$out"
	echo "$output"
	[ "$status" = 1 ]
	[ "${#lines[@]}" = 3 ]
	[[ ${lines[2]} == "nop/nop: 1 of 2 runs failed: "* ]]
	is '.failed == null and (.runs | map(.error != null)) == [false, true]'
}

@test "one section fails, the next one runs" {
	job s '[global]' 'stonewall' '[a]' '[nop]'
	FAKE_DO='[ "$section" != a ] || exit 1' run run_jobs "$BATS_TEST_TMPDIR/s.fio" -t 1 -n 1 --format json
	[ "$status" = 1 ]
	jq -e '.[0].runs | map(.error != null) == [true, false]' <<<"$output"
}

@test "killed: no record, not even a part, and fio is gone" {
	local sig
	for sig in INT TERM; do
		FAKE_DO='echo $$ >"$FAKE/fio.pid"; sleep 30' ended_by "$sig" "$FAKE/fio.pid" \
			"$top/scripts/fio-iou" run "$nop" -t 1 -n 1 -o "$out"
		[ "$(kept)" = 0 ]
		run kill -0 "$(<"$FAKE/fio.pid")"
		[ "$status" != 0 ]
	done
}

@test "a folder that cannot be written: said before anything runs" {
	file "$BATS_TEST_TMPDIR/plain" x
	run run_jobs "$nop" -t 1 -n 1 -o "$BATS_TEST_TMPDIR/plain"
	[ "$status" = 2 ]
	[ ! -e "$FAKE/calls" ]
}

@test "--format json prints the records" {
	run run_jobs "$nop" "$nop" -t 1 -n 1 --format=json
	[ "$status" = 0 ]
	jq -e 'length == 2 and .[0].runs[0].iops > 0' <<<"$output"
}

@test "job files run from any folder, and nothing is left in it" {
	mkdir "$BATS_TEST_TMPDIR/empty"
	cd "$BATS_TEST_TMPDIR/empty"
	FAKE_DO='echo state >"$(grep -o "aux-path=[^ ]*" <<<"$*" | cut -d= -f2)/left"' \
		run_jobs ../nop.fio -t 1 -n 1
	ENGINES=../build run_jobs ../nop.fio -t 1 -n 1
	[ -z "$(ls)" ]
	grep -x "ENGINES=$BATS_TEST_TMPDIR/build" "$FAKE/env"
}

@test "engines by path: what runs, and what is refused before fio starts" {
	local so
	mkdir -p "$BATS_TEST_TMPDIR/e/in" "$BATS_TEST_TMPDIR/d:c" "$BATS_TEST_TMPDIR/sp ace"
	cd "$BATS_TEST_TMPDIR/e/in"
	for so in ./x.so "$PWD/x.so" ../x.so '../../d:c/x.so' '../../sp ace/x.so'; do
		echo >"$so"
		job path '[nop]' "ioengine=external:$so"
		run run_jobs ../../path.fio -t 1 -n 1
		echo "$so: $output"
		[ "$status" = 0 ]
	done
	rm "$FAKE/calls" ../x.so
	job path '[nop]' 'ioengine=external:x.so'
	run run_jobs ../../path.fio
	[ "$status" = 2 ]
	[ "${#lines[@]}" = 1 ]
	[[ $output == *"external:x.so has no slash"*"./x.so"* ]]
	job path '[nop]' 'ioengine=external:../x.so'
	run run_jobs ../../path.fio
	[ "$status" = 2 ]
	[ "${#lines[@]}" = 1 ]
	[[ $output == *"no engine $BATS_TEST_TMPDIR/e/x.so"* ]]
	ENGINES=/nosuch run run_jobs "$nop"
	[ "$status" = 2 ]
	[[ $output == *"no engine /nosuch/fio-iou_nop.so: run make"* ]]
	[ ! -e "$FAKE/calls" ]
}

@test "other variables of a job file: workers as CPUs, the rest from the environment" {
	job vars '[nop]' 'rw=${MY_RW}' 'workers=${WORKERS}' 'size=${MY_RW}' '# ${MY_NONE}'
	run run_jobs "$BATS_TEST_TMPDIR/vars.fio"
	[ "$status" = 2 ]
	[ "${#lines[@]}" = 1 ]
	[[ $output == *'vars reads ${MY_RW}, which is not set'* ]]
	fake_machine
	MY_RW=read run_jobs "$BATS_TEST_TMPDIR/vars.fio" -t 1 -n 1 -c 0-2 -o "$out"
	is '.job.env | .MY_RW == "read" and .WORKERS == "3" and has("MY_NONE") == false'
	rm -r "$out"
	WORKERS=8 MY_RW=read run_jobs "$BATS_TEST_TMPDIR/vars.fio" -t 1 -n 1 -o "$out"
	is '.job.env.WORKERS == "8"'
}

@test "a static fio is refused" {
	echo 'int main(void){return !__builtin_printf("fio-3.33\n");}' >"$BATS_TEST_TMPDIR/s.c"
	gcc -static -o "$FIO_IOU_BUILD/fio" "$BATS_TEST_TMPDIR/s.c"
	run run_jobs "$nop"
	echo "$output"
	[ "$status" = 2 ]
	[[ $output == *"linked statically"* ]]
	gcc -o "$FIO_IOU_BUILD/fio" "$BATS_TEST_TMPDIR/s.c"
	run run_jobs "$nop" -t 1 -n 1
	[[ $output != *"linked statically"* ]]
}

@test "a section without a path report is no result" {
	FAKE_REPORT='' run run_jobs "$nop" -t 1 -n 1
	[ "$status" = 1 ]
	[[ $output == *"left no path report"* ]]
}

@test "not built: one line" {
	rm "$FIO_IOU_BUILD/config.mk"
	run run_jobs "$nop"
	[ "$status" = 2 ]
	[ "${#lines[@]}" = 1 ]
	[[ $output == *configure* ]]
}

# The real thing, with what is built here.
real() {
	unset FIO_IOU_BUILD ENGINES FIO
	[ -r "$top/build/fio-iou_nop.so" ] || skip "nothing is built"
}

@test "the real engines: no-ops, and a refusal, in one record" {
	real
	job both '[global]' 'stonewall' 'time_based' 'runtime=${RUNTIME}' 'size=1m' 'bs=16k' 'cpus_allowed=${CPU}' \
		'[ring]' 'ioengine=external:${ENGINES}/fio-iou_nop.so' 'split=32' 'gtod_reduce=1' \
		'[polled]' 'ioengine=external:${ENGINES}/fio-iou_iopoll.so' 'filename=${DEV}' 'direct=1'
	head -c 1M /dev/zero >"$BATS_TEST_TMPDIR/disk"
	run --separate-stderr run_jobs "$BATS_TEST_TMPDIR/both.fio" -d "$BATS_TEST_TMPDIR/disk" -t 1 -n 1 -o "$out"
	echo "$output"
	[ "$status" = 1 ]
	[ "${#lines[@]}" = 3 ]
	conforms "$out"/*.json
	is '.failed == null and .runs[0].error == null and .runs[0].proof.flags_granted != null'
	is '.runs[0] | (.iops * .runtime_ms / 1000 - .reports[0].requests | fabs) < 1'
	is '.runs[1] | .iops == null and (.error | startswith("iou_iopoll: "))'
}

@test "the real engines: interrupted, fio ends too and no record is left" {
	local pid rc=0
	real
	env --default-signal=INT "$top/scripts/fio-iou" run nops -t 30 -n 1 -o "$out" >"$BATS_TEST_TMPDIR/o" 2>&1 3>&- &
	pid=$!
	for _ in {1..50}; do
		fio=$(pgrep -P "$pid" -f -- '--section=nops') && break
		sleep 0.1
	done
	[ -n "$fio" ]
	sleep 0.5
	kill -INT "$pid"
	wait "$pid" || rc=$?
	echo "rc $rc: $(<"$BATS_TEST_TMPDIR/o")"
	[ "$rc" = 130 ]
	[ "$(kept)" = 0 ]
	[ ! -s "$BATS_TEST_TMPDIR/o" ]
	[ ! -e "/proc/$fio" ]
}
