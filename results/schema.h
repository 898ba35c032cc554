/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FIO_IOU_SCHEMA_H
#define FIO_IOU_SCHEMA_H

#include <stdbool.h>
#include <json-c/json.h>

#include "util.h"

/*
 * results/schema.json is built in: what the recorder must write and what is
 * read here can't drift apart. As much of JSON Schema as that file uses:
 * type, required, properties, additionalProperties (a schema), items, enum,
 * const. No number may be NaN or infinite anywhere.
 */
struct json_object *schema_get(void);
int schema_check(struct json_object *schema, struct json_object *value,
		 struct err *err);

/* What describes member @key of the object that @schema describes, or NULL. */
struct json_object *schema_member(struct json_object *schema, const char *key);
struct json_object *schema_items(struct json_object *schema);
/* May differ between two sides without being declared. */
bool schema_volatile(struct json_object *schema);

/* In @text, which json-c has parsed, no object may have a key twice. */
int scan_duplicates(const char *text, size_t len, struct err *err);

#endif
