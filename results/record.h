/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FIO_IOU_RECORD_H
#define FIO_IOU_RECORD_H

#include <stdbool.h>
#include <json-c/json.h>

#include "metric.h"
#include "util.h"

/* One run of one section. Strings belong to the record's JSON. */
struct run {
	const char		*section;
	const char		*engine;
	const char		*error;		/* NULL when it went well */
	double			value[M_COUNT];	/* NAN where there is none */
	double			requests;	/* by the path reports, or NAN */
	struct json_object	*json;
};

/* One file: every run of one job file in one boot. */
struct record {
	char			*path;
	struct json_object	*json;
	const char		*id;
	const char		*boot_id;
	const char		*job;
	const char		*failed;	/* NULL when it went well */
	bool			icount;
	char			*devices;	/* "SERIAL/NSID …", "" for none */
	struct run		*run;
	size_t			nruns;
};

/* From @len bytes of text; @path is what messages call it. */
int record_parse(struct record *rec, const char *text, size_t len,
		 const char *path, struct err *err);
int record_load(struct record *rec, const char *path, struct err *err);
void record_free(struct record *rec);

/* The member at a dotted path below @o, or NULL; null is NULL too. */
struct json_object *json_at(struct json_object *o, const char *path);
const char *json_text_at(struct json_object *o, const char *path);
double json_number_at(struct json_object *o, const char *path);

/* "SERIAL/NSID" of one device; to be freed. */
char *device_name(struct json_object *device);

/*
 * Every record of a folder (its *.json, in the order of their names), or the
 * one that @path is. The caller frees what is in the array and the array.
 */
int records_load(struct record **recs, size_t *n, const char *path,
		 struct err *err);
void records_free(struct record *recs, size_t n);

#endif
