/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FIO_IOU_JUDGE_H
#define FIO_IOU_JUDGE_H

#include "side.h"
#include "stats.h"

/*
 * How well counted instructions repeat, in percent of them: the counted code is
 * the same in each boot, but what else a guest does in that second is not quite.
 */
#define EXACT_PERCENT	0.05

enum verdict {
	V_CANT_TELL,
	V_MORE,		/* the metric rose: metrics[].more says what that is */
	V_LESS,
	V_EQUIVALENT,
	V_EXACT,	/* instruction counts, as good as the same at every boot */
	V_WITHIN_BOOT,	/* one boot on a side */
	V_NO_VALUE,	/* the metric was not recorded, or is zero */
	V_REFUSED,	/* the path was not proven */
};

/* What was asked for; NAN is "not asked". */
struct rules {
	enum metric_id	metric;		/* M_COUNT: IOPS, or instructions */
	double		alpha;
	double		equiv;		/* percent */
	double		gate;		/* percent */
	struct vary	vary;
};

/* One row on two sides. */
struct pair {
	const struct side	*sa, *sb;
	const struct row	*a, *b;
	enum metric_id		metric;
	double			*va, *vb;	/* one value per boot */
	size_t			na, nb;
	double			median_a, median_b;
	struct shift		shift;
	double			p, p_holm;	/* NAN where no test was made */
	double			floor;		/* percent, or NAN */
	enum verdict		verdict;
	bool			worse;		/* by the rules, a regression */
};

struct unpaired {
	const struct side	*in, *not_in;
	const struct row	*row;
};

struct comparison {
	const struct rules	*rules;
	const struct side	*side;
	size_t			nsides;
	struct pair		*pair;
	size_t			npairs;
	struct unpaired		*unpaired;
	size_t			nunpaired;
	size_t			tests;		/* made, for Holm */
	struct differences	varied;		/* declared with --vary */
};

/*
 * Pair the rows of every further side with the first side's, and judge them.
 * @floor may be NULL. Returns -EINVAL when two sides were made under different
 * circumstances: @invalid then has each key that was not declared.
 */
int compare_sides(struct comparison *cmp, const struct rules *rules,
		  const struct side *sides, size_t nsides,
		  const struct side *floor, struct differences *invalid);
void comparison_free(struct comparison *cmp);

/* Has a further side failed where the first has a result? */
bool comparison_lost(const struct comparison *cmp);

/* The metric to use for that row on both its sides. */
enum metric_id judge_metric(const struct rules *rules, const struct row *a,
			    const struct row *b);

/* The margin within which a difference is none, in percent, or NAN. */
double pair_margin(const struct pair *pair, const struct rules *rules);

#endif
