# Counters of the path, read at one go from /proc/stat, /proc/interrupts and the
# devices' stat files, as lines for kv.sh: "path/WHEN n value".
#
# ctrls: NVMe controllers; cpus: pinned CPUs; when: before or after. With
# what=irqs, only the numbers of the interrupts.
BEGIN {
	OFS = "\t"
	gsub(/ /, "|", ctrls)
	# The admin queue (q0) is not on the path.
	queue = "^(" ctrls ")q[1-9][0-9]*$"
	n = split(cpus, list, " ")
	for (i = 1; i <= n; i++)
		pinned["cpu" list[i]] = 1
}
FILENAME ~ /interrupts$/ {
	if (ctrls == "" || $NF !~ queue)
		next
	if (what == "irqs")
		print $1 + 0
	for (i = 2; i < NF && $i ~ /^[0-9]+$/; i++)
		irqs += $i
	next
}
# user nice system idle iowait irq softirq steal
$1 in pinned {
	t = $2 + $3 + $4 + $7 + $8 + $9
	busy += t
	total += t + $5 + $6
}
# reads, writes and discards completed
$1 ~ /^[0-9]+$/ {
	ios += $1 + $5 + $12
	disks++
}
END {
	if (what == "irqs")
		exit
	if (ctrls != "")
		print "nvme_irqs/" when, "n", irqs + 0
	if (disks)
		print "device_ios/" when, "n", ios + 0
	print "cpu/" when "/total", "n", total + 0
	print "cpu/" when "/busy", "n", busy + 0
}
