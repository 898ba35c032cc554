#!/usr/bin/env bats
# fio-iou compare from the outside: its verdicts, its words, its exit codes.
# shellcheck disable=SC2016,SC2154

bats_require_minimum_version 1.5.0

setup_file() {
	top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	export top data=$BATS_FILE_TMPDIR
	make=$top/tests/data/make-records
	"$make" "$data/pre" 1 6 5110000
	"$make" "$data/post" 2 6 5161100	# 1 % more
	"$make" "$data/equal" 3 6 5110000
	"$make" "$data/one-pre" 1 1 5110000
	"$make" "$data/one-post" 2 1 5161100
}

setup() {
	mkdir "$BATS_TEST_TMPDIR/here"
	cd "$BATS_TEST_TMPDIR/here" || return
	compare=${FIO_IOU_BUILD:-$top/build}/fio-iou-compare
	[ -x "$compare" ] || { echo "$compare is not built"; return 1; }
	make=$top/tests/data/make-records
}

compare() { run --separate-stderr "$compare" "$@"; }
exits() { [ "$status" -eq "$1" ] || { echo "exit $status, not $1"; echo "$output"; echo "$stderr"; return 1; }; }
says() { [[ $output == *"$1"* ]] || { echo "not said: $1"; echo "$output"; return 1; }; }
complains() { [[ $stderr == *"$1"* ]] || { echo "not on stderr: $1"; echo "$stderr"; return 1; }; }
one_line() { [ "${#stderr_lines[@]}$output" = 1 ] || { echo "not one line"; echo "$output"; echo "$stderr"; return 1; }; }
# no PATTERN [GREP-OPTION]: no line of the output has it.
no() { if LC_ALL=C grep -n "${@:2}" -- "$1" <<<"$output"; then return 1; fi; }

# edit FILTER FILE...: change records in place.
edit() {
	local filter=$1 f
	shift
	for f; do
		jq "$filter" "$f" >edited
		mv edited "$f"
	done
}

@test "six against six: a planted 1 % is found, and the interval holds it" {
	compare --vary kernel --format json "$data/pre" "$data/post"
	exits 0
	jq -e '.rows[0] | .verdict == "faster" and .lo_percent < 1 and .hi_percent > 1
		and .lo_percent > 0 and .level >= 0.95 and .p_holm < 0.05' <<<"$output"
	compare --vary kernel "$data/pre" "$data/post"
	says 'peak-1-thread/iopoll    6:6  5.110M  5.160M'
	says faster
}

@test "the other way round it is slower, and a regression" {
	compare --vary kernel "$data/post" "$data/pre"
	exits 1
	says slower
}

@test "equal kernels: no difference is told" {
	compare --vary kernel "$data/pre" "$data/equal"
	exits 0
	says "can't tell"
	[[ $output != *faster* && $output != *slower* ]]
}

