// SPDX-License-Identifier: GPL-2.0
/*
 * The comparison as mailing lists have it: setups as rows and tests as
 * columns, then mean and deviation of each test, operations beside CPU, and
 * the commands. Plain text in less than 72 columns.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "table.h"

#define COLUMNS	71

/* What is shown: one metric of every pair that has figures. */
struct list {
	const struct comparison	*cmp;
	enum metric_id		metric;
	const char		**setup;	/* devices, as the rows name them */
	size_t			nsetups;
	const char		**test;		/* names of rows */
	size_t			ntests;
	FILE			*out;
};

static bool is_shown(const struct list *l, const struct pair *p)
{
	return p->metric == l->metric && p->verdict != V_REFUSED &&
		p->verdict != V_NO_VALUE;
}

static size_t remember(const char ***names, size_t n, const char *name)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (!strcmp((*names)[i], name))
			return n;
	}
	*names = xgrow(*names, n, sizeof(**names));
	(*names)[n] = name;
	return n + 1;
}

static void list_init(struct list *l, const struct comparison *cmp,
		      enum metric_id metric, FILE *out)
{
	const struct pair *p;

	*l = (struct list){ .cmp = cmp, .metric = metric, .out = out };
	for_each(p, cmp->pair, cmp->npairs) {
		if (!is_shown(l, p))
			continue;
		if (*p->a->rec->devices)
			l->nsetups = remember(&l->setup, l->nsetups, p->a->rec->devices);
		l->ntests = remember(&l->test, l->ntests, p->a->name);
	}
	/* Only tests that use no device. */
	if (!l->nsetups && l->ntests)
		l->nsetups = remember(&l->setup, 0, "");
}

/* Tests without a device are shown with the first setup. */
static const struct pair *pair_at(const struct list *l, size_t setup,
				  const struct side *sb, size_t test)
{
	const struct pair *p;
	const char *devices;

	for_each(p, l->cmp->pair, l->cmp->npairs) {
		devices = *p->a->rec->devices ? p->a->rec->devices : l->setup[0];
		if (is_shown(l, p) && p->sb == sb &&
		    !strcmp(p->a->name, l->test[test]) &&
		    !strcmp(devices, l->setup[setup]))
			return p;
	}
	return NULL;
}

static char *cut(const char *s, int width)
{
	int len = strlen(s);

	return len <= width ? xstrdup(s) : xprintf("%.*s..", width - 2, s);
}

