// SPDX-License-Identifier: GPL-2.0
/* The comparison as text, Markdown and CSV. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "table.h"

#define COLUMNS	100

char *row_label(const struct side *side, const struct row *row)
{
	size_t i, same = 0;

	for (i = 0; i < side->nrows; i++)
		same += !strcmp(side->row[i].name, row->name);
	if (same < 2 || !*row->rec->devices)
		return xstrdup(row->name);
	return xprintf("%s %s", row->name, row->rec->devices);
}

const char *verdict_word(const struct pair *pair)
{
	switch (pair->verdict) {
	case V_MORE:		return metrics[pair->metric].more;
	case V_LESS:		return metrics[pair->metric].less;
	case V_EQUIVALENT:	return "equivalent";
	case V_EXACT:		return "exact";
	case V_WITHIN_BOOT:	return "within-boot only";
	case V_NO_VALUE:	return "n/a";
	case V_REFUSED:		return "refused";
	case V_CANT_TELL:	break;
	}
	return "can't tell";
}

const char *verdict_text(char *buf, size_t size, const struct pair *pair,
			 const struct rules *rules)
{
	const char *word = verdict_word(pair);

	if (pair->verdict == V_EQUIVALENT)
		snprintf(buf, size, "%s within +-%.3g%%", word,
			 pair_margin(pair, rules));
	else if (pair->verdict == V_EXACT &&
		 fabs(pair->shift.percent) <= EXACT_PERCENT)
		snprintf(buf, size, "%s: the same within %g%%", word, EXACT_PERCENT);
	else if (pair->verdict == V_EXACT)
		snprintf(buf, size, "%s: %+.2f%%", word, pair->shift.percent);
	else
		snprintf(buf, size, "%s", word);
	return buf;
}

/* "+0.59..+1.43%", and what it is worth where it is less than asked for. */
static char *interval_text(const struct pair *pair, const struct rules *rules)
{
	if (isnan(pair->p))
		return xstrdup("-");
	if (pair->shift.level < 1 - rules->alpha)
		return xprintf("%+.2f..%+.2f%% (%.0f%%)", pair->shift.lo,
			       pair->shift.hi, floor(100 * pair->shift.level));
	return xprintf("%+.2f..%+.2f%%", pair->shift.lo, pair->shift.hi);
}

static bool has_floor(const struct comparison *cmp)
{
	size_t i;

	for (i = 0; i < cmp->npairs; i++) {
		if (!isnan(cmp->pair[i].floor))
			return true;
	}
	return false;
}

static void pair_cells(struct grid *grid, const struct pair *pair,
		       const struct rules *rules, bool floor)
{
	enum metric_unit unit = metrics[pair->metric].unit;
	char a[32], b[32], verdict[64];
	char *name = row_label(pair->sa, pair->a);
	char *interval = interval_text(pair, rules);

	grid_add(grid, "%s", name);
	grid_add(grid, "%zu:%zu", pair->na, pair->nb);
	grid_add(grid, "%s", metric_print(a, sizeof(a), unit, pair->median_a));
	grid_add(grid, "%s", metric_print(b, sizeof(b), unit, pair->median_b));
	if (pair->verdict == V_NO_VALUE)
		grid_add(grid, "-");
	else
		grid_add(grid, "%+.2f%%", pair->shift.percent);
	grid_add(grid, "%s", interval);
	if (isnan(pair->p))
		grid_add(grid, "-");
	else
		grid_add(grid, "%.2g", pair->p_holm);
	if (floor && isnan(pair->floor))
		grid_add(grid, "-");
	else if (floor)
		grid_add(grid, "+-%.2f%%", pair->floor);
	grid_add(grid, "%s", verdict_text(verdict, sizeof(verdict), pair, rules));
	free(interval);
	free(name);
}

/* The rows of one metric against one side; false when there are none. */
static bool metric_grid(struct grid *grid, const struct comparison *cmp,
			const struct side *sb, enum metric_id metric)
{
	const struct pair *p;
	bool floor = has_floor(cmp);

	*grid = (struct grid){ .ncols = floor ? 9 : 8 };
	for_each(p, cmp->pair, cmp->npairs) {
		if (p->sb != sb || p->metric != metric || p->verdict == V_REFUSED)
			continue;
		if (!grid->ncells) {
			grid_add(grid, "%s", metrics[metric].title);
			grid_add(grid, "boots");
			grid_add(grid, "%s", p->sa->label);
			grid_add(grid, "%s", p->sb->label);
			grid_add(grid, "shift");
			grid_add(grid, "%g%% interval", 100 * (1 - cmp->rules->alpha));
			grid_add(grid, "p");
			if (floor)
				grid_add(grid, "floor");
			grid_add(grid, "verdict");
		}
		pair_cells(grid, p, cmp->rules, floor);
	}
	return grid->ncells > 0;
}

