# Aligns tab-separated cells: the first two columns left, figures right, the
# reason of a failed row as it is. Lines that begin with # come last, bare.
BEGIN { FS = "\t" }
/^#/ { notes = notes substr($0, 2) "\n"; next }
{
	line[++n] = $0
	for (i = 1; i <= NF; i++)
		if ((i < 3 || NF > 3) && length($i) > width[i])
			width[i] = length($i)
}
END {
	for (l = 1; l <= n; l++) {
		cells = split(line[l], cell, "\t")
		out = ""
		for (i = 1; i <= cells; i++) {
			if (i < 3)
				out = out sprintf("%-" width[i] "s  ", cell[i])
			else if (cells == 3)
				out = out cell[i]
			else
				out = out sprintf("%" width[i] "s  ", cell[i])
		}
		sub(/ +$/, "", out)
		print out
	}
	printf "%s", notes
}
