// SPDX-License-Identifier: GPL-2.0
/* Pairs of rows, and what may be said about each. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"

/* Fewer could be the same by chance. */
#define EXACT_BOOTS	3

static bool all_have(const struct row *row, enum metric_id metric)
{
	size_t i, j;

	for (i = 0; i < row->nboots; i++) {
		for (j = 0; j < row->boot[i].nruns; j++) {
			if (isnan(row->boot[i].run[j]->value[metric]))
				return false;
		}
	}
	return true;
}

enum metric_id judge_metric(const struct rules *rules, const struct row *a,
			    const struct row *b)
{
	if (rules->metric != M_COUNT)
		return rules->metric;
	/* Where time is counted in instructions, call it that. */
	if (a->rec->icount && b->rec->icount && all_have(a, M_INSN) &&
	    all_have(b, M_INSN))
		return M_INSN;
	return M_IOPS;
}

double pair_margin(const struct pair *pair, const struct rules *rules)
{
	return isnan(rules->equiv) ? pair->floor : rules->equiv;
}

static bool all_positive(const double *v, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (!(v[i] > 0))
			return false;
	}
	return n > 0;
}

static bool repeats(const double *v, size_t n)
{
	double lo = v[0], hi = v[0];
	size_t i;

	for (i = 1; i < n; i++) {
		lo = fmin(lo, v[i]);
		hi = fmax(hi, v[i]);
	}
	return n >= EXACT_BOOTS && (hi / lo - 1) * 100 <= EXACT_PERCENT;
}

/* All that can be said before Holm has seen the other rows. */
static void measure(struct pair *pair, const struct rules *rules)
{
	pair->va = xcalloc(pair->a->nboots, sizeof(*pair->va));
	pair->vb = xcalloc(pair->b->nboots, sizeof(*pair->vb));
	pair->na = row_values(pair->a, pair->metric, pair->va);
	pair->nb = row_values(pair->b, pair->metric, pair->vb);
	pair->median_a = stats_median(pair->va, pair->na);
	pair->median_b = stats_median(pair->vb, pair->nb);
	pair->p = pair->p_holm = NAN;

	if (pair->a->refused || pair->b->refused) {
		pair->verdict = V_REFUSED;
		return;
	}
	if (!all_positive(pair->va, pair->na) || !all_positive(pair->vb, pair->nb)) {
		pair->verdict = V_NO_VALUE;
		return;
	}
	stats_shift(pair->va, pair->na, pair->vb, pair->nb, rules->alpha,
		    &pair->shift);
	if (pair->a->rec->icount && pair->b->rec->icount &&
	    repeats(pair->va, pair->na) && repeats(pair->vb, pair->nb)) {
		pair->verdict = V_EXACT;
		return;
	}
	if (pair->na == 1 || pair->nb == 1) {
		pair->verdict = V_WITHIN_BOOT;
		return;
	}
	pair->p = stats_mann_whitney(pair->va, pair->na, pair->vb, pair->nb);
}

static enum verdict tested_verdict(const struct pair *pair,
				   const struct rules *rules)
{
	double margin = pair_margin(pair, rules), shift = pair->shift.percent;

	if (pair->shift.level >= 1 - rules->alpha &&
	    pair->shift.lo > -margin && pair->shift.hi < margin)
		return V_EQUIVALENT;
	/* Two halves of one kernel are as far apart as the floor. */
	if (pair->p_holm >= rules->alpha || fabs(shift) <= pair->floor)
		return V_CANT_TELL;
	return shift > 0 ? V_MORE : V_LESS;
}

static bool is_worse(const struct pair *pair, const struct rules *rules)
{
	bool less_is_better = metrics[pair->metric].less_is_better;
	double shift = pair->shift.percent;
	/* The end of the interval that is nearest to no harm. */
	double mildest = less_is_better ? pair->shift.lo : -pair->shift.hi;

	if (less_is_better)
		shift = -shift;
	if (pair->verdict == V_EXACT)
		return -shift > fmax(EXACT_PERCENT, isnan(rules->gate) ?
			pair_margin(pair, rules) : rules->gate);
	if (isnan(pair->p))
		return false;
	/* A gate asks for more than a difference, never for less. */
	if (shift >= 0 || (pair->verdict != V_MORE && pair->verdict != V_LESS))
		return false;
	return isnan(rules->gate) || (pair->shift.level >= 1 - rules->alpha &&
				      mildest > rules->gate);
}

static void judge(struct comparison *cmp)
{
	double *p = xcalloc(cmp->npairs, sizeof(*p));
	struct pair *pair;
	size_t i, n = 0;

	for (i = 0; i < cmp->npairs; i++) {
		if (!isnan(cmp->pair[i].p))
			p[n++] = cmp->pair[i].p;
	}
	cmp->tests = n;
	stats_holm(p, n);
	for (i = n = 0; i < cmp->npairs; i++) {
		pair = &cmp->pair[i];
		if (!isnan(pair->p)) {
			pair->p_holm = p[n++];
			pair->verdict = tested_verdict(pair, cmp->rules);
		}
		pair->worse = is_worse(pair, cmp->rules);
	}
	free(p);
}

static double floor_of(const struct side *floor, const struct pair *pair)
{
	const struct row *row = floor ? side_find(floor, pair->a) : NULL;
	double *v, percent = NAN;
	size_t n;

	if (!row || row->refused)
		return NAN;
	v = xcalloc(row->nboots, sizeof(*v));
	n = row_values(row, pair->metric, v);
	if (all_positive(v, n))
		percent = stats_floor(v, n);
	free(v);
	return percent;
}

