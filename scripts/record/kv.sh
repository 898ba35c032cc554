# shellcheck shell=bash disable=SC2034,SC2154
# Facts on their way to JSON. A script collects lines "path TYPE value" in $kv,
# with no process per fact (a fork costs 10 ms in an emulated guest), and kv.jq
# makes one object of them. An empty value is null: unreadable is not guessed.
#
#	kv=; put host/microcode "$v"; putn device/0/nsid "$v"; puta job/cpus n 1 2

# Roots that tests replace by trees of their own.
sysfs=${FIO_IOU_SYSFS:-/sys}
proc=${FIO_IOU_PROC:-/proc}

kv=
_put() {
	local v=${3//[$'\t\n\r']/ }
	kv+="$1"$'\t'"$2"$'\t'"$v"$'\n'
}
put() { _put "$1" s "${2-}"; }
putn() { _put "$1" n "${2-}"; }
# puta PATH s|n VALUE...: an array; with no value, an empty one.
puta() {
	local path=$1 type=$2 i=0 v
	shift 2
	_put "$path" a ''
	for v; do _put "$path/$((i++))" "$type" "$v"; done
}

# rd VAR FILE: FILE's first line, trimmed; empty when it can't be read.
rd() {
	local -n _rd=$1
	_rd=
	{ read -r _rd <"$2"; } 2>/dev/null || :
}
# rd1 VAR FILE...: the first of these files that has something to say.
rd1() {
	local _var=$1 _f
	shift
	for _f; do
		rd "$_var" "$_f"
		[ -z "${!_var}" ] || return 0
	done
}
