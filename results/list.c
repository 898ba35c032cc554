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
#include "list.h"

bool list_shows(const struct list *l, const struct pair *p)
{
	return p->metric == l->metric && p->verdict != V_REFUSED &&
		p->verdict != V_NO_VALUE;
}

char *list_cut(const char *s, int width)
{
	int len = strlen(s);

	return len <= width ? xstrdup(s) : xprintf("%.*s..", width - 2, s);
}

void list_rule(const struct list *l, int width)
{
	while (width--)
		fputc('-', l->out);
	fputc('\n', l->out);
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
	char *full = row_label(p->sa, p->a), *name = list_cut(full, 40), verdict[64];
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
	list_rule(l, LIST_COLUMNS);
	for_each(p, l->cmp->pair, l->cmp->npairs) {
		if (!list_shows(l, p) || p->sb != sb)
			continue;
		full = row_label(p->sa, p->a);
		name = list_cut(full, 26);
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
		if (!list_shows(l, p))
			continue;
		for (q = pairs; q < p; q++) {
			if (list_shows(l, q) && q->a->rec->job == p->a->rec->job)
				break;
		}
		if (q == p)
			command_print(p->a->rec, LIST_COLUMNS, l->out);
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
		text_wrap(line, LIST_COLUMNS, l->out);
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
	list_setups(l);
	for_each(p, cmp->pair, cmp->npairs) {
		if (list_shows(l, p))
			test_print(l, p);
	}
	for (sb = cmp->side + 1; sb < cmp->side + cmp->nsides; sb++)
		cpu_print(l, sb);
	commands_print(l);
}

/* Without the blanks at the end of a line that columns leave. */
static void trimmed(const char *text, FILE *out)
{
	size_t len, n;

	for (; *text; text += len + (text[len] == '\n')) {
		len = n = strcspn(text, "\n");
		while (n && text[n - 1] == ' ')
			n--;
		fwrite(text, 1, n, out);
		fputc('\n', out);
	}
}

static void print(const struct comparison *cmp, FILE *out)
{
	char *text;
	size_t len;
	struct list l;
	FILE *f;
	int m;

	f = text_open(&text, &len);
	sides_print(cmp, "", f);
	fclose(f);
	text_wrap(text, LIST_COLUMNS, out);
	fputc('\n', out);
	free(text);

	for (m = 0; m < M_COUNT; m++) {
		list_init(&l, cmp, m, out);
		if (l.ntests)
			list_metric(&l);
		list_free(&l);
	}
	f = text_open(&text, &len);
	notes_print(cmp, "", f);
	fclose(f);
	text_wrap(text, LIST_COLUMNS, out);
	free(text);
}

void list_print(const struct comparison *cmp, FILE *out)
{
	char *text;
	size_t len;
	FILE *f = text_open(&text, &len);

	print(cmp, f);
	fclose(f);
	trimmed(text, out);
	free(text);
}
