// SPDX-License-Identifier: GPL-2.0
/* What can be compared, which direction is good, and how it is written. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "metric.h"

const struct metric metrics[M_COUNT] = {
	[M_IOPS]	= { "iops", "IOPS", U_COUNT, false, "faster", "slower" },
	[M_BW]		= { "bw", "bytes/s", U_BYTES, false, "faster", "slower" },
	[M_BEST_SECOND]	= { "best_second", "best second's IOPS", U_COUNT, false, "faster", "slower" },
	[M_LAT_MEAN]	= { "lat_mean", "mean latency", U_NSEC, true, "slower", "faster" },
	[M_LAT_P50]	= { "lat_p50", "median latency", U_NSEC, true, "slower", "faster" },
	[M_LAT_P99]	= { "lat_p99", "99 % latency", U_NSEC, true, "slower", "faster" },
	[M_LAT_P999]	= { "lat_p999", "99.9 % latency", U_NSEC, true, "slower", "faster" },
	[M_USR_CPU]	= { "usr_cpu", "user CPU", U_PERCENT, true, "more", "less" },
	[M_SYS_CPU]	= { "sys_cpu", "system CPU", U_PERCENT, true, "more", "less" },
	[M_CPU]		= { "usr_cpu+sys_cpu", "CPU", U_PERCENT, true, "more", "less" },
	[M_CTX]		= { "ctx", "context switches", U_COUNT, true, "more", "less" },
	[M_INSN]	= { "insn_per_io", "instructions per I/O", U_COUNT, true, "more", "less" },
};

enum metric_id metric_find(const char *name)
{
	int i;

	for (i = 0; i < M_COUNT; i++) {
		if (!strcmp(name, metrics[i].name))
			break;
	}
	return i;
}

/* Four digits, however many of them are before the point. */
static void four_digits(char *buf, size_t size, double v, const char *unit)
{
	int before = v >= 1 ? (int)floor(log10(v)) + 1 : 1;

	/* 9.9999 is written 10.00. */
	if (v >= 1 && round(v * pow(10, 4 - before)) >= 1e4)
		before++;
	snprintf(buf, size, "%.*f%s", before < 4 ? 4 - before : 0, v, unit);
}

const char *metric_print(char *buf, size_t size, enum metric_unit unit, double v)
{
	static const char *const count[] = { "", "K", "M", "G", "T", "P" };
	static const char *const bytes[] = { "B", "kB", "MB", "GB", "TB", "PB" };
	static const char *const nsec[] = { "ns", "us", "ms", "s" };
	const char *const *step = unit == U_BYTES ? bytes :
				  unit == U_NSEC ? nsec : count;
	int last = unit == U_NSEC ? 3 : 5, i = 0;

	if (!isfinite(v)) {
		snprintf(buf, size, "n/a");
	} else if (unit == U_PERCENT) {
		snprintf(buf, size, "%.1f%%", v);
	} else if (v >= 1e18) {
		snprintf(buf, size, "%.3e", v);
	} else {
		/* 999,950 is 1.000M already. */
		for (; v >= 999.95 && i < last; i++)
			v /= 1000;
		four_digits(buf, size, v, step[i]);
	}
	return buf;
}

const char *metric_print_long(char *buf, size_t size, double v, int digits)
{
	char plain[64];
	size_t len, whole, i, at = 0;

	if (!isfinite(v) || fabs(v) >= 1e18) {
		snprintf(buf, size, isfinite(v) ? "%.3e" : "n/a", v);
		return buf;
	}
	len = snprintf(plain, sizeof(plain), "%.*f", digits, v);
	whole = digits ? len - digits - 1 : len;
	for (i = 0; i < len && at + 2 < size; i++) {
		if (i && i < whole && (whole - i) % 3 == 0 && plain[i - 1] != '-')
			buf[at++] = ',';
		buf[at++] = plain[i];
	}
	buf[at] = '\0';
	return buf;
}
