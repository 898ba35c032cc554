// SPDX-License-Identifier: GPL-2.0
/* A record in memory: read, checked against the schema, its runs laid out. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record.h"
#include "schema.h"

/* A record is some hundred kilobytes. In memory it takes forty times that. */
#define RECORD_SIZE_MAX	(16 << 20)
/* Beyond any figure of a storage device, and still exact enough to add up. */
#define VALUE_MAX	1e18

struct json_object *json_at(struct json_object *o, const char *path)
{
	char key[64];
	size_t len;

	while (o && *path) {
		len = strcspn(path, ".");
		snprintf(key, sizeof(key), "%.*s", (int)len, path);
		if (!json_object_is_type(o, json_type_object) ||
		    !json_object_object_get_ex(o, key, &o))
			return NULL;
		path += len + (path[len] == '.');
	}
	return o;
}

const char *json_text_at(struct json_object *o, const char *path)
{
	struct json_object *v = json_at(o, path);

	return v ? json_object_get_string(v) : NULL;
}

double json_number_at(struct json_object *o, const char *path)
{
	struct json_object *v = json_at(o, path);

	return v ? json_object_get_double(v) : NAN;
}

static bool is_blank(const char *text, size_t from, size_t to)
{
	while (from < to && text[from] && strchr(" \t\r\n", text[from]))
		from++;
	return from == to;
}

static int parse_json(struct json_object **json, const char *text, size_t len,
		      struct err *err)
{
	struct json_tokener *tok = json_tokener_new();
	enum json_tokener_error why;
	int ret = -EINVAL;

	json_tokener_set_flags(tok, JSON_TOKENER_STRICT |
			       JSON_TOKENER_VALIDATE_UTF8);
	*json = json_tokener_parse_ex(tok, text, len);
	why = json_tokener_get_error(tok);
	if (why == json_tokener_continue)
		err_set(err, ret, "is cut short: not a whole JSON text");
	else if (why != json_tokener_success)
		err_set(err, ret, "is not JSON: %s at byte %zu",
			json_tokener_error_desc(why),
			json_tokener_get_parse_end(tok));
	else if (!is_blank(text, json_tokener_get_parse_end(tok), len))
		err_set(err, ret, "is not one JSON text: more follows at byte %zu",
			json_tokener_get_parse_end(tok));
	else
		ret = 0;
	json_tokener_free(tok);
	return ret;
}

static const struct {
	enum metric_id	id;
	const char	*path;
} stored[] = {
	{ M_IOPS, "iops" },		{ M_BW, "bw" },
	{ M_BEST_SECOND, "best_second" }, { M_LAT_MEAN, "lat_ns.mean" },
	{ M_LAT_P50, "lat_ns.p50" },	{ M_LAT_P99, "lat_ns.p99" },
	{ M_LAT_P999, "lat_ns.p999" },	{ M_USR_CPU, "usr_cpu" },
	{ M_SYS_CPU, "sys_cpu" },	{ M_CTX, "ctx" },
	{ M_INSN, "insn_per_io" },
};

/* The path reports of a run's threads, added up. */
static double requests(struct json_object *run)
{
	struct json_object *reports = json_at(run, "reports");
	size_t i, n = reports ? json_object_array_length(reports) : 0;
	double sum = 0;

	for (i = 0; i < n; i++)
		sum += json_number_at(json_object_array_get_idx(reports, i),
				      "requests");
	return n ? sum : NAN;
}

static int run_init(struct run *run, struct json_object *json, size_t index,
		    struct err *err)
{
	size_t i;
	double v;

	run->json = json;
	run->section = json_text_at(json, "section");
	run->engine = json_text_at(json, "engine");
	run->error = json_text_at(json, "error");
	/* By this name the proof is chosen: it can't be a file's. */
	if (strpbrk(run->engine, "/:"))
		return err_set(err, -EINVAL,
			       "runs[%zu].engine is \"%.60s\", not the name of an engine",
			       index, run->engine);
	run->requests = requests(json);
	for (i = 0; i < sizeof(stored) / sizeof(stored[0]); i++) {
		v = json_number_at(json, stored[i].path);
		if (v < 0 || v > VALUE_MAX)
			return err_set(err, -EINVAL, "runs[%zu].%s is %g: out of range",
				       index, stored[i].path, v);
		run->value[stored[i].id] = v;
	}
	run->value[M_CPU] = run->value[M_USR_CPU] + run->value[M_SYS_CPU];
	if (!run->error && isnan(run->value[M_IOPS]))
		return err_set(err, -EINVAL,
			       "runs[%zu].iops is null, and error doesn't say why", index);
	return 0;
}

