// SPDX-License-Identifier: GPL-2.0
/* The table of setups and tests, in as many blocks as its width takes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "list.h"

#define LABEL	15	/* "Setup 1 post  |" */
#define DIFF	16	/* "  -12.3..+45.6%" */

static bool same_test(const struct row *a, const struct row *b)
{
	return !strcmp(a->rec->job, b->rec->job) && !strcmp(a->section, b->section);
}

static void remember_setup(struct list *l, const char *devices)
{
	size_t i;

	for (i = 0; i < l->nsetups; i++) {
		if (!strcmp(l->setup[i], devices))
			return;
	}
	l->setup = xgrow(l->setup, l->nsetups, sizeof(*l->setup));
	l->setup[l->nsetups++] = devices;
}

static void remember_test(struct list *l, const struct row *row)
{
	size_t i;

	for (i = 0; i < l->ntests; i++) {
		if (same_test(l->test[i], row))
			return;
	}
	l->test = xgrow(l->test, l->ntests, sizeof(*l->test));
	l->test[l->ntests++] = row;
}

static int clamp(size_t len, int least, int most)
{
	return len < (size_t)least ? least : len > (size_t)most ? most : (int)len;
}

/* The last test of the same job, from @i on. */
static size_t job_end(const struct list *l, size_t i)
{
	const char *job = l->test[i]->rec->job;

	while (i < l->ntests && !strcmp(l->test[i]->rec->job, job))
		i++;
	return i;
}

/* A column holds its section's name, and a job's columns the job's. */
static void measure_columns(struct list *l)
{
	size_t i, end, used;
	int job;

	l->width = xcalloc(l->ntests, sizeof(*l->width));
	for (i = 0; i < l->ntests; i = end) {
		job = clamp(strlen(l->test[i]->rec->job), 0, 38);
		for (end = job_end(l, i), used = 0; i < end; i++) {
			l->width[i] = clamp(strlen(l->test[i]->section), 8, 38);
			used += l->width[i] + 2;
		}
		if ((int)used < job + 2)
			l->width[end - 1] += job + 2 - used;
	}
}

void list_init(struct list *l, const struct comparison *cmp,
		      enum metric_id metric, FILE *out)
{
	const struct pair *p;

	*l = (struct list){ .cmp = cmp, .metric = metric, .out = out };
	for_each(p, cmp->pair, cmp->npairs) {
		if (!list_shows(l, p))
			continue;
		if (*p->a->rec->devices)
			remember_setup(l, p->a->rec->devices);
		remember_test(l, p->a);
	}
	/* Only tests that use no device. */
	if (!l->nsetups && l->ntests)
		remember_setup(l, "");
	measure_columns(l);
}

void list_free(struct list *l)
{
	free(l->setup);
	free(l->test);
	free(l->width);
}

/* Tests without a device are shown with the first setup. */
static const struct pair *pair_at(const struct list *l, size_t setup,
				  const struct side *sb, size_t test)
{
	const struct pair *p;
	const char *devices;

	for_each(p, l->cmp->pair, l->cmp->npairs) {
		devices = *p->a->rec->devices ? p->a->rec->devices : l->setup[0];
		if (list_shows(l, p) && p->sb == sb &&
		    same_test(p->a, l->test[test]) &&
		    !strcmp(devices, l->setup[setup]))
			return p;
	}
	return NULL;
}

static bool is_certain(const struct pair *p)
{
	return p->verdict == V_MORE || p->verdict == V_LESS ||
		p->verdict == V_EXACT;
}

/* From the least to the greatest difference that was shown in these tests. */
static void diff_print(const struct list *l, size_t setup,
		       const struct side *sb, size_t from, size_t to)
{
	double least = INFINITY, most = -INFINITY;
	const struct pair *p;
	size_t i;

	for (i = from; i < to; i++) {
		p = pair_at(l, setup, sb, i);
		if (p && is_certain(p)) {
			least = fmin(least, p->shift.percent);
			most = fmax(most, p->shift.percent);
		}
	}
	if (most < least)
		fputs("  none shown", l->out);
	else if (fabs(most - least) < 0.05)
		fprintf(l->out, "  %+.1f%%", least);
	else if (least >= 0)
		fprintf(l->out, "  %+.1f-%.1f%%", least, most);
	else
		fprintf(l->out, "  %+.1f..%+.1f%%", least, most);
}

