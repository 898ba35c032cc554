// SPDX-License-Identifier: GPL-2.0
/* What differs between two records, and whether that was declared. */
#include <stdlib.h>
#include <string.h>

#include "meta.h"
#include "schema.h"

/* Is @key @prefix, or below it? device.model covers device[iou0/1].model. */
static bool below(const char *prefix, const char *key)
{
	while (*prefix) {
		if (*key == '[') {
			key += strcspn(key, "]");
			key += *key == ']';
			continue;
		}
		if (*prefix++ != *key++)
			return false;
	}
	return !*key || *key == '.' || *key == '[';
}

bool vary_covers(const struct vary *vary, const char *key)
{
	bool setup = below("kernel.cmdline", key) || below("kernel.debug", key);
	size_t i;

	for (i = 0; i < vary->n; i++) {
		if (setup && !strcmp(vary->key[i], "kernel"))
			continue;
		if (below(vary->key[i], key))
			return true;
	}
	return false;
}

bool vary_unknown(const char *key, const struct meta *meta)
{
	struct json_object *schema = schema_get(), *at = schema;
	char *copy = xstrdup(key), *word, *save;
	size_t i;

	for (word = strtok_r(copy, ".", &save); word && at;
	     word = strtok_r(NULL, ".", &save)) {
		if (schema_items(at))
			at = schema_items(at);
		at = schema_member(at, word);
	}
	for (i = 0; i < meta->n && !at; i++)
		at = below(key, meta->fact[i].key) ? schema : NULL;
	free(copy);
	json_object_put(schema);
	return !at;
}

/* Of a text of many lines, the first that is not the same in both. */
static void first_difference(const char **a, const char **b)
{
	const char *x = *a, *y = *b;

	for (; *x && *x == *y; x++, y++) {
		if (*x == '\n') {
			*a = x + 1;
			*b = y + 1;
		}
	}
}

static char *short_value(const char *s)
{
	size_t len = strcspn(s, "\n");
	char *v = xprintf("%.*s%s", len > 100 ? 97 : (int)len, s,
			  len > 100 ? "..." : "");

	text_clean(v);
	return v;
}

/* A weakness that one kernel doesn't know and the other is free of. */
static bool not_affected(const char *key, const char *a, const char *b)
{
	return !strncmp(key, "host.mitigations.", 17) &&
		!strcmp(a ? a : b, "Not affected");
}

static void differ(struct differences *out, const char *key, const char *a,
		   const char *b, const struct vary *vary)
{
	struct difference *d;

	if ((!a || !b) && not_affected(key, a, b))
		return;
	if (a && b)
		first_difference(&a, &b);
	out->diff = xgrow(out->diff, out->n, sizeof(*out->diff));
	d = &out->diff[out->n++];
	d->key = xstrdup(key);
	d->a = short_value(a ? a : "null");
	d->b = short_value(b ? b : "null");
	d->declared = vary_covers(vary, key);
}

void meta_compare(struct differences *out, const struct meta *a,
		  const struct meta *b, const struct vary *vary)
{
	const struct fact *x = a->fact, *y = b->fact;
	const struct fact *x_end = x + a->n, *y_end = y + b->n;
	int order;

	while (x < x_end || y < y_end) {
		order = x == x_end ? 1 : y == y_end ? -1 : strcmp(x->key, y->key);
		if (order < 0) {
			differ(out, x->key, x->value, NULL, vary);
			x++;
		} else if (order > 0) {
			differ(out, y->key, NULL, y->value, vary);
			y++;
		} else {
			if (strcmp(x->value, y->value))
				differ(out, x->key, x->value, y->value, vary);
			x++;
			y++;
		}
	}
}

void differences_free(struct differences *d)
{
	size_t i;

	for (i = 0; i < d->n; i++) {
		free(d->diff[i].key);
		free(d->diff[i].a);
		free(d->diff[i].b);
	}
	free(d->diff);
	memset(d, 0, sizeof(*d));
}
