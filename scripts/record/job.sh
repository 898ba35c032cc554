# shellcheck shell=bash disable=SC2034,SC2154
# What a job file says, without running it.

# job_find NAME: a name from "fio-iou list", or a file.
job_find() {
	job_file=$1
	case $1 in
	*/*|*.fio)	;;
	*)	job_file=$iou_top/jobs/$1.fio
		[ -r "$job_file" ] || die "no job '$1': see fio-iou list" ;;
	esac
	if [ ! -r "$job_file" ] || [ -d "$job_file" ]; then
		die "cannot read the job file $job_file"
	fi
	job_name=${job_file##*/}
	job_name=${job_name%.fio}
}

# job_parse: sets job_text; job_groups, the sections that run together, tabs
# between (fio is run once per group, so that a section that fails takes no
# other with it and the proof is of one path); and job_engine by section.
job_parse() {
	local line key value section='' global_engine='' fresh=1 all_wait='' wait=''
	IFS= read -r -d '' job_text <"$job_file" || :
	job_groups=()
	declare -gA job_engine=()
	job_vars=
	while read -r line; do
		case $line in
		''|'#'*|';'*) continue ;;
		esac
		job_vars+=" $line"
		if [[ $line =~ ^\[(.*)\] ]]; then
			section=${BASH_REMATCH[1]}
			[ "$section" != global ] || continue
			[ -z "${job_engine[$section]+x}" ] || die "$job_file: two sections are called '$section'"
			job_engine[$section]=$global_engine
			if [ "$fresh" ] || [ "$all_wait" ]; then
				job_groups+=("$section")
			else
				job_groups[-1]+=$'\t'$section
			fi
			fresh='' wait=''
			continue
		fi
		key=${line%%[= ]*} value=
		[ "$key" = "$line" ] || value=${line#*=}
		case $key in
		ioengine)
			[[ ! $value =~ ^\ *(.*[^ ]) ]] || value=${BASH_REMATCH[1]}
			value=${value##*/} value=${value%.so}
			if [ "$section" = global ]; then
				global_engine=${value#fio-}
			else
				job_engine[$section]=${value#fio-}
			fi ;;
		stonewall|wait_for_previous)
			[ "$value" != 0 ] || continue
			if [ "$section" = global ]; then
				all_wait=1
			elif [ -z "$wait" ]; then
				wait=1
				job_split_off "$section"
			fi ;;
		esac
	done <<<"$job_text"
	[ ${#job_groups[@]} -gt 0 ] || die "$job_file has no section to run"
}

# This section waits for those before it: it begins a group.
job_split_off() {
	case ${job_groups[-1]} in
	*$'\t'"$1")
		job_groups[-1]=${job_groups[-1]%$'\t'"$1"}
		job_groups+=("$1") ;;
	esac
}

# job_uses NAME: does the job read ${NAME}?
job_uses() { case $job_vars in *"\${$1}"*) return 0 ;; esac; return 1; }

# job_header KEY: the value of a "# KEY: value" line above the first section.
job_header() {
	local line
	while read -r line; do
		case $line in
		"# $1:"*)
			line=${line#*:}
			printf '%s\n' "${line# }"
			return ;;
		'['*)	return ;;
		esac
	done <<<"$job_text"
}
