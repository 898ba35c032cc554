// SPDX-License-Identifier: GPL-2.0
/* A record against results/schema.json. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "schema.h"

/* The path is from the top of the source, where make runs. */
__asm__(".pushsection .rodata\n"
	".global fio_iou_schema\n"
	"fio_iou_schema:\n"
	".incbin \"results/schema.json\"\n"
	".byte 0\n"
	".popsection\n");
extern const char fio_iou_schema[] __attribute__((visibility("hidden")));

/* Where in the record a value is; printed only when it is wrong. */
struct place {
	const struct place	*up;
	const char		*key;	/* or NULL, for an array's item */
	size_t			index;
};

static void place_print(const struct place *p, char *buf, size_t size)
{
	size_t len;

	if (p->up)
		place_print(p->up, buf, size);
	len = strlen(buf);
	if (!p->key)
		snprintf(buf + len, size - len, "[%zu]", p->index);
	else
		snprintf(buf + len, size - len, "%s%.60s", len ? "." : "", p->key);
}

static int PRINTF(3, 4) wrong(struct err *err, const struct place *p, const char *fmt, ...)
{
	char where[300] = "", what[300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	if (p)
		place_print(p, where, sizeof(where));
	return err_set(err, -EINVAL, "%s %s", p ? where : "the record", what);
}

struct json_object *schema_get(void)
{
	return json_tokener_parse(fio_iou_schema);
}

static struct json_object *get(struct json_object *o, const char *key)
{
	struct json_object *v = NULL;

	if (json_object_is_type(o, json_type_object))
		json_object_object_get_ex(o, key, &v);
	return v;
}

struct json_object *schema_member(struct json_object *schema, const char *key)
{
	struct json_object *m = get(get(schema, "properties"), key);

	return m ? m : get(schema, "additionalProperties");
}

struct json_object *schema_items(struct json_object *schema)
{
	return get(schema, "items");
}

bool schema_volatile(struct json_object *schema)
{
	return json_object_get_boolean(get(schema, "x-volatile"));
}

static bool is_whole(struct json_object *v)
{
	double d = json_object_get_double(v);

	return json_object_is_type(v, json_type_int) || d == floor(d);
}

static bool has_type(struct json_object *v, const char *type)
{
	switch (json_object_get_type(v)) {
	case json_type_null:
		return !strcmp(type, "null");
	case json_type_int:
	case json_type_double:
		return !strcmp(type, "number") ||
			(!strcmp(type, "integer") && is_whole(v));
	default:
		return !strcmp(type, json_type_to_name(json_object_get_type(v)));
	}
}

/* What a value is, for a message: itself when it is short, else its kind. */
static const char *shown(struct json_object *v)
{
	switch (json_object_get_type(v)) {
	case json_type_object:
		return "an object";
	case json_type_array:
		return "an array";
	default:
		return json_object_to_json_string_ext(v, JSON_C_TO_STRING_PLAIN);
	}
}

static int check_type(struct json_object *type, struct json_object *v,
		      const struct place *p, struct err *err)
{
	const char *one;
	char want[100] = "";
	size_t i, n;

	if (json_object_is_type(type, json_type_string)) {
		one = json_object_get_string(type);
		return has_type(v, one) ? 0 :
			wrong(err, p, "is %.60s, not of type %s", shown(v), one);
	}
	n = json_object_array_length(type);
	for (i = 0; i < n; i++) {
		one = json_object_get_string(json_object_array_get_idx(type, i));
		if (has_type(v, one))
			return 0;
		strncat(want, i ? " or " : "", sizeof(want) - strlen(want) - 1);
		strncat(want, one, sizeof(want) - strlen(want) - 1);
	}
	return wrong(err, p, "is %.60s, not of type %s", shown(v), want);
}

static int check_enum(struct json_object *list, struct json_object *v,
		      const struct place *p, struct err *err)
{
	size_t i, n = json_object_array_length(list);

	for (i = 0; i < n; i++) {
		if (json_object_equal(v, json_object_array_get_idx(list, i)))
			return 0;
	}
	return wrong(err, p, "is %.60s, must be one of %.150s", shown(v),
		     json_object_to_json_string_ext(list, JSON_C_TO_STRING_PLAIN));
}

static int check_required(struct json_object *list, struct json_object *v,
			  const struct place *p, struct err *err)
{
	size_t i, n = json_object_array_length(list);
	const char *key;

	for (i = 0; i < n; i++) {
		struct place at = { .up = p };

		key = json_object_get_string(json_object_array_get_idx(list, i));
		at.key = key;
		if (!json_object_object_get_ex(v, key, NULL))
			return wrong(err, &at, "is missing: is this a fio-iou record?");
	}
	return 0;
}

/* @schema may be NULL: then only what must hold of any value. */
static int check(struct json_object *schema, struct json_object *v,
		 const struct place *p, struct err *err)
{
	struct json_object *rule;
	size_t i, n;
	int ret = 0;

	rule = get(schema, "type");
	if (rule)
		ret = check_type(rule, v, p, err);
	rule = get(schema, "enum");
	if (!ret && rule)
		ret = check_enum(rule, v, p, err);
	rule = get(schema, "const");
	if (!ret && rule && !json_object_equal(rule, v))
		ret = wrong(err, p, "is %.60s, must be %s", shown(v),
			    json_object_get_string(rule));
	rule = get(schema, "required");
	if (!ret && rule && json_object_is_type(v, json_type_object))
		ret = check_required(rule, v, p, err);
	if (ret)
		return ret;

	switch (json_object_get_type(v)) {
	case json_type_double:
		if (!isfinite(json_object_get_double(v)))
			return wrong(err, p, "is not a finite number");
		break;
	case json_type_object: {
		json_object_object_foreach(v, key, member) {
			struct place at = { .up = p, .key = key };

			ret = check(schema_member(schema, key), member, &at, err);
			if (ret)
				return ret;
		}
		break;
	}
	case json_type_array:
		n = json_object_array_length(v);
		for (i = 0; i < n; i++) {
			struct place at = { .up = p, .index = i };

			ret = check(schema_items(schema),
				    json_object_array_get_idx(v, i), &at, err);
			if (ret)
				return ret;
		}
		break;
	default:
		break;
	}
	return 0;
}

int schema_check(struct json_object *schema, struct json_object *value,
		 struct err *err)
{
	return check(schema, value, NULL, err);
}
