#!/usr/bin/env bats
# fio-iou run --tune: set for the run, and put back on every way out of it.

load record.bash

setup() {
	fake_build
	fake_machine
	export TMPDIR=$BATS_TEST_TMPDIR
	out=$BATS_TEST_TMPDIR/out
	state=$FIO_IOU_RUNDIR/fio-iou/tune.state
	job one '[nop]' 'filename=${DEV}'
	tuned=(run_jobs "$BATS_TEST_TMPDIR/one.fio" -d /dev/nvme0n1 -t 1 -n 1 --tune)
	q=$FIO_IOU_SYSFS/class/block/nvme0n1/queue
	gov=$FIO_IOU_SYSFS/devices/system/cpu
	# What fio sees while it runs.
	export FAKE_DO="cat $q/{scheduler,iostats,nomerges,wbt_lat_usec} $gov/cpu{3,1}/cpufreq/scaling_governor >\$FAKE/during"
}
during() { [ "$(tr '\n' ' ' <"$FAKE/during")" = "none 0 2 0 performance powersave " ]; }
# A file keeps what is written to it, where sysfs shows all schedulers.
restored() {
	local now
	now=$(cat "$q"/{scheduler,iostats,nomerges,wbt_lat_usec} "$gov"/cpu{3,1}/cpufreq/scaling_governor | tr '\n' ' ')
	echo "now: $now"
	[ "$now" = "mq-deadline 1 0 2000 powersave powersave " ]
	[ ! -e "$state" ]
}

