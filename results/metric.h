/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FIO_IOU_METRIC_H
#define FIO_IOU_METRIC_H

#include <stdbool.h>
#include <stddef.h>

enum metric_id {
	M_IOPS, M_BW, M_BEST_SECOND, M_LAT_MEAN, M_LAT_P50, M_LAT_P99,
	M_LAT_P999, M_USR_CPU, M_SYS_CPU, M_CPU, M_CTX, M_INSN, M_COUNT,
};

enum metric_unit { U_COUNT, U_BYTES, U_NSEC, U_PERCENT };

struct metric {
	const char		*name;		/* as --metric takes it */
	const char		*title;		/* as a table's head says it */
	enum metric_unit	unit;
	bool			less_is_better;
	const char		*more, *less;	/* what a run of more or less is */
};

extern const struct metric metrics[M_COUNT];

/* The metric of that name, or M_COUNT. */
enum metric_id metric_find(const char *name);

/* A value for people: four digits and a unit. At least 32 bytes of @buf. */
const char *metric_print(char *buf, size_t size, enum metric_unit unit, double v);
/* The same with thousands separated by commas, and @digits after the point. */
const char *metric_print_long(char *buf, size_t size, double v, int digits);

#endif
