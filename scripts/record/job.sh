# shellcheck shell=bash disable=SC2016,SC2034,SC2154
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

# job_parse: sets job_text, and of its sections job_names, job_waits and the
# engine of each name in job_engine; job_pinned, where [global] keeps all of them
# to ${CPU}. Options of [global] hold for what follows.
job_parse() {
	local line key value wait='' engine='' global=1
	IFS= read -r -d '' job_text <"$job_file" || :
	job_lines='' job_names=() job_waits=() job_externals=() job_pinned=
	declare -gA job_engine=()
	while read -r line; do
		case $line in
		''|'#'*|';'*)	continue ;;
		esac
		job_lines+=" $line"
		if [[ $line =~ ^\[(.*)\] ]]; then
			global=
			[ "${BASH_REMATCH[1]}" != global ] || { global=1; continue; }
			job_names+=("${BASH_REMATCH[1]}")
			job_waits+=("$wait")
			job_engine[${job_names[-1]}]=$engine
			continue
		fi
		key=${line%%[= ]*} value=
		[[ ! $line =~ =\ *(.*) ]] || value=${BASH_REMATCH[1]}
		case $key in
		ioengine)
			[[ $value != external:* ]] || job_externals+=("${value#external:}")
			value=${value##*/} value=${value%.so} value=${value#fio-}
			if [ "$global" ]; then engine=$value; else job_engine[${job_names[-1]}]=$value; fi ;;
		cpus_allowed)
			if [ "$global" ] && [ ${#job_names[@]} = 0 ] && [ "$value" = '${CPU}' ]; then
				job_pinned=1
			fi ;;
		stonewall|wait_for_previous)
			[ "$value" != 0 ] || value=
			[ "$key" != "$line" ] || value=1
			if [ "$global" ]; then wait=$value; else job_waits[-1]=$value; fi ;;
		esac
	done <<<"$job_text"
	[ ${#job_names[@]} -gt 0 ] || die "$job_file has no section to run"
	job_group
}

# job_group: sets job_groups, names of sections that run together, tabs between.
# fio is run once per group, so that a section that fails takes no other with it
# and the proof is of one path. Sections of one name run at once, as one row.
job_group() {
	local i name seen=$'\t'
	job_groups=()
	for i in "${!job_names[@]}"; do
		name=${job_names[i]}
		if [ "$i" = 0 ] || [ "${job_waits[i]}" ]; then
			job_groups+=("$name")
		else
			[[ $'\t'${job_groups[-1]}$'\t' != *$'\t'"$name"$'\t'* ]] || continue
			job_groups[-1]+=$'\t'$name
		fi
		[[ $seen != *$'\t'"$name"$'\t'* ]] ||
			die "$job_file: sections that run one after the other are both called '$name'"
		seen+=$name$'\t'
	done
}

# job_check_engines: what fio would say of a file that is not there, or that has
# no slash (then its path is searched, not this folder), names neither.
job_check_engines() {
	local so
	for so in "${job_externals[@]}"; do
		so=${so//\$\{ENGINES\}/$ENGINES}
		[[ $so != *'${'* ]] || continue
		[[ $so == */* ]] || die "$job_name: external:$so has no slash, so fio does not look here: write ./$so"
		[ -r "$so" ] || die "$job_name: no engine $(readlink -m -- "$so"): run make, or set ENGINES"
	done
}

# job_others: sets job_vars, what the job file reads of the environment besides
# what run gives it; fio takes a variable that is not there for an empty value.
job_others() {
	local rest=$job_lines name
	job_vars=()
	while [[ $rest =~ \$\{([A-Za-z_][A-Za-z0-9_]*)\}(.*) ]]; do
		name=${BASH_REMATCH[1]} rest=${BASH_REMATCH[2]}
		case " ENGINES DEV DEV2 CPU RUNTIME WORKERS ${job_vars[*]} " in
		*" $name "*) continue ;;
		esac
		[ -n "${!name+x}" ] || die "$job_name reads \${$name}, which is not set: see its header"
		job_vars+=("$name")
	done
}

# job_uses NAME: does the job read ${NAME}?
job_uses() { case $job_lines in *"\${$1}"*) return 0 ;; esac; return 1; }

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