char *device_name(struct json_object *device)
{
	const char *serial = json_text_at(device, "serial");
	const char *nsid = json_text_at(device, "nsid");
	char *name = xprintf("%s%s%s", serial ? serial : "-", nsid ? "/" : "",
			     nsid ? nsid : "");

	text_clean(name);
	return name;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* In an order of their own: which is first must not follow from a name. */
static char *device_names(struct json_object *devices)
{
	size_t i, n = json_object_array_length(devices);
	char **name = xcalloc(n, sizeof(*name)), *all = xstrdup(""), *was;

	for (i = 0; i < n; i++)
		name[i] = device_name(json_object_array_get_idx(devices, i));
	qsort(name, n, sizeof(*name), by_text);
	for (i = 0; i < n; i++) {
		was = all;
		all = xprintf("%s%s%s", was, i ? " " : "", name[i]);
		free(was);
		free(name[i]);
	}
	free(name);
	return all;
}

static int record_init(struct record *rec, struct err *err)
{
	struct json_object *runs = json_at(rec->json, "runs");
	size_t i, n = json_object_array_length(runs);
	int ret;

	rec->id = json_text_at(rec->json, "id");
	rec->boot_id = json_text_at(rec->json, "boot_id");
	rec->job = json_text_at(rec->json, "job.name");
	rec->failed = json_text_at(rec->json, "failed");
	rec->icount = !strcmp(json_text_at(rec->json, "guest.kind"), "icount");
	rec->devices = device_names(json_at(rec->json, "device"));
	if (!*rec->id || !*rec->boot_id || !*rec->job)
		return err_set(err, -EINVAL, "%s is empty", !*rec->id ? "id" :
			       !*rec->boot_id ? "boot_id" : "job.name");
	if (!n && !rec->failed)
		return err_set(err, -EINVAL, "runs is empty, and failed doesn't say why");

	rec->run = xcalloc(n, sizeof(*rec->run));
	for (i = 0; i < n; i++) {
		ret = run_init(&rec->run[i], json_object_array_get_idx(runs, i),
			       i, err);
		if (ret)
			return ret;
		rec->nruns++;
	}
	return 0;
}

static int check_schema(struct json_object *json, struct err *err)
{
	struct json_object *version = json_at(json, "schema");
	struct json_object *schema;
	int ret;

	if (json_object_is_type(version, json_type_int) &&
	    json_object_get_int64(version) != 1)
		return err_set(err, -EINVAL,
			       "schema is %s, and this reads 1: use the fio-iou that wrote it",
			       json_object_get_string(version));
	schema = schema_get();
	ret = schema_check(schema, json, err);
	json_object_put(schema);
	return ret;
}

int record_parse(struct record *rec, const char *text, size_t len,
		 const char *path, struct err *err)
{
	int ret;

	memset(rec, 0, sizeof(*rec));
	rec->path = xstrdup(path);
	ret = parse_json(&rec->json, text, len, err);
	if (!ret)
		ret = scan_duplicates(text, len, err);
	if (!ret)
		ret = check_schema(rec->json, err);
	if (!ret)
		ret = record_init(rec, err);
	if (ret) {
		err_prefix(err, path);
		record_free(rec);
	}
	return ret;
}

/* The file's bytes and a zero; only of a real file, so that nothing blocks. */
static int read_file(char **text, size_t *len, const char *path, struct err *err)
{
	struct stat st;
	ssize_t got;
	int fd, ret = 0;

	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st)) {
		ret = -errno;
		err_set(err, ret, "%s: %s", path, strerror(errno));
		goto out_close;
	}
	if (!S_ISREG(st.st_mode) || st.st_size > RECORD_SIZE_MAX) {
		ret = err_set(err, -EINVAL, "%s: %s: not a record", path,
			      S_ISREG(st.st_mode) ? "larger than 16 MiB" :
			      "neither a file nor a folder");
		goto out_close;
	}
	*text = xcalloc(st.st_size + 1, 1);
	for (*len = 0; *len < (size_t)st.st_size; *len += got) {
		got = read(fd, *text + *len, st.st_size - *len);
		if (got < 0) {
			ret = -errno;
			err_set(err, ret, "%s: %s", path, strerror(errno));
			free(*text);
			break;
		}
		if (!got)
			break;
	}
out_close:
	if (fd >= 0)
		close(fd);
	return ret;
}

int record_load(struct record *rec, const char *path, struct err *err)
{
	size_t len;
	char *text;
	int ret;

	ret = read_file(&text, &len, path, err);
	if (ret)
		return ret;
	ret = record_parse(rec, text, len, path, err);
	free(text);
	return ret;
}

void record_free(struct record *rec)
{
	json_object_put(rec->json);
	free(rec->run);
	free(rec->devices);
	free(rec->path);
	memset(rec, 0, sizeof(*rec));
}

void records_free(struct record *recs, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		record_free(&recs[i]);
	free(recs);
}

static int is_record(const struct dirent *d)
{
	const char *dot = strrchr(d->d_name, '.');

	/* A name that begins with a dot is a record still being written. */
	return d->d_name[0] != '.' && dot && !strcmp(dot, ".json");
}

/* Not alphasort(): the order must not depend on the language. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int folder_load(struct record **recs, size_t *n, const char *path,
		       struct err *err)
{
	struct dirent **entry;
	int i, found, ret = 0;
	char *file;

	found = scandir(path, &entry, is_record, by_name);
	if (found < 0)
		return err_set(err, -errno, "%s: %s", path, strerror(errno));
	if (!found)
		ret = err_set(err, -ENOENT,
			      "%s: no record (*.json) in this folder: is it what fio-iou run -o wrote?",
			      path);
	for (i = 0; i < found; i++) {
		if (!ret) {
			file = xprintf("%s/%s", path, entry[i]->d_name);
			*recs = xgrow(*recs, *n, sizeof(**recs));
			ret = record_load(&(*recs)[*n], file, err);
			free(file);
			if (!ret)
				(*n)++;
		}
		free(entry[i]);
	}
	free(entry);
	return ret;
}

int records_load(struct record **recs, size_t *n, const char *path,
		 struct err *err)
{
	struct stat st;
	int ret;

	*recs = NULL;
	*n = 0;
	if (stat(path, &st))
		return err_set(err, -errno, "%s: %s", path, strerror(errno));
	if (S_ISDIR(st.st_mode))
		ret = folder_load(recs, n, path, err);
	else {
		*recs = xgrow(*recs, 0, sizeof(**recs));
		ret = record_load(*recs, path, err);
		*n = !ret;
	}
	if (ret) {
		records_free(*recs, *n);
		*recs = NULL;
		*n = 0;
	}
	return ret;
}
