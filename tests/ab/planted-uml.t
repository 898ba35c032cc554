#!/usr/bin/env bash
# A slow-down that is there is found by the clock: 67 instructions a request,
# planted in null_blk's completion, in UML. That is one or two in a hundred, so
# the machine must have nothing else to do.
# shellcheck source-path=SCRIPTDIR source=trees.sh
. "$(dirname "$0")/trees.sh"

# What the planted loop takes here, in ns: nobody's word for it but the CPU's.
cat > "$work/loop.c" <<'C'
#include <stdio.h>
#include <time.h>

int main(void)
{
	struct timespec a, b;
	double best = 1e9;

	for (int round = 0; round < 50; round++) {
		clock_gettime(CLOCK_MONOTONIC, &a);
		for (int i = 0; i < 100000; i++) {
			unsigned int burn = 33;

			__asm__ volatile("1: dec %0; jnz 1b" : "+r" (burn) : : "cc");
		}
		clock_gettime(CLOCK_MONOTONIC, &b);
		double ns = ((b.tv_sec - a.tv_sec) * 1e9 + b.tv_nsec - a.tv_nsec) / 100000;

		best = ns < best ? ns : best;
	}
	printf("%.2f\n", best);
	return 0;
}
C
gcc -O2 -o "$work/loop" "$work/loop.c"
loop_ns=$("$work/loop")

# By the clock it takes as many boots as the machine is noisy: an A/B with the
# same folder goes on.
for boots in 10 20 30; do
	ab uml --guest uml --pre "$tree@base" --post "$tree@slow" --boots $boots \
		-t 1 -n 5 peak-1-thread
	[ "$(verdicts uml)" = "can't tell" ] || break
	diag "$boots boots a side cannot tell"
done
diag "$(cat "$work/uml.txt")"
is "UML: the planted slow-down is called slower" "$(verdicts uml)" slower
is "UML: and that is status 1" "$rc" 1
# a request takes that much longer, or the interval is wrong
size=$(jq -r --argjson ns "$loop_ns" '.rows[0] | (1e9 / .median_a) as $t | ($t / ($t + $ns) - 1) * 100' "$work/uml.json")
diag "the loop takes $loop_ns ns here, of a request $size %"
is "UML: its size is in the interval" \
	"$(jq -r --argjson size "$size" '.rows[0] | .lo_percent <= $size and $size <= .hi_percent' "$work/uml.json")" true
done_testing