/* The pair that has this side's value: the first side's is in any of them. */
static const struct pair *pair_of(const struct list *l, size_t setup,
				  const struct side *side, size_t test)
{
	const struct pair *p = NULL;
	const struct side *sb;

	if (side != l->cmp->side)
		return pair_at(l, setup, side, test);
	for (sb = side + 1; !p && sb < side + l->cmp->nsides; sb++)
		p = pair_at(l, setup, sb, test);
	return p;
}

static void value_print(const struct list *l, const struct pair *p, bool first,
			int width)
{
	char value[32] = "N/A";
	char mark = ' ';

	if (p)
		metric_print(value, sizeof(value), metrics[l->metric].unit,
			     first ? p->median_a : p->median_b);
	if (p && !first && !is_certain(p))
		mark = p->verdict == V_EQUIVALENT ? '=' : '?';
	fprintf(l->out, " %*s%c", width, value, mark);
}

static void setup_line(const struct list *l, size_t setup,
		       const struct side *side, size_t from, size_t to)
{
	bool first = side == l->cmp->side;
	size_t i;

	fprintf(l->out, "Setup %zu %-4s%s|", setup + 1, side->label,
		setup < 9 ? "  " : " ");
	for (i = from; i < to; i++)
		value_print(l, pair_of(l, setup, side, i), first, l->width[i]);
	if (!first)
		diff_print(l, setup, side, from, to);
	fputc('\n', l->out);
}

static void centred(const struct list *l, const char *text, int width)
{
	char *s = list_cut(text, width);
	int left = (width - (int)strlen(s)) / 2;

	fprintf(l->out, "%*s%s%*s", left, "", s, width - left - (int)strlen(s), "");
	free(s);
}

/* A section of its job's name is the job itself. */
static const char *section_name(const struct row *row)
{
	return strcmp(row->section, row->rec->job) ? row->section : "";
}

/* The jobs, and where they have sections, a line with those below. */
static void setups_head(const struct list *l, size_t from, size_t to)
{
	bool sections = false;
	size_t i, end;
	int width;

	fputs("Setup/Test    |", l->out);
	for (i = from; i < to; i = end) {
		width = -2;
		for (end = i; end < to && end < job_end(l, i); end++)
			width += l->width[end] + 2;
		fputs("  ", l->out);
		centred(l, l->test[i]->rec->job, width);
	}
	for (i = from; i < to; i++)
		sections = sections || *section_name(l->test[i]);
	if (sections)
		fputs("\n              |", l->out);
	for (i = from; sections && i < to; i++) {
		fputs("  ", l->out);
		centred(l, section_name(l->test[i]), l->width[i]);
	}
	fputs("  Diff\n", l->out);
}

/* A job of two devices is a setup of its own, which has no other test. */
static bool setup_has_any(const struct list *l, size_t setup, size_t from, size_t to)
{
	size_t i;

	for (i = from; i < to; i++) {
		if (pair_of(l, setup, l->cmp->side, i))
			return true;
	}
	return false;
}

static void setups_block(const struct list *l, size_t from, size_t to)
{
	const struct side *s;
	int width = LABEL + DIFF;
	size_t i;

	setups_head(l, from, to);
	for (i = from; i < to; i++)
		width += 2 + l->width[i];
	list_rule(l, width);
	for (i = 0; i < l->nsetups; i++) {
		if (!setup_has_any(l, i, from, to))
			continue;
		for_each(s, l->cmp->side, l->cmp->nsides)
			setup_line(l, i, s, from, to);
	}
	fputc('\n', l->out);
}

void list_setups(const struct list *l)
{
	size_t from, to;
	int used;

	for (from = 0; from < l->ntests; from = to) {
		used = LABEL + DIFF;
		for (to = from; to < l->ntests; to++) {
			used += 2 + l->width[to];
			if (used > LIST_COLUMNS && to > from)
				break;
		}
		setups_block(l, from, to);
	}
	fputs("Diff is of the tests in the line that show one.\n"
	      "? no difference shown   = equivalent\n\n", l->out);
}
