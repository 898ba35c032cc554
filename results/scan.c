// SPDX-License-Identifier: GPL-2.0
/*
 * What json-c's parser lets pass: of two equal keys it keeps the last and says
 * nothing, and which of two figures counts is not for a parser to choose.
 */
#include <errno.h>
#include <stdlib.h>

#include "schema.h"

/* As deep as json-c's own parser goes. */
#define DEPTH_MAX	JSON_TOKENER_DEFAULT_DEPTH

struct scan {
	struct json_object	*seen[DEPTH_MAX + 1];	/* NULL for an array */
	size_t			depth;
	struct json_tokener	*tok;
};

/* The end of the string that begins at @i, past its closing quote. */
static size_t string_end(const char *text, size_t len, size_t i)
{
	for (i++; i < len && text[i] != '"'; i++) {
		if (text[i] == '\\')
			i++;
	}
	return i < len ? i + 1 : len;
}

/* A key has to be decoded first: "iops" is "iop\u0073" too. */
static int see_key(struct scan *scan, const char *token, size_t len,
		   struct err *err)
{
	struct json_object *seen = scan->seen[scan->depth], *key;
	const char *name;
	int ret = 0;

	json_tokener_reset(scan->tok);
	key = json_tokener_parse_ex(scan->tok, token, len);
	if (!json_object_is_type(key, json_type_string)) {
		json_object_put(key);
		return err_set(err, -EINVAL, "has a key that is not a string");
	}
	name = json_object_get_string(key);
	if (json_object_object_get_ex(seen, name, NULL))
		ret = err_set(err, -EINVAL, "has the key \"%.100s\" twice in one object",
			      name);
	else
		json_object_object_add(seen, name, NULL);
	json_object_put(key);
	return ret;
}

static int descend(struct scan *scan, bool object, struct err *err)
{
	if (scan->depth == DEPTH_MAX)
		return err_set(err, -EINVAL, "is nested too deeply");
	scan->depth++;
	scan->seen[scan->depth] = object ? json_object_new_object() : NULL;
	return 0;
}

static void ascend(struct scan *scan)
{
	if (scan->depth) {
		json_object_put(scan->seen[scan->depth]);
		scan->depth--;
	}
}

int scan_duplicates(const char *text, size_t len, struct err *err)
{
	struct scan scan = { .tok = json_tokener_new() };
	bool key_next = false;
	size_t i, end;
	int ret = 0;

	for (i = 0; i < len && !ret; i = end) {
		end = i + 1;
		switch (text[i]) {
		case '{':
		case '[':
			key_next = text[i] == '{';
			ret = descend(&scan, key_next, err);
			break;
		case '}':
		case ']':
			key_next = false;
			ascend(&scan);
			break;
		case ',':
			key_next = scan.seen[scan.depth] != NULL;
			break;
		case '"':
			end = string_end(text, len, i);
			if (key_next)
				ret = see_key(&scan, text + i, end - i, err);
			key_next = false;
			break;
		case '\'':
			ret = err_set(err, -EINVAL, "is not JSON: a single quote at byte %zu", i);
			break;
		}
	}
	while (scan.depth)
		ascend(&scan);
	json_tokener_free(scan.tok);
	return ret;
}
