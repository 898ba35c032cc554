/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FIO_IOU_SIDE_H
#define FIO_IOU_SIDE_H

#include "meta.h"
#include "record.h"

/* The runs of a row that come from one boot: one value of the sample. */
struct boot {
	const char		*id;
	const struct run	**run;
	size_t			nruns;
};

/* One section of one job on one set of devices. */
struct row {
	char			*name;		/* job/section, or job where they are the same */
	const char		*engine;
	const struct record	*rec;		/* the first one; for its job and host */
	const char		*section;
	struct boot		*boot;
	size_t			nboots;
	char			*refused;	/* why its path is not proven, or NULL */
};

/* A run, or a whole record, that has no result. */
struct failure {
	const struct record	*rec;
	const char		*section;	/* NULL for a whole record */
	const char		*why;
};

struct side {
	const char		*path;
	char			label[8];	/* pre, post; or A, B, C… */
	struct record		*rec;
	size_t			nrecs;
	struct row		*row;
	size_t			nrows;
	struct failure		*failure;
	size_t			nfailures;
};

/*
 * Load @path and lay its runs out in rows. Fails when a record is no record,
 * or when the records of one job were not made under the same circumstances:
 * then it isn't one side.
 */
int side_load(struct side *side, const char *path, const char *label,
	      struct err *err);
/* The same from records that are loaded; they become the side's. */
int side_init(struct side *side, struct record *recs, size_t n, struct err *err);
void side_free(struct side *side);

/* The row with the same job, section and devices, or NULL. */
struct row *side_find(const struct side *side, const struct row *row);

/* Has a run of this job, and of this section if it says which, failed? */
bool side_failed(const struct side *side, const struct row *row);

/*
 * The median of each boot's runs, in @value (room for row->nboots); a boot
 * without the metric is left out. Returns how many there are.
 */
size_t row_values(const struct row *row, enum metric_id metric, double *value);
size_t row_runs(const struct row *row);

#endif
