// SPDX-License-Identifier: GPL-2.0
/* Under which circumstances was a record made? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "meta.h"
#include "schema.h"

/* Takes @value. */
static void add(struct meta *meta, const char *key, char *value)
{
	meta->fact = xgrow(meta->fact, meta->n, sizeof(*meta->fact));
	meta->fact[meta->n].key = xstrdup(key);
	meta->fact[meta->n].value = value;
	text_clean(meta->fact[meta->n].key);
	meta->n++;
}

static char *value_text(struct json_object *v)
{
	if (json_object_is_type(v, json_type_string))
		return xstrdup(json_object_get_string(v));
	return xstrdup(json_object_to_json_string_ext(v, JSON_C_TO_STRING_PLAIN));
}

/* What the device of that name is called by its serial number, or NULL. */
static char *name_of(const char *dev, size_t len, struct json_object *devices)
{
	size_t i, n = json_object_array_length(devices);
	struct json_object *d;
	const char *name;

	for (i = 0; i < n; i++) {
		d = json_object_array_get_idx(devices, i);
		name = json_text_at(d, "name");
		if (name && len == strlen(name) && !strncmp(dev, name, len))
			return device_name(d);
	}
	return NULL;
}

/*
 * The text with each /dev/NAME replaced by the device's serial number: the
 * kernel is free to swap the names at the next boot.
 */
static char *without_dev_names(const char *text, struct json_object *devices)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	const char *at;
	char *out, *name;
	size_t len;
	FILE *f = text_open(&out, &len);

	while ((at = strstr(text, "/dev/"))) {
		fwrite(text, 1, at - text, f);
		text = at + 5;
		len = strspn(text, letters);
		name = name_of(text, len, devices);
		fprintf(f, "<%s>", name ? name : "device");
		free(name);
		text += len;
	}
	fputs(text, f);
	fclose(f);
	return out;
}

/*
 * A word of a command line with the folder of a file left out: two checkouts
 * may lie in two places, and the text of the job file is compared as it is.
 */
static const char *without_folder(const char *word, bool program)
{
	const char *value = strchr(word, '='), *slash = strrchr(word, '/');
	size_t len = strlen(word);

	value = value ? value + 1 : word;
	if (!slash || slash < value)
		return NULL;
	if (program || *value == '/' || *value == '.' ||
	    (len > 4 && !strcmp(word + len - 4, ".fio")))
		return slash + 1;
	return NULL;
}

static void add_argv(struct meta *meta, struct json_object *argv,
		     struct json_object *devices)
{
	size_t i, len, n = json_object_array_length(argv);
	const char *file;
	char *all, *word;
	FILE *f = text_open(&all, &len);

	for (i = 0; i < n; i++) {
		word = without_dev_names(
			json_object_get_string(json_object_array_get_idx(argv, i)),
			devices);
		file = without_folder(word, i == 0);
		fputs(i ? " " : "", f);
		if (!file)
			fputs(word, f);
		else if (strchr(word, '='))
			fprintf(f, "%.*s=%s", (int)strcspn(word, "="), word, file);
		else
			fputs(file, f);
		free(word);
	}
	fclose(f);
	add(meta, "job.argv", all);
}

/* ENGINES is a folder; which engines are in it, so_hash says. */
static void add_env(struct meta *meta, struct json_object *env,
		    struct json_object *devices)
{
	char *name;

	if (!env)
		return;
	json_object_object_foreach(env, key, v) {
		if (!v || !strcmp(key, "ENGINES"))
			continue;
		name = xprintf("job.env.%s", key);
		add(meta, name, without_dev_names(json_object_get_string(v), devices));
		free(name);
	}
}

/*
 * The kernel's command line without what names files of the boot itself: a
 * kernel is loaded from a file of its own, and a guest's folder is new each
 * time.
 */
static void add_cmdline(struct meta *meta, const char *line)
{
	static const char *const boot[] = {
		"BOOT_IMAGE=", "initrd=", "umid=", "root=",
	};
	enum { N_BOOT = sizeof(boot) / sizeof(boot[0]) };
	char *all, *copy = xstrdup(line), *word, *save, *value;
	size_t i, len;
	FILE *f = text_open(&all, &len);

	for (word = strtok_r(copy, " \t\n", &save); word;
	     word = strtok_r(NULL, " \t\n", &save)) {
		for (i = 0; i < N_BOOT; i++) {
			if (!strncmp(word, boot[i], strlen(boot[i])))
				break;
		}
		if (i < N_BOOT)
			continue;
		value = strchr(word, '=');
		if (value && value[1] == '/')
			value[1] = '\0';
		fprintf(f, "%s ", word);
	}
	fclose(f);
	free(copy);
	add(meta, "kernel.cmdline", all);
}

/* The members that need more than a look at their text. True: it was one. */
static bool add_special(struct meta *meta, const char *key,
			struct json_object *v, struct json_object *root)
{
	struct json_object *devices = json_at(root, "device");

	if (!strcmp(key, "job.argv"))
		add_argv(meta, v, devices);
	else if (!strcmp(key, "job.env"))
		add_env(meta, v, devices);
	else if (!strcmp(key, "kernel.cmdline") && v)
		add_cmdline(meta, json_object_get_string(v));
	else
		return false;
	return true;
}

static void walk(struct meta *meta, const char *key, struct json_object *v,
		 struct json_object *schema, struct json_object *root);

static void walk_member(struct meta *meta, const char *up, const char *key,
			struct json_object *v, struct json_object *schema,
			struct json_object *root)
{
	char *path = xprintf("%s%s%s", up, *up ? "." : "", key);

	walk(meta, path, v, schema_member(schema, key), root);
	free(path);
}

static void walk_devices(struct meta *meta, struct json_object *devices,
			 struct json_object *schema, struct json_object *root)
{
	size_t i, n = json_object_array_length(devices);
	struct json_object *dev;
	char *name, *key;

	for (i = 0; i < n; i++) {
		dev = json_object_array_get_idx(devices, i);
		name = device_name(dev);
		key = xprintf("device[%s]", name);
		walk(meta, key, dev, schema_items(schema), root);
		free(key);
		free(name);
	}
}

static void walk(struct meta *meta, const char *key, struct json_object *v,
		 struct json_object *schema, struct json_object *root)
{
	if (schema_volatile(schema) || add_special(meta, key, v, root))
		return;
	/* Null is the same as not there: it could not be read. */
	if (!v)
		return;
	if (!strcmp(key, "device")) {
		walk_devices(meta, v, schema, root);
	} else if (json_object_is_type(v, json_type_object)) {
		json_object_object_foreach(v, name, member)
			walk_member(meta, key, name, member, schema, root);
	} else {
		add(meta, key, value_text(v));
	}
}

static int by_key(const void *a, const void *b)
{
	const struct fact *x = a, *y = b;
	int ret = strcmp(x->key, y->key);

	/* Two devices can share a name where neither has a serial number. */
	return ret ? ret : strcmp(x->value, y->value);
}

void meta_read(struct meta *meta, const struct record *rec)
{
	struct json_object *schema = schema_get();

	memset(meta, 0, sizeof(*meta));
	walk(meta, "", rec->json, schema, rec->json);
	if (meta->n)
		qsort(meta->fact, meta->n, sizeof(*meta->fact), by_key);
	json_object_put(schema);
}

void meta_free(struct meta *meta)
{
	size_t i;

	for (i = 0; i < meta->n; i++) {
		free(meta->fact[i].key);
		free(meta->fact[i].value);
	}
	free(meta->fact);
	memset(meta, 0, sizeof(*meta));
}