@test "set during the run, on record, and back after it" {
	"${tuned[@]}" -o "$out"
	during
	restored
	jq -e '.tune == {scheduler: "none", iostats: "0", nomerges: "2", wbt: "0", governor: "performance"}
		and .device[0].scheduler == "none" and .device[0].iostats == 0 and .host.governor == "performance"
		and .runs[0].proof.device_ios == null' "$out"/*.json
	conforms "$out"/*.json
}

@test "without --tune nothing is touched" {
	run_jobs "$BATS_TEST_TMPDIR/one.fio" -d /dev/nvme0n1 -t 1 -n 1
	[[ $(tr '\n' ' ' <"$FAKE/during") == "none [mq-deadline] kyber 1 0 2000 "* ]]
	[ ! -e "$state" ]
}

@test "back after a run that fails" {
	FAKE_DO+='; exit 1' run "${tuned[@]}"
	[ "$status" = 1 ]
	during
	restored
}

@test "back after SIGINT and SIGTERM" {
	local sig pid
	export FAKE_DO+='; touch $FAKE/started; sleep 20'
	for sig in INT TERM; do
		file "$q/scheduler" "none [mq-deadline] kyber"
		rm -f "$FAKE/started"
		env --default-signal=INT "$top/scripts/fio-iou" "${tuned[@]/#run_jobs/run}" 3>&- &
		pid=$!
		for _ in {1..50}; do [ -e "$FAKE/started" ] && break; sleep 0.1; done
		during
		kill "-$sig" "$pid"
		wait "$pid" || :
		restored
	done
}

@test "after SIGKILL, --restore puts it back and runs nothing" {
	FAKE_DO+='; kill -KILL $PPID' run "${tuned[@]}"
	[ "$status" = 137 ]
	[ -s "$state" ]
	during
	rm "$FAKE/calls"
	run run_jobs --restore
	[ "$status" = 0 ]
	[[ $output == *"putting back"* ]]
	restored
	[ ! -e "$FAKE/calls" ]
	run run_jobs --restore
	[ "$status" = 0 ]
	[ -z "$output" ]
}

@test "after SIGKILL, the next run puts it back first" {
	FAKE_DO+='; kill -KILL $PPID' run "${tuned[@]}"
	[ -s "$state" ]
	FAKE_DO='' run run_jobs "$BATS_TEST_TMPDIR/one.fio" -d /dev/nvme1n1 -t 1 -n 1
	[ "$status" = 0 ]
	restored
}

@test "killed twice: what was there first comes back" {
	FAKE_DO+='; kill -KILL $PPID' run "${tuned[@]}"
	FAKE_DO+='; kill -KILL $PPID' run "${tuned[@]}"
	[ -s "$state" ]
	run_jobs --restore
	restored
}

@test "one run at a time may tune" {
	mkdir -p "${state%/*}"
	exec 8>"$state.lock"
	flock 8
	run "${tuned[@]}"
	[ "$status" = 2 ]
	[[ $output == *"another run is using --tune"* ]]
	[ ! -e "$FAKE/calls" ]
}

@test "a fio that outlives its run holds no lock" {
	FAKE_DO+='; (sleep 3) >/dev/null 2>&1 3>&- & kill -KILL $PPID' run "${tuned[@]}"
	run run_jobs --restore
	[ "$status" = 0 ]
	restored
}

@test "what is not there is not set" {
	rm "$q/wbt_lat_usec"
	rm -r "$gov"/cpu3/cpufreq
	FAKE_DO='' "${tuned[@]}" -o "$out"
	[ ! -e "$q/wbt_lat_usec" ]
	jq -e '.tune == {scheduler: "none", iostats: "0", nomerges: "2"} and .device[0].wbt == null' "$out"/*.json
}

@test "a value that will not go back is named, and stays on file" {
	FAKE_DO="rm $q/nomerges; mkdir $q/nomerges" run "${tuned[@]}"
	[[ $output == *"cannot put '0' back into $q/nomerges"* ]]
	[ "$(<"$state")" = "$q/nomerges"$'\t'0 ]
	[ "$(<"$q/iostats")" = 1 ]
}

@test "a user who may not set them is told, with nothing changed" {
	[ "$EUID" = 0 ] || skip "needs root to become another user"
	chmod -R a+rX "$BATS_TEST_TMPDIR"
	chmod a+rwx "$BATS_TEST_TMPDIR" "$FIO_IOU_RUNDIR"
	mkdir -p "$FIO_IOU_RUNDIR/fio-iou" && chmod a+rwx "$FIO_IOU_RUNDIR/fio-iou"
	chmod a+rx "${BATS_TEST_TMPDIR%/*}" "${BATS_TEST_TMPDIR%/*/*}"
	run setpriv --reuid=65534 --regid=65534 --clear-groups "$top/scripts/fio-iou" "${tuned[@]/#run_jobs/run}"
	echo "$output"
	[ "$status" = 2 ]
	[[ $output == *"cannot set"*"root"* ]]
	[ ! -e "$FAKE/calls" ]
	[ ! -e "$state" ]
}

@test "what root's killed run left stops nobody, and is named" {
	[ "$EUID" = 0 ] || skip "needs root to become another user"
	mkdir -p "${state%/*}"
	printf '%s\t1\n' "$q/iostats" >"$state"
	chmod -R a+rX "$BATS_TEST_TMPDIR"
	chmod a+rwx "$BATS_TEST_TMPDIR" "$BATS_TEST_TMPDIR"/*/
	chmod a+rx "${BATS_TEST_TMPDIR%/*}" "${BATS_TEST_TMPDIR%/*/*}"
	chmod 755 "${state%/*}" && chmod 644 "$state"
	as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups "$top/scripts/fio-iou" run "$BATS_TEST_TMPDIR/one.fio" -d /dev/nvme0n1 -t 1 -n 1)
	FAKE_DO='' run "${as_user[@]}"
	echo "$output"
	[[ $output == *"as root, fio-iou run --restore"* ]]
	[ -e "$FAKE/calls" ]
	[ -s "$state" ]
	FAKE_DO='' run "${as_user[@]}" --tune
	echo "$output"
	[ "$status" = 2 ]
	[ "${#lines[@]}" = 1 ]
	[[ $output == *"another user's"* ]]
}
