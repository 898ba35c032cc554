# shellcheck shell=bash disable=SC2034
# How the programs of "fio-iou bench" are started. measure and turns source it.

# bench_arguments ARGUMENT...: sets arguments, an engine being that of the build.
bench_arguments() {
	arguments=("${@/#--ioengine=external:build\//--ioengine=external:$iou_build/}")
}

# processors_but CPU: the others that this may run on, or CPU where there is none.
processors_but() {
	local i others=''
	for ((i = $(nproc --all) - 1; i >= 0; i--)); do
		[ "$i" = "$1" ] || others=$i${others:+,$others}
	done
	if [ "$others" ] && taskset -c "$others" true 2>/dev/null; then
		echo "$others"
	else
		echo "$1"
	fi
}

# bench_command NAME CPU KIND ARGUMENT...: sets command, all but how long to run.
# KIND ARGUMENT... is "fio SPLIT ARGUMENT..." or "KIND PROGRAM ARGUMENT...".
#
# fio's jobs are threads: as processes they are sessions, and compete with other
# work on other terms. Only they are kept to the processor, and fio's main thread
# is kept off it: that wakes a hundred times a second, which an emulated machine
# feels, and its scheduler would have it there now and then.
bench_command() {
	local name=$1 cpu=$2 kind=$3 first=$4 arguments
	shift 4
	bench_arguments "$@"
	case $kind in
	fio)	command=(taskset -c "$(processors_but "$cpu")" "$(iou_fio)" --name="$name" "${arguments[@]}"
			--cpus_allowed="$cpu" --thread=1 --time_based=1) ;;
	*)	command=(taskset -c "$cpu" "$iou_build/$first" "${arguments[@]}") ;;
	esac
}
