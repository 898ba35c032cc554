/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FIO_IOU_LIST_H
#define FIO_IOU_LIST_H

#include "table.h"

#define LIST_COLUMNS	71

/* What is shown: one metric of every pair that has figures. */
struct list {
	const struct comparison	*cmp;
	enum metric_id		metric;
	const char		**setup;	/* devices, as the rows name them */
	size_t			nsetups;
	const struct row	**test;		/* one of each job and section */
	size_t			ntests;
	int			*width;		/* of each test's column */
	FILE			*out;
};

void list_init(struct list *l, const struct comparison *cmp,
	       enum metric_id metric, FILE *out);
void list_free(struct list *l);
/* Setups as rows, tests as columns. */
void list_setups(const struct list *l);

/* Has the pair figures, and of this metric? */
bool list_shows(const struct list *l, const struct pair *p);
/* At most @width bytes of it; to be freed. */
char *list_cut(const char *s, int width);
void list_rule(const struct list *l, int width);

#endif
