// SPDX-License-Identifier: GPL-2.0
/* One side of a comparison: records, laid out in rows and boots. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proof.h"
#include "side.h"
#include "stats.h"

/* All pairs of boots are looked at: a thousand a side is a million. */
#define BOOTS_MAX	1000
#define ROWS_MAX	1000

static bool same_job(const struct record *a, const struct record *b)
{
	return !strcmp(a->job, b->job) && !strcmp(a->devices, b->devices);
}

static bool same_row(const struct row *row, const struct record *rec,
		     const char *section)
{
	return same_job(row->rec, rec) && !strcmp(row->section, section);
}

static struct row *find(const struct side *side, const struct record *rec,
			const char *section)
{
	size_t i;

	for (i = 0; i < side->nrows; i++) {
		if (same_row(&side->row[i], rec, section))
			return &side->row[i];
	}
	return NULL;
}

struct row *side_find(const struct side *side, const struct row *row)
{
	return find(side, row->rec, row->section);
}

bool side_failed(const struct side *side, const struct row *row)
{
	const struct failure *f;
	size_t i;

	for (i = 0; i < side->nfailures; i++) {
		f = &side->failure[i];
		if (f->section ? same_row(row, f->rec, f->section) :
		    !strcmp(row->rec->job, f->rec->job))
			return true;
	}
	return false;
}

static struct row *add_row(struct side *side, const struct record *rec,
			   const struct run *run)
{
	struct row *row;

	side->row = xgrow(side->row, side->nrows, sizeof(*side->row));
	row = &side->row[side->nrows++];
	if (strcmp(rec->job, run->section))
		row->name = xprintf("%s/%s", rec->job, run->section);
	else
		row->name = xstrdup(rec->job);
	text_clean(row->name);
	row->engine = run->engine;
	row->section = run->section;
	row->rec = rec;
	return row;
}

static int add_to_boot(struct row *row, const char *boot_id,
		       const struct run *run, struct err *err)
{
	struct boot *boot;
	size_t i;

	for (i = 0; i < row->nboots; i++) {
		if (!strcmp(row->boot[i].id, boot_id))
			break;
	}
	if (i == row->nboots) {
		if (i == BOOTS_MAX)
			return err_set(err, -E2BIG, "more than %d boots of %s: compare fewer",
				       BOOTS_MAX, row->name);
		row->boot = xgrow(row->boot, i, sizeof(*row->boot));
		row->boot[i].id = boot_id;
		row->nboots++;
	}
	boot = &row->boot[i];
	boot->run = xgrow(boot->run, boot->nruns, sizeof(*boot->run));
	boot->run[boot->nruns++] = run;
	return 0;
}

static void add_failure(struct side *side, const struct record *rec,
			const char *section, const char *why)
{
	struct failure *f;

	side->failure = xgrow(side->failure, side->nfailures, sizeof(*f));
	f = &side->failure[side->nfailures++];
	f->rec = rec;
	f->section = section;
	f->why = why;
}

static int add_run(struct side *side, const struct record *rec, size_t i,
		   struct err *err)
{
	const struct run *run = &rec->run[i];
	struct row *row;
	struct err why;

	if (run->error) {
		add_failure(side, rec, run->section, run->error);
		return 0;
	}
	row = find(side, rec, run->section);
	if (!row && side->nrows == ROWS_MAX)
		return err_set(err, -E2BIG, "%s: more than %d sections: compare fewer jobs at a time",
			       rec->path, ROWS_MAX);
	if (!row)
		row = add_row(side, rec, run);
	if (strcmp(row->engine, run->engine))
		return err_set(err, -EINVAL,
			       "%s: runs[%zu].engine is %s, and %s ran with %s before",
			       rec->path, i, run->engine, row->name, row->engine);
	if (!row->refused && proof_check(run, &why))
		row->refused = xprintf("%s: runs[%zu]: %s", rec->path, i, why.text);
	return add_to_boot(row, rec->boot_id, run, err);
}

/*
 * The machine and its kernel are the same for every job of a side. What differs
 * from job to job is the CPUs, and what is read from them.
 */