static void method_print(const struct comparison *cmp, const char *bullet,
			 FILE *out)
{
	if (!cmp->npairs)
		return;
	fprintf(out, "%sA value is the median over boots, a boot's the median of its runs. "
		"shift: Hodges-Lehmann.\n", bullet);
	if (cmp->tests)
		fprintf(out, "%sp: Mann-Whitney, Holm over %zu row%s; below %g takes at least %zu boots a side.\n",
			bullet, cmp->tests, cmp->tests == 1 ? "" : "s",
			cmp->rules->alpha,
			stats_least_n(cmp->rules->alpha, cmp->tests));
}

static void grids_print(const struct comparison *cmp, bool markdown, FILE *out)
{
	struct grid grid;
	size_t s;
	int m;

	for (s = 1; s < cmp->nsides; s++) {
		for (m = 0; m < M_COUNT; m++) {
			if (!metric_grid(&grid, cmp, &cmp->side[s], m))
				continue;
			if (markdown)
				grid_markdown(&grid, out);
			else
				grid_text(&grid, COLUMNS, out);
			grid_free(&grid);
			fputc('\n', out);
		}
	}
}

static void markdown_print(const struct comparison *cmp, FILE *out)
{
	sides_print(cmp, "- ", out);
	fputc('\n', out);
	grids_print(cmp, true, out);
	method_print(cmp, "- ", out);
	notes_print(cmp, "- ", out);
}

static void text_print(const struct comparison *cmp, FILE *out)
{
	sides_print(cmp, "", out);
	fputc('\n', out);
	grids_print(cmp, false, out);
	method_print(cmp, "", out);
	notes_print(cmp, "", out);
}

static void number(struct grid *grid, double v)
{
	if (isfinite(v))
		grid_add(grid, "%.10g", v);
	else
		grid_add(grid, "%s", "");
}

static void csv_cells(struct grid *grid, const struct pair *p,
		      const struct rules *rules)
{
	bool shifted = p->verdict != V_REFUSED && p->verdict != V_NO_VALUE;

	grid_add(grid, "%s", p->a->rec->job);
	grid_add(grid, "%s", p->a->section);
	grid_add(grid, "%s", p->a->rec->devices);
	grid_add(grid, "%s", p->a->engine);
	grid_add(grid, "%s", metrics[p->metric].name);
	grid_add(grid, "%s", p->sa->label);
	grid_add(grid, "%s", p->sb->label);
	grid_add(grid, "%zu", p->na);
	grid_add(grid, "%zu", p->nb);
	grid_add(grid, "%zu", row_runs(p->a));
	grid_add(grid, "%zu", row_runs(p->b));
	number(grid, p->median_a);
	number(grid, p->median_b);
	number(grid, shifted ? p->shift.percent : NAN);
	number(grid, isnan(p->p) ? NAN : p->shift.lo);
	number(grid, isnan(p->p) ? NAN : p->shift.hi);
	number(grid, isnan(p->p) ? NAN : p->shift.level);
	number(grid, p->p);
	number(grid, p->p_holm);
	number(grid, p->floor);
	number(grid, pair_margin(p, rules));
	grid_add(grid, "%s", verdict_word(p));
	grid_add(grid, "%d", p->worse);
}

static void csv_print(const struct comparison *cmp, FILE *out)
{
	static const char *const head[] = {
		"job", "section", "devices", "engine", "metric", "a", "b",
		"boots_a", "boots_b", "runs_a", "runs_b", "median_a",
		"median_b", "shift_percent", "lo_percent", "hi_percent",
		"level", "p", "p_holm", "floor_percent", "margin_percent",
		"verdict", "worse",
	};
	struct grid grid = { .ncols = sizeof(head) / sizeof(head[0]) };
	size_t i;

	for (i = 0; i < grid.ncols; i++)
		grid_add(&grid, "%s", head[i]);
	for (i = 0; i < cmp->npairs; i++)
		csv_cells(&grid, &cmp->pair[i], cmp->rules);
	grid_csv(&grid, out);
	grid_free(&grid);
}

void table_print(const struct comparison *cmp, enum format format, FILE *out)
{
	switch (format) {
	case F_TEXT:
		text_print(cmp, out);
		break;
	case F_MD:
		markdown_print(cmp, out);
		break;
	case F_LIST:
		list_print(cmp, out);
		break;
	case F_CSV:
		csv_print(cmp, out);
		break;
	case F_JSON:
		json_print(cmp, out);
		break;
	}
}
