#!/usr/bin/env bats
# shellcheck disable=SC2154
# What is between an engine and the fio that loads it: symbols, versions,
# layouts. A wrong pair is refused in one line; it never crashes.

load lib.bash

@test "one exported symbol, ioengine" {
	local so
	for so in "${all_engines[@]}"; do
		run nm -D --defined-only "$build/fio-iou_$so.so"
		echo "$so: $output"
		[ "${#lines[@]}" = 1 ]
		[[ ${lines[0]} == *" D ioengine" ]]
	done
}

# exported FILE...: the names that they define for others.
exported() {
	local f
	for f; do nm -D --defined-only "$f"; done | awk '{sub(/@.*/, "", $NF); print $NF}'
}

@test "every symbol that an engine wants is exported by fio or its libraries" {
	local so libs missing
	for so in "${all_engines[@]}"; do
		so=$build/fio-iou_$so.so
		mapfile -t libs < <(ldd "$so" | awk '$3 ~ "^/" {print $3}')
		[ "${#libs[@]}" -ge 4 ]
		exported "$fio" "${libs[@]}" | sort -u >have
		nm -D --undefined-only "$so" | awk '$1 == "U" {sub(/@.*/, "", $2); print $2}' |
			sort -u >want
		missing=$(comm -13 have want)
		echo "$so lacks: $missing"
		[ -z "$missing" ]
	done
}

@test "the libraries are those that configure asked for, and no others" {
	run readelf -d "$build/fio-iou_hybrid.so"
	echo "$output"
	[ "$(grep -oP 'NEEDED.*\[\K[a-z-]+' <<<"$output" | sort | paste -sd,)" = \
	  "libc,libjson-c,libnvme,liburing" ]
	[[ $output == *NODELETE* ]]
}

@test "each engine shows its options to any reader" {
	local e
	for e in "${all_engines[@]}"; do
		run "$fio" --enghelp="$build/fio-iou_$e.so"
		echo "$output"
		[ "$status" = 0 ]
		[[ $output == *"split "*"report "* ]]
	done
}

@test "another fio with the same ioops number: one line that names both" {
	local version other e
	version=$("$fio" --version)
	# the same program, but for what it says it is
	other=${version%?}x
	LC_ALL=C sed "s/$version/$other/g" "$fio" >other-fio
	chmod +x other-fio
	[ "$(./other-fio --version)" = "$other" ]
	for e in "${all_engines[@]}"; do
		run ./other-fio --name=t --ioengine="$(engine "$e")" --size=64k --filename=data
		echo "$output"
		[ "$status" = 1 ]
		[ "$(grep -c "^iou_$e: built for $version, loaded by $other: use that fio, or " <<<"$output")" = 1 ]
		lacks "$output" signal 'IOPS=' Success
	done
}

@test "a fio of another ioops number: one line that names both" {
	local other
	for other in "$build"/fio-*/fio; do
		[ -x "$other" ] && [ "$("$other" --version)" != "$("$fio" --version)" ] || continue
		run "$other" --name=t --ioengine="$(engine defer)" --size=64k --filename=data
		echo "$output"
		[ "$status" = 1 ]
		grep -q "^iou_defer: built for $("$fio" --version), loaded by $("$other" --version): " <<<"$output"
		lacks "$output" signal 'IOPS=' Success
		return 0
	done
	skip "no other fio is built: scripts/get-fio 3.41"
}

@test "paths with blanks and colons, and from elsewhere" {
	mkdir "a b" c:d
	cp "$build/fio-iou_nop.so" "a b"
	cp "$build/fio-iou_nop.so" c:d
	local path
	for path in "./a b/fio-iou_nop.so" "$PWD/c:d/fio-iou_nop.so" "../${PWD##*/}/a b/fio-iou_nop.so"; do
		rm -f report
		run "$fio" --name=t --ioengine="external:$path" --size=64k
		echo "$path: $output"
		[ "$status" = 0 ]
		reports 'length == 1 and .[0].requests == 16'
	done
	run "$fio" --name=t --ioengine=external:./nosuch.so --size=64k
	[ "$status" = 1 ]
}

@test "all six in one fio, loaded by many jobs and closed" {
	local e
	for e in "${all_engines[@]}"; do
		printf '[%s]\nioengine=%s\nfilename=%s\nsize=64k\nnumjobs=2\nthread=1\nstonewall\n' \
			"$e" "$(engine "$e")" "$PWD/data"
	done >job.fio
	run "$fio" job.fio
	echo "$output"
	# polling is refused here; nothing else is, and nothing crashes
	lacks "$output" signal
	reports 'length == 8 and all(.requests == 16)'
}
