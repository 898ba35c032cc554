# shellcheck shell=bash disable=SC2034
# How the programs of "fio-iou bench" are started. measure and turns source it.

# bench_arguments ARGUMENT...: sets arguments, an engine being that of the build.
bench_arguments() {
	arguments=("${@/#--ioengine=external:build\//--ioengine=external:$iou_build/}")
}

# bench_command NAME CPU KIND ARGUMENT...: sets command, all but how long to run.
# KIND ARGUMENT... is "fio SPLIT ARGUMENT..." or "KIND PROGRAM ARGUMENT...".
#
# fio's jobs are threads: as processes they are sessions, and compete with other
# work on other terms. Only they are kept to the processor, and fio's main thread
# is kept off it: that wakes a hundred times a second, which an emulated machine
# feels, and its scheduler would have it there now and then.
bench_command() {
	local name=$1 cpu=$2 kind=$3 first=$4 arguments keep_off
	shift 4
	bench_arguments "$@"
	case $kind in
	fio)	iou_keep_off "$cpu"
		command=("${keep_off[@]}" "$(iou_fio)" --name="$name" "${arguments[@]}"
			--cpus_allowed="$cpu" --thread=1 --time_based=1) ;;
	*)	command=(taskset -c "$cpu" "$iou_build/$first" "${arguments[@]}") ;;
	esac
}