@test "one boot a side is within-boot only" {
	local f
	for f in text list md csv json; do
		compare --vary kernel --format "$f" "$data"/one-pre "$data"/one-post
		exits 0
		says 'within-boot only'
		[[ $output != *faster* && $output != *slower* ]]
	done
	# A record is as good as a folder of one.
	compare --vary kernel "$data"/one-pre/*.json "$data"/one-post/*.json
	exits 0
	says 'within-boot only'
}

@test "three against three can't show it, and the least n is said" {
	"$make" pre 1 3 5110000
	"$make" post 2 3 9000000
	compare --vary kernel pre post
	exits 0
	says "can't tell"
	says "3 against 3 boots can't go below p = 0.2: take 5 a side"
	says '(90%)'
	# Four could, but not two rows of it.
	"$make" pre 1 4 5110000
	"$make" post 2 4 9000000
	compare --vary kernel pre post
	says "can't tell"
	says "4 against 4 boots can't go below p = 0.057: take 5 a side"
}

# recipe NAME: the command that the man page gives for it.
recipe() {
	sed -n "/^\.\\\\\" begin $1\$/,/^\.\\\\\" end/p" "$top/man/fio-iou-compare.1" |
		sed '/^\./d; s/\\-/-/g'
}

@test "every figure can be worked out with jq, as the man page says" {
	compare --vary kernel --format json "$data/pre" "$data/post"
	local result=$output
	ln -s "$data/pre" "$data/post" .
	eval "$(recipe boots)" >pre.boots
	eval "$(recipe boots | sed 's,pre/,post/,')" >post.boots
	jq -en --argjson r "$result" --argjson by_hand "$(eval "$(recipe shift)")" '
		def near($x): . - $x | fabs < 1e-6 * ($x | fabs);
		$r.rows[0] as $row
		| [$row | .median_a, .median_b, .shift_percent, .lo_percent, .hi_percent]
		| length == ($by_hand | length) and all(range(length) as $i | .[$i] | near($by_hand[$i]); .)'
	# No boot of post is below one of pre: 2 / choose(12, 6), two rows.
	jq -en --argjson r "$result" --slurpfile a pre.boots --slurpfile b post.boots '
		def near($x): . - $x | fabs < 1e-6 * ($x | fabs);
		($a[0] | max) < ($b[0] | min) and ($r.rows[0] | (.p | near(2 / 924)) and (.p_holm | near(4 / 924)))'
}

@test "the man page and --help have the same options" {
	compare --help
	diff <(grep -oE -- '--[a-z]+' <<<"$output" | sort -u) \
		<({ echo --help; sed -n '/^\.SH OPTIONS/,/^\.SH WHAT/p' "$top/man/fio-iou-compare.1" |
			grep -A 1 '^\.TP' | grep -oE '\\-\\-[a-z]+' | sed 's,\\,,g'; } | sort -u)
}

@test "swapped device names pair by serial number" {
	"$make" pre 1 4 5000000 '.device[0].name = "nvme0n1" | .job.env.DEV = "/dev/nvme0n1"'
	"$make" post 2 4 5000000 '.device[0].name = "nvme5n1" | .job.env.DEV = "/dev/nvme5n1"'
	compare --vary kernel pre post
	exits 0
	says '4:4'
}

@test "another serial number is another row" {
	"$make" post 2 4 5000000 '.device[0].serial = "S2"'
	compare --vary kernel "$data/pre" post
	exits 2
	complains 'unpaired: peak-1-thread/iopoll on S1/1: in pre, not in post'
	complains 'unpaired: peak-1-thread/iopoll on S2/1: in post, not in pre'
	complains 'nothing to compare'
	[ -z "$output" ]
}

@test "what differs undeclared makes the pair INVALID, and is named" {
	local key filter
	while IFS=$'\t' read -r key filter; do
		rm -rf post
		"$make" post 2 2 5110000 "$filter"
		compare --vary kernel "$data/one-pre" post
		exits 2
		one_line
		complains "fio-iou compare: INVALID: $key: "
		complains "or say --vary ${key//\[*\]/}"
		compare --vary kernel --vary "${key//\[*\]/}" "$data/one-pre" post
		exits 0
	done <<-'END'
		device[S1/1].lba_size	.device[0].lba_size = 4096
		software.fio	.software.fio = "fio-3.36"
		software.so_hash.iou_iopoll	.software.so_hash.iou_iopoll = "33"
		software.version	.software.version = "1.1"
		job.text	.job.text += "bs=8k\n"
		job.argv	.job.argv += ["--debug=io"]
		job.cpus	.job.cpus = [3]
		job.env.RUNTIME	.job.env.RUNTIME = "10"
		host.cpu_model	.host.cpu_model = "Pentium"
		host.microcode	.host.microcode = null
		host.mitigations.spectre_v2	.host.mitigations.spectre_v2 = "Vulnerable"
		host.governor	.host.governor = "powersave"
		kernel.cmdline	.kernel.cmdline += " mitigations=off"
		kernel.debug	.kernel.debug = ["CONFIG_KASAN"]
		guest.kind	.guest.kind = "uml"
		tune.iostats	.tune = {iostats: 0}
	END
}

@test "both values are shown, of a text the line" {
	"$make" post 2 1 5110000 '.job.text |= sub("randread"; "randwrite")'
	compare --vary kernel "$data/one-pre" post
	complains 'INVALID: job.text: pre "rw=randread", post "rw=randwrite" (peak-1-thread)'
}

@test "the kernel has to be declared too" {
	compare "$data/pre" "$data/post"
	exits 2
	complains 'INVALID: kernel.release: pre "6.12.1", post "6.12.2"'
	compare --vary kernel.release "$data/pre" "$data/post"
	exits 0
	says 'varied: kernel.release: "6.12.1" -> "6.12.2"'
}

@test "a misspelt --vary is an error" {
	compare --vary kernle "$data/pre" "$data/post"
	exits 2
	one_line
	complains '--vary kernle: a record has no such key'
}

@test "a folder of two kernels is not one side" {
	cp -r "$data/pre" mixed
	cp "$data"/post/*s2b0.json mixed
	compare --vary kernel mixed "$data/post"
	exits 2
	one_line
	complains 'kernel.release is "6.12.2"'
	complains 'use two folders'
	# nor is one whose jobs ran on two
	edit '.job.name = "nops" | .id = "other"' mixed/*s2b0.json
	compare --vary kernel mixed "$data/post"
	exits 2
	one_line
	complains 'kernel.release is "6.12.2"'
	# other CPUs are another job's own affair
	cp "$data"/pre/*b0.json mixed/other.json
	rm mixed/*s2b0.json
	edit '.job.name = "nops" | .id = "other" | .host.siblings = ["7"] | .host.governor = "powersave"' mixed/other.json
	compare --vary kernel mixed "$data/post"
	exits 0
	says 'unpaired: nops'
}

@test "a polled record whose interrupts rose is refused by name" {
	cp -r "$data/post" post
	edit '.runs[2].proof.nvme_irqs.after += 900000' post/*s2b3.json
	compare --vary kernel "$data/pre" post
	exits 2
	says 'refused: peak-1-thread/iopoll: post: post/peak-1-thread-2300000--s2b3.json: runs[2]: a polled run, but NVMe interrupts rose by'
	# The row that is left is compared, and the refused one is none.
	says 'peak-1-thread/plain '
	[[ $output != *'iopoll    6:6'* ]]
	compare --vary kernel --format csv "$data/pre" post
	exits 2
	says ',refused,0'
	complains 'refused: peak-1-thread/iopoll: post:'
}

@test "what should be known of a row is said below it" {
	"$make" post 2 6 5161100 '.runs[].proof.flags_granted -= ["NO_SQARRAY"] | .runs[3].proof.other_cpu_pct = 12.34'
	compare --vary kernel "$data/pre" post
	exits 0
	says 'caution: peak-1-thread/iopoll: granted only in pre: NO_SQARRAY'
	says 'caution: peak-1-thread/plain: post: other tasks took up to 12.3% of its CPUs'
	compare --vary kernel "$data/pre" "$data/post"
	[[ $output != *caution* ]]
}

@test "registered buffers, one a page or one an I/O: said where they differ, and known" {
	"$make" pre 1 6 5000000 '.runs[].reports[].ring.registered_buffers = 16'
	"$make" post 2 6 5161100 '.runs[].reports[].ring.registered_buffers = 4'
	"$make" old 2 6 5161100 '.runs[3].reports = null'
	compare --vary kernel pre post
	exits 0
	says 'caution: peak-1-thread/iopoll: registered buffers: 16 in pre, 4 in post'
	compare --vary kernel pre pre
	[[ $output != *caution* ]]
	compare --vary kernel pre old
	[[ $output != *caution* ]]
}

@test "a failed record is a failure with its reason, never a row" {
	cp -r "$data/post" post
	edit '.failed = "fio: got signal 9" | .runs = []' post/*s2b0.json
	edit '.runs[0].error = "io_u error 5" | .runs[0].iops = null' post/*s2b1.json
	compare --vary kernel "$data/pre" post
	says '6:5'
	says 'failed: post: post/peak-1-thread-2000000--s2b0.json: peak-1-thread: fio: got signal 9'
	says 'peak-1-thread/iopoll: io_u error 5'
	# before it never did
	exits 1
	compare --vary kernel --gate 5 post "$data/pre"
	exits 0
	cp -r "$data/pre" pre
	edit '.failed = "fio: got signal 9" | .runs = []' pre/*b0.json
	compare --vary kernel pre post
	exits 0
}

@test "what only failed after PRE is a regression; what is not there is unpaired" {
	cp -r "$data/post" post
	edit '.runs |= map(select(.section == "plain"))' post/*.json
	compare --vary kernel "$data/pre" post
	exits 0
	says 'unpaired: peak-1-thread/iopoll on S1/1: in pre, not in post'
	[[ $output != *' 0.000'* ]]
	cp "$data"/post/*.json post
	edit '.failed = "panic" | .runs = []' post/*.json
	compare --vary kernel "$data/pre" post
	exits 1
	says 'unpaired: peak-1-thread/iopoll'
	says 'panic'
	# Failed on both sides, it is no news.
	cp -r "$data/pre" pre
	edit '.failed = "panic" | .runs = []' pre/*.json
	compare --vary kernel pre post
	exits 2
}

@test "--equiv, --gate and --alpha" {
	compare --vary kernel --equiv 2 "$data/post" "$data/pre"
	exits 0
	says 'equivalent within +-2%'
	compare --vary kernel --gate 0.2 "$data/post" "$data/pre"
	exits 1
	says 'peak-1-thread/iopoll: worse by more than 0.2%, with all of its interval'
	compare --vary kernel --gate 5 "$data/post" "$data/pre"
	exits 0
	says slower
	compare --vary kernel --alpha 0.001 "$data/post" "$data/pre"
	exits 0
	says "can't tell"
	says 'take 8 a side'
}

@test "--floor measures one kernel, and is the least that counts" {
	compare --floor "$data/pre"
	exits 0
	says 'peak-1-thread/iopoll'
	[[ $output =~ \+-0\.[0-9]+% ]]
	compare --floor "$data/pre" --format json
	jq -e '.floor[0] | .boots == 6 and .floor_percent > 0.1 and .floor_percent < 1.5' <<<"$output"
	compare --floor "$data/one-pre"
	exits 0
	says n/a
	complains 'it takes 4 boots'

	"$make" noisy 4 6 5110000 '.runs[].iops *= (1 + 0.05 * ($boot % 3 - 1))'
	compare --vary kernel --floor noisy "$data/post" "$data/pre"
	exits 0
	says 'equivalent within +-'
	says floor
}

@test "icount: exact, in instructions per I/O" {
	local filter='.guest.kind = "icount" | .runs[].iops = 1000000 | .runs[].insn_per_io = 1000'
	"$make" pre 1 3 1 "$filter"
	"$make" post 2 3 1 "$filter | .runs[].insn_per_io = 1012.3"
	compare --vary kernel pre post
	exits 1
	says 'instructions per I/O'
	says 'exact: +1.23%'
	compare --vary kernel post pre
	exits 0
	says 'exact: -1.22%'
	compare --vary kernel --gate 2 pre post
	exits 0
	compare --vary kernel --metric iops pre post
	exits 0
	says 'exact: the same within 0.05%'
}

@test "--metric knows which direction is good" {
	compare --vary kernel --metric lat_mean "$data/pre" "$data/post"
	exits 0
	says 'mean latency'
	says faster
	says 25.
	compare --vary kernel --metric lat_mean "$data/post" "$data/pre"
	exits 1
	says slower
	"$make" post 2 6 5110000 '.runs[].sys_cpu = 20'
	compare --vary kernel --metric usr_cpu+sys_cpu "$data/pre" post
	exits 0
	says '98.6%'
	says less
	compare --vary kernel --metric speed "$data/pre" "$data/post"
	exits 2
	one_line
	"$make" post 2 6 5110000 '.runs[].lat_ns = null'
	compare --vary kernel --metric lat_p99 "$data/pre" post
	exits 0
	says n/a
	says 'lat_p99 is zero or was not recorded on a side'
}

@test "more than two sides: each against the first" {
	compare --vary kernel "$data/pre" "$data/post" "$data/equal"
	exits 0
	says 'Holm over 4 rows'
	says ' A       B '
	says ' A       C '
	compare --vary kernel --format list "$data/pre" "$data/post" "$data/equal"
	says 'Setup 1 C     |'
}

@test "list: below 72 columns, plain text, no tabs" {
	"$make" long 2 6 5161100 '.job.argv += ["--description=" + ("it'"'"'s a long one; " * 20)]
		| .job.env.ENGINES = "/a/rather/long/path" * 12
		| .runs[].section |= . + "-with-a-name-that-goes-on-and-on-for-quite-some-time"'
	local side
	for side in "$data/post" long; do
		compare --vary kernel --format list "$side" "$side"
		exits 0
		says 'Setup 1 pre   |'
		no '.{72}' -E
		no '[^\x20-\x7e]| $' -P
	done
}

@test "text: at most 100 columns, and a job's only section goes by the job's name" {
	"$make" odd 2 6 5161100 '.runs |= map(select(.section == "plain") | .section = "peak-1-thread")
		| .kernel.version = "#1 SMP PREEMPT_DYNAMIC " + ("2024 " * 30) | .kernel.config_hash = "c0" * 32'
	compare --vary kernel "$data/pre" odd
	exits 2
	"$make" even 1 6 5110000 '.runs |= map(select(.section == "plain") | .section = "peak-1-thread")'
	compare --vary kernel even odd
	exits 0
	says 'peak-1-thread    6:6 '
	says '"#1 SMP PREEMPT_DYNAMIC" -> "..PREEMPT_DYNAMIC 2024'
	no '.{101}' -E
	compare --vary kernel --equiv 30 --floor even even odd
	exits 0
	says 'equivalent within +-30%'
	no '.{101}' -E
}

@test "list: a table of setups and tests, means, and CPU" {
	"$make" both 2 4 5161100 '.device[0].serial = "S2" | .id += "x" | .runs |= map(select(.section == "plain"))'
	"$make" both 2 4 5161100
	compare --vary kernel --format list "$data/pre" both
	exits 0
	says 'Setup/Test    |    peak-1-thread'
	says '              |   iopoll    plain    Diff'
	says 'Setup 1 pre   |   5.110M    2.044M'
	says 'Setup 1 post  |   5.160M    2.064M   +0.9%'
	says '- pre         5,109,110.01 +-      16,238.46  6 boots'
	says 'ops/sec     CPU'
	says '5,110,166   98.6%'
	# Two setups, and what the second has not.
	compare --equiv 2 --format list both both
	says 'Setup 2: '
	says 'Setup 2 pre   |      N/A    2.064M'
	says '= equivalent'
}

@test "list: a setup has lines only where it has a test" {
	"$make" wide 2 2 5161100 '.job.name = "a-job-with-a-name-as-long-as-names-get"'
	"$make" wide 2 2 5161100 '.device[0].serial = "S2" | .id += "x"
		| .job.name = "another-job-with-a-name-that-is-as-long"'
	compare --format list wide wide
	exits 0
	says 'Setup 1 pre'
	says 'Setup 2 pre'
	no 'Setup [12] (pre|post) +\|( +N/A)+ *(none shown)?$' -E
}

@test "list: the commands can be pasted" {
	"$make" odd 2 1 5161100 '.job.argv += ["--description=it'"'"'s; $(touch pwned) `x` " + ("long " * 40)]
		| .job.env.ENGINES = "/a b/" + ("c" * 100)'
	compare --format list odd odd
	exits 0
	sed -n '/^peak-1-thread is:/,$p' <<<"$output" | sed -n '3,/^$/p' >cmd
	printf '%s\n' 'fio() { printf "%s\n" "$ENGINES" "$CPU" "$@"; }' "$(cat cmd)" >script
	bash script >said
	jq -r '.job | .env.ENGINES, .env.CPU, .argv[1:][]' odd/*.json >want
	diff want said
	[ ! -e pwned ]
}

@test "Markdown, CSV and JSON say the same" {
	compare --vary kernel --format md "$data/pre" "$data/post"
	says '| peak-1-thread/iopoll | 6:6 | 5.110M | 5.160M | +0.95% | +0.49..+1.32% | 0.0043 | faster |'
	compare --vary kernel --format csv "$data/pre" "$data/post"
	local csv=("${lines[@]}")
	compare --vary kernel --format json "$data/pre" "$data/post"
	[ "${csv[1]}" = "$(jq -r '.rows[0] | [.job, .section, .devices, .engine, .metric, .a, .b,
		(.boots_a | length), (.boots_b | length), .runs_a, .runs_b, .median_a, .median_b,
		.shift_percent, .lo_percent, .hi_percent, .level, .p, .p_holm, .floor_percent,
		.margin_percent, .verdict, (if .worse then 1 else 0 end)] | join(",")' <<<"$output")" ]
}

@test "names are not markup, escape sequences or formulas" {
	"$make" odd 2 1 5161100 '.runs[].section |= "a|b`c\u001b[31m,\"" + .'
	compare --format text odd odd
	[[ $output != *$'\033'* ]]
	compare --format md odd odd
	[[ $output == *'a\|b\`c?\[31m,"iopoll'* ]]
	compare --format csv odd odd
	says '"a|b`c'
	compare --format json odd odd
	jq -e '.rows[0].section | endswith("iopoll")' <<<"$output"
	compare --format text --plot odd.svg odd odd
	grep -q 'a|b_c' odd.svg
}

@test "--plot draws an SVG, the same every time" {
	command -v gnuplot >/dev/null || skip "no gnuplot"
	compare --vary kernel --equiv 0.8 --plot a.svg "$data/pre" "$data/post"
	exits 0
	compare --vary kernel --equiv 0.8 --plot b.svg "$data/pre" "$data/post"
	cmp a.svg b.svg
	[ "$(echo *)" = 'a.svg b.svg' ]
	[ "$(tail -n 1 a.svg)" = '</svg>' ] || [[ $(tail -n 3 a.svg) == *'</svg>'* ]]
	grep -q 'peak-1-thread/iopoll on S1/1' a.svg
	grep -q '+0.95 %' a.svg
	grep -q 'difference from the median of pre, percent' a.svg
	# One boot a side has no interval; exact ones are one point.
	compare --vary kernel --plot c.svg "$data/one-pre" "$data/one-post"
	exits 0
	grep -q 'within-boot only' c.svg
}

@test "--plot that can't be drawn leaves nothing" {
	mkdir bin
	run --separate-stderr env PATH="$PWD/bin" "$compare" --vary kernel --plot a.svg "$data/pre" "$data/post"
	exits 2
	complains 'apt-get install gnuplot'
	printf '#!/bin/sh\necho "line 7: no such thing" >&2\nexit 1\n' >bin/gnuplot
	chmod +x bin/gnuplot
	PATH=$PWD/bin:$PATH compare --vary kernel --plot a.svg "$data/pre" "$data/post"
	exits 2
	complains 'line 7: no such thing'
	compare --vary kernel --plot no/a.svg "$data/pre" "$data/post"
	exits 2
	complains 'no/a.svg: No such file or directory'
	[ "$(echo *)" = bin ]
}

@test "bad input: one line that names the file, exit 2" {
	local good f key
	good=$(cat "$data"/one-pre/*.json)
	mkdir bad
	printf '%s' "${good:0:1000}" >bad/truncated.json
	: >bad/empty.json
	printf '%s' "${good/\"iops\": /\"iops\": NaN, \"x\": }" >bad/nan.json
	printf '%s' "${good/\"iops\": /\"iops\": 1e999, \"x\": }" >bad/infinite.json
	printf '%s' "${good/\"iops\": /\"iops\": 5, \"iops\": }" >bad/duplicate.json
	printf '%s' "${good/\"schema\": 1/\"schema\": 2}" >bad/schema-2.json
	jq '.runs[0].iops = "fast"' <<<"$good" >bad/wrong-type.json
	jq '.runs[3].proof.nvme_irqs = 7' <<<"$good" >bad/wrong-proof.json
	echo '{"fio version": "fio-3.33", "jobs": []}' >bad/fio.json
	echo 'fio: engine iou_iopoll not loadable' >bad/text.json
	printf '[%.0s' {1..100000} >bad/deep.json
	printf '\x7fELF\x02\x01\x00\xff\xfe' >bad/binary.json
	printf '%s{}' "$good" >bad/two.json
	truncate -s 17M bad/huge.json
	ln -s /dev/zero bad/device.json
	ln -s /nonexistent bad/dangling.json
	mkfifo bad/fifo.json
	mkdir bad/folder.json
	for f in bad/*.json; do
		compare "$data/one-pre" "$f"
		exits 2
		one_line
		complains "fio-iou compare: $f: "
		compare --check "$f"
		exits 2
		one_line
	done
	while read -r f key; do
		compare bad/"$f".json "$data/one-pre"
		complains "$key"
	done <<-'END'
		truncated cut short
		nan runs[0].iops
		infinite runs[0].iops
		duplicate the key "iops" twice
		schema-2 schema is 2, and this reads 1
		wrong-type runs[0].iops
		wrong-proof runs[3].proof.nvme_irqs
		fio is this a fio-iou record?
		folder no record (*.json)
		fifo neither a file nor a folder
		device neither a file nor a folder
		huge larger than 16 MiB
	END
	# One bad record in a folder is enough.
	mkdir folder
	cp "$data"/one-pre/*.json bad/truncated.json folder
	compare folder "$data/one-pre"
	exits 2
	complains 'folder/truncated.json: is cut short'
}

@test "a record still being written is not read" {
	cp -r "$data/one-pre" pre
	echo '{' >pre/.tmp.json
	compare --vary kernel pre "$data/one-post"
	exits 0
}

@test "--check takes what is a record" {
	compare --check "$data/pre" "$data"/post/*.json
	exits 0
	[ -z "$output$stderr" ]
}

@test "options: what is wrong is said in one line" {
	local args
	while read -r args; do
		# shellcheck disable=SC2086
		compare $args
		exits 2
		one_line
	done <<-END

		$data/pre
		--floor
		--nonsense $data/pre $data/post
		--equiv x $data/pre $data/post
		--equiv -1 $data/pre $data/post
		--equiv nan $data/pre $data/post
		--alpha 0 $data/pre $data/post
		--alpha 1 $data/pre $data/post
		--gate 5% $data/pre $data/post
		--format html $data/pre $data/post
		--check
		/nonexistent $data/post
		--floor /nonexistent $data/pre $data/post
	END
	compare --help
	exits 0
	says 'usage: fio-iou compare'
	no '.{81}' -E
	run -2 bash -c "'$compare' --vary kernel '$data/pre' '$data/post' >/dev/full"
}
