// SPDX-License-Identifier: GPL-2.0
/* The comparison for programs. */
#include <math.h>

#include "table.h"

static void add_text(struct json_object *o, const char *key, const char *text)
{
	json_object_object_add(o, key, text ? json_object_new_string(text) : NULL);
}

static void add_count(struct json_object *o, const char *key, size_t n)
{
	json_object_object_add(o, key, json_object_new_int64(n));
}

static struct json_object *number(double v)
{
	char text[32];

	if (!isfinite(v))
		return NULL;
	snprintf(text, sizeof(text), "%.10g", v);
	return json_object_new_double_s(v, text);
}

static void add_number(struct json_object *o, const char *key, double v)
{
	json_object_object_add(o, key, number(v));
}

static struct json_object *values(const double *v, size_t n)
{
	struct json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < n; i++)
		json_object_array_add(list, number(v[i]));
	return list;
}

static void add_row(struct json_object *o, const struct row *row)
{
	add_text(o, "job", row->rec->job);
	add_text(o, "section", row->section);
	add_text(o, "devices", row->rec->devices);
	add_text(o, "engine", row->engine);
}

static void add_refused(struct json_object *o, const struct pair *p)
{
	if (p->a->refused)
		add_text(o, "refused_a", p->a->refused);
	if (p->b->refused)
		add_text(o, "refused_b", p->b->refused);
}

static struct json_object *pair_object(const struct pair *p,
				       const struct rules *rules)
{
	bool shifted = p->verdict != V_REFUSED && p->verdict != V_NO_VALUE;
	bool tested = !isnan(p->p);
	struct json_object *o = json_object_new_object();

	add_row(o, p->a);
	add_text(o, "metric", metrics[p->metric].name);
	add_text(o, "a", p->sa->label);
	add_text(o, "b", p->sb->label);
	add_count(o, "runs_a", row_runs(p->a));
	add_count(o, "runs_b", row_runs(p->b));
	json_object_object_add(o, "boots_a", values(p->va, p->na));
	json_object_object_add(o, "boots_b", values(p->vb, p->nb));
	add_number(o, "median_a", p->median_a);
	add_number(o, "median_b", p->median_b);
	add_number(o, "shift_percent", shifted ? p->shift.percent : NAN);
	add_number(o, "lo_percent", tested ? p->shift.lo : NAN);
	add_number(o, "hi_percent", tested ? p->shift.hi : NAN);
	add_number(o, "level", tested ? p->shift.level : NAN);
	add_number(o, "p", p->p);
	add_number(o, "p_holm", p->p_holm);
	add_number(o, "floor_percent", p->floor);
	add_number(o, "margin_percent", pair_margin(p, rules));
	add_text(o, "verdict", verdict_word(p));
	json_object_object_add(o, "worse", json_object_new_boolean(p->worse));
	add_refused(o, p);
	return o;
}

static struct json_object *sides(const struct comparison *cmp)
{
	struct json_object *list = json_object_new_array(), *o;
	const struct side *s;

	for_each(s, cmp->side, cmp->nsides) {
		o = json_object_new_object();
		add_text(o, "label", s->label);
		add_text(o, "path", s->path);
		add_text(o, "kernel", json_text_at(s->rec->json, "kernel.release"));
		add_count(o, "records", s->nrecs);
		json_object_array_add(list, o);
	}
	return list;
}

static struct json_object *varied(const struct comparison *cmp)
{
	struct json_object *list = json_object_new_array(), *o;
	size_t i;

	for (i = 0; i < cmp->varied.n; i++) {
		o = json_object_new_object();
		add_text(o, "key", cmp->varied.diff[i].key);
		add_text(o, "a", cmp->varied.diff[i].a);
		add_text(o, "b", cmp->varied.diff[i].b);
		json_object_array_add(list, o);
	}
	return list;
}

static struct json_object *unpaired(const struct comparison *cmp)
{
	struct json_object *list = json_object_new_array(), *o;
	const struct unpaired *u;

	for_each(u, cmp->unpaired, cmp->nunpaired) {
		o = json_object_new_object();
		add_row(o, u->row);
		add_text(o, "in", u->in->label);
		add_text(o, "not_in", u->not_in->label);
		json_object_array_add(list, o);
	}
	return list;
}

static struct json_object *failures(const struct comparison *cmp)
{
	struct json_object *list = json_object_new_array(), *o;
	const struct failure *f;
	const struct side *s;

	for_each(s, cmp->side, cmp->nsides) {
		for_each(f, s->failure, s->nfailures) {
			o = json_object_new_object();
			add_text(o, "in", s->label);
			add_text(o, "file", f->rec->path);
			add_text(o, "job", f->rec->job);
			add_text(o, "section", f->section);
			add_text(o, "why", f->why);
			json_object_array_add(list, o);
		}
	}
	return list;
}

void json_print(const struct comparison *cmp, FILE *out)
{
	struct json_object *o = json_object_new_object();
	struct json_object *rows = json_object_new_array();
	size_t i;

	for (i = 0; i < cmp->npairs; i++)
		json_object_array_add(rows, pair_object(&cmp->pair[i], cmp->rules));
	add_count(o, "comparison", 1);
	json_object_object_add(o, "sides", sides(cmp));
	json_object_object_add(o, "varied", varied(cmp));
	add_number(o, "alpha", cmp->rules->alpha);
	add_number(o, "gate_percent", cmp->rules->gate);
	add_count(o, "tests", cmp->tests);
	add_count(o, "least_n", stats_least_n(cmp->rules->alpha, cmp->tests));
	json_object_object_add(o, "rows", rows);
	json_object_object_add(o, "unpaired", unpaired(cmp));
	json_object_object_add(o, "failed", failures(cmp));
	fprintf(out, "%s\n", json_object_to_json_string_ext(o,
		JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o);
}