static int test_width(const struct list *l, size_t test)
{
	int len = strlen(l->test[test]);

	return len < 8 ? 8 : len > 38 ? 38 : len;
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

static void setup_line(const struct list *l, size_t setup,
		       const struct side *side, size_t from, size_t to)
{
	bool first = side == l->cmp->side;
	/* The first side's value is in every pair; take one that has the row. */
	const struct side *sb = first ? side + 1 : side;
	const struct pair *p;
	char value[40], label[40];
	size_t i;

	snprintf(label, sizeof(label), "Setup %zu %s", setup + 1, side->label);
	fprintf(l->out, "%-14s|", label);
	for (i = from; i < to; i++) {
		p = pair_at(l, setup, sb, i);
		while (!p && first && ++sb < l->cmp->side + l->cmp->nsides)
			p = pair_at(l, setup, sb, i);
		if (!p) {
			snprintf(value, sizeof(value), "N/A ");
		} else {
			metric_print(value, 32, metrics[l->metric].unit,
				     first ? p->median_a : p->median_b);
			strcat(value, first ? " " : p->verdict == V_EQUIVALENT ? "=" :
			       is_certain(p) ? " " : "?");
		}
		fprintf(l->out, "  %*s", test_width(l, i), value);
		if (first)
			sb = side + 1;
	}
	if (!first)
		diff_print(l, setup, side, from, to);
	fputc('\n', l->out);
}

static void rule(const struct list *l, int width)
{
	while (width--)
		fputc('-', l->out);
	fputc('\n', l->out);
}

static void setups_block(const struct list *l, size_t from, size_t to)
{
	const struct side *s;
	int width = 15 + 16;
	char *name;
	size_t i;

	fprintf(l->out, "%-14s|", "Setup/Test");
	for (i = from; i < to; i++) {
		name = cut(l->test[i], test_width(l, i));
		fprintf(l->out, "  %*s", test_width(l, i), name);
		width += 2 + test_width(l, i);
		free(name);
	}
	fputs("  Diff\n", l->out);
	rule(l, width < COLUMNS ? width : COLUMNS);
	for (i = 0; i < l->nsetups; i++) {
		for_each(s, l->cmp->side, l->cmp->nsides)
			setup_line(l, i, s, from, to);
	}
	fputc('\n', l->out);
}

static void setups_print(const struct list *l)
{
	/* The label, and the last column: "  -12.3..+45.6%". */
	int room = COLUMNS - 15 - 16, used;
	size_t from, to;

	for (from = 0; from < l->ntests; from = to) {
		used = 0;
		for (to = from; to < l->ntests; to++) {
			used += 2 + test_width(l, to);
			if (used > room && to > from)
				break;
		}
		setups_block(l, from, to);
	}
	fputs("Diff is of the tests in the line that show one.\n"
	      "? no difference shown   = equivalent\n\n", l->out);
}

static void mean_line(const struct list *l, const char *label, const double *v,
		      size_t n)
{
	int digits = metrics[l->metric].unit == U_COUNT ||
		     metrics[l->metric].unit == U_PERCENT ? 2 : 0;
	char mean[40], sd[40];

	fprintf(l->out, "- %-5s %18s +- %14s", label,
		metric_print_long(mean, sizeof(mean), stats_mean(v, n), digits),
		n > 1 ? metric_print_long(sd, sizeof(sd), stats_sd(v, n), digits) : "n/a");
}

static void test_print(const struct list *l, const struct pair *p)
{
	char *full = row_label(p->sa, p->a), *name = cut(full, 40), verdict[64];
	const char *unit = metrics[l->metric].unit == U_NSEC ? ", ns" : "";

	fprintf(l->out, "%s, %s%s:\n", name, metrics[l->metric].title, unit);
	mean_line(l, p->sa->label, p->va, p->na);
	fprintf(l->out, "  %zu boot%s\n", p->na, p->na == 1 ? "" : "s");
	mean_line(l, p->sb->label, p->vb, p->nb);
	fprintf(l->out, "  %zu boot%s (%+.2f%%)\n", p->nb, p->nb == 1 ? "" : "s",
		p->shift.percent);
	fprintf(l->out, "  %s", verdict_text(verdict, sizeof(verdict), p, l->cmp->rules));
	if (!isnan(p->p))
		fprintf(l->out, "; %.4g%% interval %+.2f to %+.2f%%, p = %.2g",
			100 * fmin(p->shift.level, 1 - l->cmp->rules->alpha),
			p->shift.lo, p->shift.hi, p->p_holm);
	fputs("\n\n", l->out);
	free(name);
	free(full);
}

/* The boots' median, without a unit's prefix; n/a where it isn't known. */
static void median_print(const struct list *l, const struct row *row,
			 enum metric_id metric, int width)
{
	double *v = xcalloc(row->nboots, sizeof(*v));
	size_t n = row_values(row, metric, v);
	char text[40];

	if (metric == M_CPU)
		metric_print(text, sizeof(text), U_PERCENT, stats_median(v, n));
	else
		metric_print_long(text, sizeof(text), stats_median(v, n), 0);
	fprintf(l->out, " %*s", width, text);
	free(v);
}

/* Operations and what they cost, side by side; against one further side. */
static void cpu_print(const struct list *l, const struct side *sb)
{
	const struct pair *p;
	char *full, *name;

	fprintf(l->out, "%-26s %13s        %13s\n", "", l->cmp->side->label,
		sb->label);
	fprintf(l->out, "%-26s %13s %7s %13s %7s\n", "Test", "ops/sec", "CPU",
		"ops/sec", "CPU");
	rule(l, COLUMNS);
	for_each(p, l->cmp->pair, l->cmp->npairs) {
		if (!is_shown(l, p) || p->sb != sb)
			continue;
		full = row_label(p->sa, p->a);
		name = cut(full, 26);
		fprintf(l->out, "%-26s", name);
		median_print(l, p->a, M_IOPS, 13);
		median_print(l, p->a, M_CPU, 7);
		median_print(l, p->b, M_IOPS, 13);
		median_print(l, p->b, M_CPU, 7);
		fputc('\n', l->out);
		free(name);
		free(full);
	}
	fputc('\n', l->out);
}

/* Each job's command once, as its first record has it. */
static void commands_print(const struct list *l)
{
	const struct pair *p, *q, *pairs = l->cmp->pair;

	for_each(p, pairs, l->cmp->npairs) {
		if (!is_shown(l, p))
			continue;
		for (q = pairs; q < p; q++) {
			if (is_shown(l, q) && q->a->rec->job == p->a->rec->job)
				break;
		}
		if (q == p)
			command_print(p->a->rec, COLUMNS, l->out);
	}
}

/* A line of any length in lines that fit. */
static void wrap(const char *text, FILE *out)
{
	size_t column = 0, len;

	for (; *text; text += len + strspn(text + len, " \n")) {
		len = strcspn(text, " \n");
		if (column && column + 1 + len > COLUMNS) {
			fputs("\n  ", out);
			column = 2;
		} else if (column) {
			fputc(' ', out);
			column++;
		}
		/* A path can be longer than a line. */
		while (len + column > COLUMNS) {
			fwrite(text, 1, COLUMNS - column, out);
			text += COLUMNS - column;
			len -= COLUMNS - column;
			fputc('\n', out);
			column = 0;
		}
		fwrite(text, 1, len, out);
		column += len;
		if (text[len] == '\n') {
			fputc('\n', out);
			column = 0;
		}
	}
}

static void setup_names(const struct list *l)
{
	const char *cpu = json_text_at(l->cmp->side->rec->json, "host.cpu_model");
	const char *guest = json_text_at(l->cmp->side->rec->json, "guest.kind");
	char *line;
	size_t i;

	for (i = 0; i < l->nsetups; i++) {
		line = xprintf("Setup %zu: %s%s%s%s%s", i + 1, cpu ? cpu : "unknown CPU",
			       strcmp(guest, "none") ? ", guest: " : "",
			       strcmp(guest, "none") ? guest : "",
			       *l->setup[i] ? ", device " : "", l->setup[i]);
		text_clean(line);
		wrap(line, l->out);
		fputc('\n', l->out);
		free(line);
	}
	fputc('\n', l->out);
}

static void list_metric(const struct list *l)
{
	const struct comparison *cmp = l->cmp;
	const struct pair *p;
	const struct side *sb;

	setup_names(l);
	fprintf(l->out, "%s, the median over boots:\n\n", metrics[l->metric].title);
	setups_print(l);
	for_each(p, cmp->pair, cmp->npairs) {
		if (is_shown(l, p))
			test_print(l, p);
	}
	for (sb = cmp->side + 1; sb < cmp->side + cmp->nsides; sb++)
		cpu_print(l, sb);
	commands_print(l);
}

void list_print(const struct comparison *cmp, FILE *out)
{
	char *text;
	size_t len;
	struct list l;
	FILE *f;
	int m;

	f = text_open(&text, &len);
	sides_print(cmp, "", f);
	fclose(f);
	wrap(text, out);
	fputc('\n', out);
	free(text);

	for (m = 0; m < M_COUNT; m++) {
		list_init(&l, cmp, m, out);
		if (l.ntests)
			list_metric(&l);
		free(l.setup);
		free(l.test);
	}
	f = text_open(&text, &len);
	notes_print(cmp, "", f);
	fclose(f);
	wrap(text, out);
	free(text);
}
