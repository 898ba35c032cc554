# shellcheck shell=bash disable=SC2034
# How the programs of "fio-iou bench" are started. measure and turns source it.

# bench_command NAME CPU KIND ARGUMENT...: sets command, all but how long to run.
# KIND ARGUMENT... is "fio SPLIT ARGUMENT...", "KIND PROGRAM ARGUMENT...", or
# "fio-late SPLIT ARGUMENT...", a fio whose sleeps may all last 100 ms longer
# (timer slack, PR_SET_TIMERSLACK(2const)); a job that polls has none.
#
# fio's jobs are threads: as processes they are sessions, and compete with other
# work on other terms. As in a job file only they are kept to the processor:
# fio's main thread wakes a hundred times a second, and an emulated machine
# feels it.
bench_command() {
	local name=$1 cpu=$2 kind=$3 first=$4 late=()
	shift 4
	case $kind in
	fio-late) late=(bash -c 'echo 100000000 >/proc/self/timerslack_ns && exec "$@"' fio) ;;
	esac
	case $kind in
	fio*)	command=(${late[@]+"${late[@]}"} "$(iou_fio)" --name="$name" "${@/#--ioengine=external:build\//--ioengine=external:$iou_build/}"
			--cpus_allowed="$cpu" --thread=1 --time_based=1) ;;
	*)	command=(taskset -c "$cpu" "$iou_build/$first" "$@") ;;
	esac
}
