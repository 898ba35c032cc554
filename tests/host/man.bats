#!/usr/bin/env bats
# shellcheck disable=SC2154
# fio-iou-engines(7) and the built engines say the same: options, defaults,
# values, and the fields of the path report.

load lib.bash

page=$top/man/fio-iou-engines.7

# documented ENGINE: the options of the page's sections that are headed by it.
documented() {
	awk -v engine="$1" '
		/^\.SH/ { in_options = $2 == "OPTIONS"; here = 0 }
		/^\.SS/ && in_options {
			here = 0
			for (i = 2; i <= NF; i++) {
				sub(/,/, "", $i)
				if ($i == engine) here = 1
			}
		}
		here && /^\.BI [a-z_]+= / { sub(/=/, "", $2); print $2 }' "$page"
}
# built ENGINE: those that the engine shows.
built() { "$fio" --enghelp="$build/fio-iou_$1.so" | sed -n 's/^\([a-z_][a-z_]*\) *: .*/\1/p'; }
# entry OPTION: what the page says of it.
entry() {
	awk -v option="$1=" '
		/^\.(SH|SS|TP)/ { here = 0 }
		$1 == ".BI" && $2 == option { here = 1 }
		here' "$page"
}

@test "the page is clean" {
	run mandoc -Tlint -Wstyle "$page"
	echo "$output"
	[ -z "$output" ]
	# and can be read
	mandoc -Tascii "$page" | grep -q hybrid
}

@test "every option of every engine is in the page, and none besides" {
	local e
	for e in "${all_engines[@]}"; do
		diff <(documented "iou_$e" | sort) <(built "$e" | sort)
		[ "$(documented "iou_$e" | wc -l)" -ge 6 ]
	done
}

@test "defaults and values are the page's" {
	local e option help default value
	for e in "${all_engines[@]}"; do
		for option in $(built "$e"); do
			help=$("$fio" --enghelp="$build/fio-iou_$e.so,$option")
			default=$(sed -n '/no default/d; s/^ *default: //p' <<<"$help")
			[ "$default" != defer ] || default='.*defer for iou_nop'
			if [ -n "$default" ]; then
				entry "$option" | grep -qE "^Default: ${default}[.,]" || {
					echo "$e, $option: not default $default"
					return 1
				}
			else
				lacks "$(entry "$option")" '^Default:' || return 1
			fi
			while read -r value; do
				entry "$option" | grep -qE "^\.BR? $value\b" || {
					echo "$e, $option: no value $value"
					return 1
				}
			done < <(sed -nE 's/^ *(valid values)?: ([a-z]+) .*/\2/p' <<<"$help")
		done
	done
}

@test "every engine is described, with its required flags" {
	local e flag flags
	for e in "${all_engines[@]}"; do
		grep -qx "\.B iou_$e" "$page"
	done
	iou_json defer --bs=4k
	flags=$(jq -r '.ring.required[]' report)
	[ -n "$flags" ]
	for flag in $flags; do
		awk '/^\.B iou_defer$/ { here = 1 } /^\.TP/ && here { exit } here' "$page" |
			grep -q "$flag"
	done
}

# The words in bold of the page's section on the report.
described() {
	awk '/^\.SH/ { here = /PATH REPORT/ } here && /^\.(B|BR|IB) / ' "$page" |
		grep -oE '\b[a-z][a-z0-9_]+\b' | sort -u
}

@test "every field of the path report is in the page" {
	iou_json defer --bs=4k
	iou_json iowq --bs=4k
	jq -r '.. | objects | keys[]' report | sort -u >fields
	[ "$(wc -l <fields)" -ge 50 ]
	run comm -23 fields <(described)
	echo "not described: $output"
	[ -z "$output" ]
	# and what is there besides are values, or other things' names
	run comm -13 fields <(described)
	[ "${output//$'\n'/ }" = "and cmd io_uring_enter iou_iowq nop or rw" ] || {
		echo "not in a report: $output"
		return 1
	}
}

@test "the examples are options that fio takes" {
	local example n=0
	while IFS= read -r example; do
		example=${example//build\//$build/}
		# shellcheck disable=SC2086
		run "$fio" --parse-only ${example#fio }
		echo "$example: $output"
		[ "$status" = 0 ]
		n=$((n + 1))
	done < <(awk '/^\.EX/ { here = 1; next } /^\.EE/ { here = 0; print ""; next }
		here { sub(/\\e$/, ""); printf "%s", $0 }' "$page")
	[ "$n" = 3 ]
}
