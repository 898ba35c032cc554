// SPDX-License-Identifier: GPL-2.0
/* What doesn't forbid to compare a row, and should be known of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

/* More of a pinned CPU than this is not housekeeping. */
#define OTHERS_PERCENT	5

static struct json_object *granted(const struct row *row)
{
	return json_at(row->boot[0].run[0]->json, "proof.flags_granted");
}

/* Of the first job thread; NAN: an older record doesn't say. */
static double registered_buffers(const struct row *row)
{
	struct json_object *reports = json_at(row->boot[0].run[0]->json, "reports");

	if (!reports || !json_object_array_length(reports))
		return NAN;
	return json_number_at(json_object_array_get_idx(reports, 0),
			      "ring.registered_buffers");
}

static bool has(struct json_object *list, const char *flag)
{
	size_t i;

	for (i = 0; i < json_object_array_length(list); i++) {
		if (!strcmp(flag, json_object_get_string(json_object_array_get_idx(list, i))))
			return true;
	}
	return false;
}

/* The flags of @list that @other lacks; an empty text for none. */
static char *missing(struct json_object *list, struct json_object *other)
{
	const char *flag;
	size_t i, len;
	char *text;
	FILE *f = text_open(&text, &len);

	for (i = 0; i < json_object_array_length(list); i++) {
		flag = json_object_get_string(json_object_array_get_idx(list, i));
		if (!has(other, flag))
			fprintf(f, " %.40s", flag);
	}
	fclose(f);
	text_clean(text);
	return text;
}

/* A flag that may be refused changes what a request costs, not its path. */
static void flags_caution(const struct pair *p, const char *bullet,
			  const char *name, FILE *out)
{
	struct json_object *a = granted(p->a), *b = granted(p->b);
	char *only_a, *only_b;

	if (!a || !b)
		return;
	only_a = missing(a, b);
	only_b = missing(b, a);
	if (*only_a)
		fprintf(out, "%scaution: %s: granted only in %s:%s\n", bullet, name,
			p->sa->label, only_a);
	if (*only_b)
		fprintf(out, "%scaution: %s: granted only in %s:%s\n", bullet, name,
			p->sb->label, only_b);
	free(only_a);
	free(only_b);
}

/*
 * How fixedbufs divides the memory follows what is cheap on the kernel, and with
 * that it is a part of what a request costs.
 */
static void buffers_caution(const struct pair *p, const char *bullet,
			    const char *name, FILE *out)
{
	double a = registered_buffers(p->a), b = registered_buffers(p->b);

	if (isnan(a) || isnan(b) || a == b)
		return;
	fprintf(out, "%scaution: %s: registered buffers: %.0f in %s, %.0f in %s\n",
		bullet, name, a, p->sa->label, b, p->sb->label);
}

static void others_caution(const struct side *side, const struct row *row,
			   const char *bullet, const char *name, FILE *out)
{
	double v, most = 0;
	size_t i, j;

	for (i = 0; i < row->nboots; i++) {
		for (j = 0; j < row->boot[i].nruns; j++) {
			v = json_number_at(row->boot[i].run[j]->json,
					   "proof.other_cpu_pct");
			most = fmax(most, v);
		}
	}
	if (most > OTHERS_PERCENT)
		fprintf(out, "%scaution: %s: %s: other tasks took up to %.1f%% of its CPUs\n",
			bullet, name, side->label, most);
}

void cautions_print(const struct comparison *cmp, const char *bullet, FILE *out)
{
	const struct pair *p;
	char *name;

	for_each(p, cmp->pair, cmp->npairs) {
		if (p->verdict == V_REFUSED)
			continue;
		name = row_label(p->sa, p->a);
		flags_caution(p, bullet, name, out);
		buffers_caution(p, bullet, name, out);
		/* The first side is in every pair: say it once. */
		if (p->sb == cmp->side + 1)
			others_caution(p->sa, p->a, bullet, name, out);
		others_caution(p->sb, p->b, bullet, name, out);
		free(name);
	}
}