static bool of_every_job(const char *key)
{
	if (!strncmp(key, "host.", 5))
		return strcmp(key, "host.siblings") && strcmp(key, "host.governor");
	return !strncmp(key, "kernel.", 7) || !strncmp(key, "guest.", 6);
}

static int check_agrees(const struct record *first, const struct record *rec,
			struct err *err)
{
	const bool all = same_job(first, rec);
	static const struct vary none;
	struct differences d = { NULL, 0 };
	struct meta a, b;
	size_t i;
	int ret = 0;

	meta_read(&a, first);
	meta_read(&b, rec);
	meta_compare(&d, &a, &b, &none);
	for (i = 0; i < d.n && !ret; i++) {
		if (all || of_every_job(d.diff[i].key))
			ret = err_set(err, -EINVAL,
				      "%.200s: %.60s is \"%.60s\", in %.200s \"%.60s\": not one side, use two folders",
				      rec->path, d.diff[i].key, d.diff[i].b,
				      first->path, d.diff[i].a);
	}
	differences_free(&d);
	meta_free(&a);
	meta_free(&b);
	return ret;
}

/* @rec with the first of its job, and with the first of them all. */
static int check_uniform(const struct side *side, const struct record *rec,
			 struct err *err)
{
	const struct record *r, *first = NULL;
	int ret = 0;

	for (r = side->rec; r < rec && !ret; r++) {
		if (r->failed)
			continue;
		if (!first || same_job(r, rec))
			ret = check_agrees(r, rec, err);
		if (!first)
			first = r;
		if (same_job(r, rec))
			break;
	}
	return ret;
}

static int check_unique(const struct side *side, const struct record *rec,
			struct err *err)
{
	const struct record *r;

	for (r = side->rec; r < rec; r++) {
		if (!strcmp(r->id, rec->id))
			return err_set(err, -EEXIST, "%s: id %s is in %s too: the same record twice",
				       rec->path, rec->id, r->path);
	}
	return 0;
}

int side_init(struct side *side, struct record *recs, size_t n, struct err *err)
{
	struct record *rec;
	size_t i;
	int ret;

	side->rec = recs;
	side->nrecs = n;
	for_each(rec, recs, n) {
		ret = check_unique(side, rec, err);
		if (ret)
			return ret;
		if (rec->failed) {
			add_failure(side, rec, NULL, rec->failed);
			continue;
		}
		ret = check_uniform(side, rec, err);
		for (i = 0; i < rec->nruns && !ret; i++)
			ret = add_run(side, rec, i, err);
		if (ret)
			return ret;
	}
	return 0;
}

int side_load(struct side *side, const char *path, const char *label,
	      struct err *err)
{
	struct record *recs;
	size_t n;
	int ret;

	memset(side, 0, sizeof(*side));
	side->path = path;
	snprintf(side->label, sizeof(side->label), "%s", label);
	ret = records_load(&recs, &n, path, err);
	if (!ret)
		ret = side_init(side, recs, n, err);
	return ret;
}

void side_free(struct side *side)
{
	size_t i, j;

	for (i = 0; i < side->nrows; i++) {
		for (j = 0; j < side->row[i].nboots; j++)
			free(side->row[i].boot[j].run);
		free(side->row[i].boot);
		free(side->row[i].name);
		free(side->row[i].refused);
	}
	free(side->row);
	free(side->failure);
	records_free(side->rec, side->nrecs);
	memset(side, 0, sizeof(*side));
}

size_t row_values(const struct row *row, enum metric_id metric, double *value)
{
	size_t i, j, k, n = 0;
	double *runs;

	for (i = 0; i < row->nboots; i++) {
		runs = xcalloc(row->boot[i].nruns, sizeof(*runs));
		for (j = k = 0; j < row->boot[i].nruns; j++) {
			if (!isnan(row->boot[i].run[j]->value[metric]))
				runs[k++] = row->boot[i].run[j]->value[metric];
		}
		if (k)
			value[n++] = stats_median(runs, k);
		free(runs);
	}
	return n;
}

size_t row_runs(const struct row *row)
{
	size_t i, n = 0;

	for (i = 0; i < row->nboots; i++)
		n += row->boot[i].nruns;
	return n;
}
