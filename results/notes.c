// SPDX-License-Identifier: GPL-2.0
/* What a table can't say in its cells, and the table of the floor. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "table.h"

static void verdict_note(const struct pair *p, const char *name,
			 const struct comparison *cmp, FILE *out)
{
	double alpha = cmp->rules->alpha;
	double least = stats_least_p(p->na, p->nb);

	if (p->verdict == V_NO_VALUE)
		fprintf(out, "%s: %s is zero or was not recorded on a side",
			name, metrics[p->metric].name);
	else if (p->verdict == V_WITHIN_BOOT)
		fprintf(out, "%s: within-boot only: one boot on a side says nothing of the next boot; take %zu a side",
			name, stats_least_n(alpha, cmp->tests + 1));
	else if (p->verdict == V_CANT_TELL && least * cmp->tests >= alpha)
		fprintf(out, "%s: %zu against %zu boots can't go below p = %.2g: take %zu a side",
			name, p->na, p->nb, fmin(1, least * cmp->tests),
			stats_least_n(alpha, cmp->tests));
	else if (p->verdict == V_CANT_TELL && p->p_holm < alpha)
		fprintf(out, "%s: %+.2f%% is within the floor of +-%.2f%%",
			name, p->shift.percent, p->floor);
	else
		return;
	fputc('\n', out);
}

static void pair_notes(const struct comparison *cmp, const char *bullet,
		       FILE *out)
{
	const struct pair *p;
	char *name, *note;
	size_t len;
	FILE *f;

	for_each(p, cmp->pair, cmp->npairs) {
		name = row_label(p->sa, p->a);
		f = text_open(&note, &len);
		verdict_note(p, name, cmp, f);
		fclose(f);
		if (len)
			fprintf(out, "%s%s", bullet, note);
		if (p->worse && !isnan(cmp->rules->gate))
			fprintf(out, "%s%s: worse by more than %g%%, with all of its interval\n",
				bullet, name, cmp->rules->gate);
		if (p->a->refused)
			fprintf(out, "%srefused: %s: %s: %s\n", bullet, name,
				p->sa->label, p->a->refused);
		if (p->b->refused)
			fprintf(out, "%srefused: %s: %s: %s\n", bullet, name,
				p->sb->label, p->b->refused);
		free(note);
		free(name);
	}
}

/* How much of both is words that are the same. */
static size_t same_words(const char *a, const char *b)
{
	size_t i, words = 0;

	for (i = 0; a[i] && a[i] == b[i]; i++) {
		if (a[i] == ' ')
			words = i + 1;
	}
	return words;
}

/* What is not the same of a long value, as much as a line takes of two. */
static void short_print(const char *s, size_t skip, FILE *out)
{
	enum { MOST = 34 };
	size_t len = strlen(s);

	if (len <= MOST) {
		fprintf(out, "\"%s\"", s);
		return;
	}
	s += skip;
	len -= skip;
	fprintf(out, "\"%s%.*s%s\"", skip ? ".." : "",
		len > MOST - 2 ? MOST - 4 : (int)len, s, len > MOST - 2 ? ".." : "");
}

void sides_print(const struct comparison *cmp, const char *bullet,
		 FILE *out)
{
	const struct side *s;
	const struct difference *d;
	const char *release;
	size_t skip;

	for_each(s, cmp->side, cmp->nsides) {
		release = json_text_at(s->rec->json, "kernel.release");
		fprintf(out, "%s%s: %s: kernel %s\n", bullet, s->label, s->path,
			release);
	}
	for_each(d, cmp->varied.diff, cmp->varied.n) {
		skip = same_words(d->a, d->b);
		fprintf(out, "%svaried: %s: ", bullet, d->key);
		short_print(d->a, skip, out);
		fputs(" -> ", out);
		short_print(d->b, skip, out);
		fputc('\n', out);
	}
}

