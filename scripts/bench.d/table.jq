# A suite of bench.json as Markdown, which reads well on a terminal too.
def pad($n): tostring | . + " " * ([$n - length, 0] | max);
def lead($n): tostring | " " * ([$n - length, 0] | max) + .;
def fixed($d): . * pow(10; $d) | round | tostring
	| if $d == 0 then . else
		(if length <= $d then "0" * ($d + 1 - length) + . else . end)
		| .[:-$d] + "." + .[-$d:] end;
def rate: if . == null then "-"
	elif . >= 1e6 then (. / 1e6 | fixed(3)) + "M"
	elif . >= 1e3 then (. / 1e3 | fixed(2)) + "K"
	else fixed(2) end;
def range: if . == null then "-" | pad(13) else "\(.[0] | fixed(3)) – \(.[1] | fixed(3))" end;

"### \(.suite): \(.unit), in \(.where) (Linux \(.kernel)), \(.rounds) rounds of \(.seconds) s",
"",
"| program              |   median |      min |      max | per enter | processor |",
"|----------------------|---------:|---------:|---------:|----------:|----------:|",
(.programs[] | "| \(.name | pad(20)) | \(.median | rate | lead(8)) | \(.values | min | rate | lead(8)) | \(.values | max | rate | lead(8)) | \(if .per_enter == null then "-" else .per_enter | fixed(2) end | lead(9)) | \(if .cpu == null then "-" else .cpu * 100 | fixed(0) + " %" end | lead(9)) |"),
"",
"| ratio                                    | median | 95 % interval | min – max     | target | verdict |",
"|------------------------------------------|-------:|---------------|---------------|-------:|---------|",
(.ratios[] | "| \(.ours + " / " + .peer | pad(40)) | \(.median | fixed(3) | lead(6)) | \(.interval | range) | \([.min, .max] | range) | \(if .target == null then "" else (if .limit == "at-most" then "≤" else "≥" end) + (.target | fixed(2)) end | lead(6)) | \(.verdict)\(if .noise then ", within noise" else "" end)\(if .disturbed > 0 then " (\(.disturbed) disturbed)" else "" end) |"),
""