static void add_pair(struct comparison *cmp, const struct side *sb,
		     const struct row *a, const struct row *b,
		     const struct side *floor)
{
	struct pair *pair;

	cmp->pair = xgrow(cmp->pair, cmp->npairs, sizeof(*pair));
	pair = &cmp->pair[cmp->npairs++];
	pair->sa = cmp->side;
	pair->sb = sb;
	pair->a = a;
	pair->b = b;
	pair->metric = judge_metric(cmp->rules, a, b);
	pair->floor = floor_of(floor, pair);
	measure(pair, cmp->rules);
}

static void add_unpaired(struct comparison *cmp, const struct side *in,
			 const struct side *not_in, const struct row *row)
{
	struct unpaired *u;

	cmp->unpaired = xgrow(cmp->unpaired, cmp->nunpaired, sizeof(*u));
	u = &cmp->unpaired[cmp->nunpaired++];
	u->in = in;
	u->not_in = not_in;
	u->row = row;
}

static bool known(const struct differences *list, const struct difference *d)
{
	size_t i;

	for (i = 0; i < list->n; i++) {
		if (!strcmp(list->diff[i].key, d->key) &&
		    !strcmp(list->diff[i].a, d->a) &&
		    !strcmp(list->diff[i].b, d->b))
			return true;
	}
	return false;
}

static void keep(struct differences *list, const struct difference *d,
		 const char *job, const char *side)
{
	struct difference *to;

	if (known(list, d))
		return;
	list->diff = xgrow(list->diff, list->n, sizeof(*list->diff));
	to = &list->diff[list->n++];
	to->key = xstrdup(d->key);
	to->a = xstrdup(d->a);
	to->b = xstrdup(d->b);
	to->declared = d->declared;
	to->job = job;
	to->side = side;
}

/* The records of a row stand for all of their job: see side_init(). */
static void check_meta(struct comparison *cmp, const struct row *a,
		       const struct row *b, const struct vary *vary,
		       const char *side, struct differences *invalid)
{
	struct differences all = { NULL, 0 };
	struct meta ma, mb;
	size_t i;

	meta_read(&ma, a->rec);
	meta_read(&mb, b->rec);
	meta_compare(&all, &ma, &mb, vary);
	for (i = 0; i < all.n; i++)
		keep(all.diff[i].declared ? &cmp->varied : invalid,
		     &all.diff[i], a->rec->job, side);
	differences_free(&all);
	meta_free(&ma);
	meta_free(&mb);
}

/* The floor may be of any kernel, else of the same circumstances. */
static void check_floor(struct comparison *cmp, const struct side *floor,
			struct differences *invalid)
{
	const struct vary *asked = &cmp->rules->vary;
	struct vary any_kernel = { xcalloc(asked->n + 3, sizeof(char *)), asked->n + 3 };
	struct differences varied = cmp->varied;
	const struct row *row;
	size_t i;

	any_kernel.key[0] = "kernel";
	any_kernel.key[1] = "kernel.cmdline";
	any_kernel.key[2] = "kernel.debug";
	for (i = 0; i < asked->n; i++)
		any_kernel.key[3 + i] = asked->key[i];

	/* What the floor varies is not what the comparison varies. */
	memset(&cmp->varied, 0, sizeof(cmp->varied));
	for (i = 0; i < cmp->side->nrows; i++) {
		row = side_find(floor, &cmp->side->row[i]);
		if (row)
			check_meta(cmp, &cmp->side->row[i], row, &any_kernel,
				   floor->label, invalid);
	}
	differences_free(&cmp->varied);
	cmp->varied = varied;
	free(any_kernel.key);
}

static void pair_rows(struct comparison *cmp, const struct side *sb,
		      const struct side *floor, struct differences *invalid)
{
	const struct side *sa = cmp->side;
	struct row *b;
	size_t i;

	for (i = 0; i < sa->nrows; i++) {
		b = side_find(sb, &sa->row[i]);
		if (!b) {
			add_unpaired(cmp, sa, sb, &sa->row[i]);
			continue;
		}
		check_meta(cmp, &sa->row[i], b, &cmp->rules->vary, sb->label,
			   invalid);
		add_pair(cmp, sb, &sa->row[i], b, floor);
	}
	for (i = 0; i < sb->nrows; i++) {
		if (!side_find(sa, &sb->row[i]))
			add_unpaired(cmp, sb, sa, &sb->row[i]);
	}
}

int compare_sides(struct comparison *cmp, const struct rules *rules,
		  const struct side *sides, size_t nsides,
		  const struct side *floor, struct differences *invalid)
{
	size_t i;

	memset(cmp, 0, sizeof(*cmp));
	memset(invalid, 0, sizeof(*invalid));
	cmp->rules = rules;
	cmp->side = sides;
	cmp->nsides = nsides;
	if (floor)
		check_floor(cmp, floor, invalid);
	for (i = 1; i < nsides; i++)
		pair_rows(cmp, &sides[i], floor, invalid);
	if (invalid->n)
		return -EINVAL;
	judge(cmp);
	return 0;
}

bool comparison_lost(const struct comparison *cmp)
{
	const struct unpaired *u;
	const struct pair *p;

	for_each(u, cmp->unpaired, cmp->nunpaired) {
		if (u->in == cmp->side && side_failed(u->not_in, u->row))
			return true;
	}
	/* in some boots: what is left says nothing of those */
	for_each(p, cmp->pair, cmp->npairs) {
		if (side_failed(p->sb, p->b) && !side_failed(p->sa, p->a))
			return true;
	}
	return false;
}

void comparison_free(struct comparison *cmp)
{
	size_t i;

	for (i = 0; i < cmp->npairs; i++) {
		free(cmp->pair[i].va);
		free(cmp->pair[i].vb);
	}
	free(cmp->pair);
	free(cmp->unpaired);
	differences_free(&cmp->varied);
	memset(cmp, 0, sizeof(*cmp));
}