void notes_print(const struct comparison *cmp, const char *bullet, FILE *out)
{
	const struct unpaired *u;
	const struct failure *f;
	const struct side *s;
	char *name;

	pair_notes(cmp, bullet, out);
	cautions_print(cmp, bullet, out);
	for_each(u, cmp->unpaired, cmp->nunpaired) {
		fprintf(out, "%sunpaired: %s%s%s: in %s, not in %s\n", bullet,
			u->row->name, *u->row->rec->devices ? " on " : "",
			u->row->rec->devices, u->in->label, u->not_in->label);
	}
	for_each(s, cmp->side, cmp->nsides) {
		for_each(f, s->failure, s->nfailures) {
			name = xprintf("%s: %s%s%s: %s", f->rec->path, f->rec->job,
				       f->section ? "/" : "",
				       f->section ? f->section : "", f->why);
			text_clean(name);
			fprintf(out, "%sfailed: %s: %s\n", bullet, s->label, name);
			free(name);
		}
	}
}

static void floor_json(const struct side *side, const struct rules *rules,
		       const double *percent, FILE *out)
{
	struct json_object *rows = json_object_new_array(), *o;
	const struct row *row;
	char text[32];
	size_t i;

	for (i = 0; i < side->nrows; i++) {
		row = &side->row[i];
		o = json_object_new_object();
		json_object_object_add(o, "job", json_object_new_string(row->rec->job));
		json_object_object_add(o, "section", json_object_new_string(row->section));
		json_object_object_add(o, "devices", json_object_new_string(row->rec->devices));
		json_object_object_add(o, "metric", json_object_new_string(
			metrics[judge_metric(rules, row, row)].name));
		json_object_object_add(o, "boots", json_object_new_int64(row->nboots));
		snprintf(text, sizeof(text), "%.10g", percent[i]);
		json_object_object_add(o, "floor_percent", isnan(percent[i]) ? NULL :
			json_object_new_double_s(percent[i], text));
		json_object_array_add(rows, o);
	}
	o = json_object_new_object();
	json_object_object_add(o, "floor", rows);
	fprintf(out, "%s\n", json_object_to_json_string_ext(o,
		JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o);
}

static void floor_grid(const struct side *side, const struct rules *rules,
		       const double *percent, enum format format, FILE *out)
{
	struct grid grid = { .ncols = 4 };
	const struct row *row;
	char *name;
	size_t i;

	grid_add(&grid, "row");
	grid_add(&grid, "boots");
	grid_add(&grid, format == F_CSV ? "floor_percent" : "floor");
	grid_add(&grid, "metric");
	for (i = 0; i < side->nrows; i++) {
		row = &side->row[i];
		name = row_label(side, row);
		grid_add(&grid, "%s", name);
		free(name);
		grid_add(&grid, "%zu", row->nboots);
		if (isnan(percent[i]))
			grid_add(&grid, "%s", format == F_CSV ? "" : "n/a");
		else
			grid_add(&grid, format == F_CSV ? "%.10g" : "+-%.2f%%",
				 percent[i]);
		grid_add(&grid, "%s", metrics[judge_metric(rules, row, row)].name);
	}
	if (format == F_CSV)
		grid_csv(&grid, out);
	else if (format == F_MD)
		grid_markdown(&grid, out);
	else
		grid_text(&grid, format == F_LIST ? 71 : 100, out);
	grid_free(&grid);
}

void floor_print(const struct side *side, const struct rules *rules,
		 enum format format, FILE *out)
{
	double *percent = xcalloc(side->nrows, sizeof(*percent)), *v;
	const struct row *row;
	size_t i, n;

	for (i = 0; i < side->nrows; i++) {
		row = &side->row[i];
		v = xcalloc(row->nboots, sizeof(*v));
		n = row_values(row, judge_metric(rules, row, row), v);
		percent[i] = row->refused ? NAN : stats_floor(v, n);
		free(v);
		if (row->refused)
			fprintf(stderr, "fio-iou compare: refused: %s: %s\n",
				row->name, row->refused);
		else if (isnan(percent[i]))
			fprintf(stderr, "fio-iou compare: %s: no floor: it takes 4 boots, all above zero\n",
				row->name);
	}
	if (format == F_JSON)
		floor_json(side, rules, percent, out);
	else
		floor_grid(side, rules, percent, format, out);
	free(percent);
}
