// SPDX-License-Identifier: GPL-2.0
/* fio-iou compare: pre and post, and whether they differ. */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"
#include "table.h"

static const char usage[] =
"usage: fio-iou compare [options] PRE POST [MORE...]\n"
"       fio-iou compare --floor DIR\n"
"       fio-iou compare --check RECORD...\n"
"\n"
"Compare records of fio-iou run. PRE, POST and MORE are each a record or a\n"
"folder of them; every further one is compared with the first.\n"
"\n"
"      --vary KEY     what was meant to differ: kernel, job.cpus, host.governor\n"
"                     (may repeat; covers what is below KEY)\n"
"      --metric NAME  what to compare: iops (default), bw, best_second, lat_mean,\n"
"                     lat_p50, lat_p99, lat_p999, usr_cpu, sys_cpu,\n"
"                     usr_cpu+sys_cpu, ctx, insn_per_io\n"
"      --equiv PCT    a difference within +-PCT percent is none\n"
"      --floor DIR    records of one kernel: how far its halves are apart is the\n"
"                     least difference that counts\n"
"      --gate PCT     exit with 1 only for a row that is worse by more than PCT\n"
"                     percent with all of its interval\n"
"      --alpha P      the chance to be wrong (default 0.05)\n"
"      --format F     text (default), list (for a mailing list), md, csv, json\n"
"      --plot FILE    draw the rows into FILE, an SVG\n"
"      --check        only check the records against the schema\n"
"  -h, --help         this text\n"
"\n"
"Exit codes: 0 nothing got worse; 1 a row did, or failed only after PRE; 2 the\n"
"records are wrong, or not to be compared, or one's path is not proven.\n";

struct options {
	struct rules	rules;
	const char	*floor;
	const char	*plot;
	enum format	format;
	bool		check;
};

static int complain(const struct err *err)
{
	fprintf(stderr, "fio-iou compare: %s\n", err->text);
	return 2;
}

static int parse_number(double *to, const char *option, const char *text,
			double most, struct err *err)
{
	char *end;
	double v = strtod(text, &end);

	if (end == text || *end || !(v >= 0 && v < most))
		return err_set(err, -EINVAL, "--%s %.40s: not a number from 0 to below %g",
			       option, text, most);
	*to = v;
	return 0;
}

static int parse_format(enum format *to, const char *text, struct err *err)
{
	static const char *const name[] = {
		[F_TEXT] = "text", [F_LIST] = "list", [F_MD] = "md",
		[F_CSV] = "csv", [F_JSON] = "json",
	};
	size_t i;

	for (i = 0; i < sizeof(name) / sizeof(name[0]); i++) {
		if (!strcmp(text, name[i])) {
			*to = i;
			return 0;
		}
	}
	return err_set(err, -EINVAL, "--format %.40s: not one of text, list, md, csv, json",
		       text);
}

static int parse_metric(enum metric_id *to, const char *text, struct err *err)
{
	*to = metric_find(text);
	if (*to == M_COUNT)
		return err_set(err, -EINVAL, "--metric %.40s: no such metric: see --help",
			       text);
	return 0;
}

enum { O_VARY = 256, O_METRIC, O_EQUIV, O_FLOOR, O_GATE, O_ALPHA, O_FORMAT,
       O_PLOT, O_CHECK };

static const struct option long_options[] = {
	{ "vary",	required_argument,	NULL, O_VARY },
	{ "metric",	required_argument,	NULL, O_METRIC },
	{ "equiv",	required_argument,	NULL, O_EQUIV },
	{ "floor",	required_argument,	NULL, O_FLOOR },
	{ "gate",	required_argument,	NULL, O_GATE },
	{ "alpha",	required_argument,	NULL, O_ALPHA },
	{ "format",	required_argument,	NULL, O_FORMAT },
	{ "plot",	required_argument,	NULL, O_PLOT },
	{ "check",	no_argument,		NULL, O_CHECK },
	{ "help",	no_argument,		NULL, 'h' },
	{ 0 }
};

static int parse_option(struct options *o, int opt, struct err *err)
{
	struct vary *vary = &o->rules.vary;

	switch (opt) {
	case O_VARY:
		vary->key = xgrow(vary->key, vary->n, sizeof(*vary->key));
		vary->key[vary->n++] = optarg;
		return 0;
	case O_METRIC:
		return parse_metric(&o->rules.metric, optarg, err);
	case O_EQUIV:
		return parse_number(&o->rules.equiv, "equiv", optarg, 100, err);
	case O_GATE:
		return parse_number(&o->rules.gate, "gate", optarg, 1000, err);
	case O_ALPHA:
		if (parse_number(&o->rules.alpha, "alpha", optarg, 1, err))
			return -EINVAL;
		return o->rules.alpha > 0 ? 0 :
			err_set(err, -EINVAL, "--alpha 0: nothing is that certain");
	case O_FLOOR:
		o->floor = optarg;
		return 0;
	case O_FORMAT:
		return parse_format(&o->format, optarg, err);
	case O_PLOT:
		o->plot = optarg;
		return 0;
	case O_CHECK:
		o->check = true;
		return 0;
	default:
		return err_set(err, -EINVAL, "bad option: see --help");
	}
}

static int check_records(char **path, int n)
{
	struct record *recs;
	struct err err;
	size_t count;
	int i, ret = 0;

	for (i = 0; i < n; i++) {
		if (records_load(&recs, &count, path[i], &err)) {
			ret = complain(&err);
			continue;
		}
		records_free(recs, count);
	}
	return ret;
}

/* A misspelt key would declare nothing, and the pair then be refused for it. */
static int check_vary(const struct vary *vary, const struct side *side,
		      struct err *err)
{
	struct meta meta;
	size_t i;
	int ret = 0;

	meta_read(&meta, side->rec);
	for (i = 0; i < vary->n && !ret; i++) {
		if (vary_unknown(vary->key[i], &meta))
			ret = err_set(err, -EINVAL, "--vary %.80s: a record has no such key",
				      vary->key[i]);
	}
	meta_free(&meta);
	return ret;
}

/* As --vary takes it: device.model for device[S1/1].model. */
static char *vary_key(const char *key)
{
	size_t name = strcspn(key, "[");
	const char *rest = strchr(key, ']');

	return xprintf("%.*s%s", (int)name, key, rest ? rest + 1 : "");
}

static void print_invalid(const struct differences *d, const char *first)
{
	const struct difference *x;
	struct err line;
	char *key;

	for_each(x, d->diff, d->n) {
		key = vary_key(x->key);
		err_set(&line, 0,
			"INVALID: %.120s: %s \"%.100s\", %s \"%.100s\" (%.60s): make them the same, or say --vary %.120s",
			x->key, first, x->a, x->side, x->b, x->job, key);
		complain(&line);
		free(key);
	}
}

static int verdict_of(const struct comparison *cmp)
{
	bool refused = false;
	size_t i;

	for (i = 0; i < cmp->npairs; i++) {
		if (cmp->pair[i].worse)
			return 1;
		refused = refused || cmp->pair[i].verdict == V_REFUSED;
	}
	if (comparison_lost(cmp))
		return 1;
	return refused ? 2 : 0;
}

static int print_comparison(const struct comparison *cmp, const struct options *o)
{
	struct err err;

	if (!cmp->npairs && !comparison_lost(cmp)) {
		notes_print(cmp, "fio-iou compare: ", stderr);
		err_set(&err, 0, "nothing to compare: no section of a job ran on the same device on both sides");
		return complain(&err);
	}
	table_print(cmp, o->format, stdout);
	/* CSV has no row for what has no figures; nor may it be kept silent. */
	if (o->format == F_CSV)
		notes_print(cmp, "fio-iou compare: ", stderr);
	if (o->plot && plot_write(cmp, o->plot, &err))
		return complain(&err);
	return verdict_of(cmp);
}

static int compare(const struct options *o, const struct side *sides, size_t n,
		   const struct side *floor)
{
	struct differences invalid;
	struct comparison cmp;
	struct err err;
	int ret;

	if (check_vary(&o->rules.vary, sides, &err))
		return complain(&err);
	if (compare_sides(&cmp, &o->rules, sides, n, floor, &invalid)) {
		print_invalid(&invalid, sides->label);
		ret = 2;
	} else {
		ret = print_comparison(&cmp, o);
	}
	differences_free(&invalid);
	comparison_free(&cmp);
	return ret;
}

static const char *label(char buf[8], int i, int n)
{
	if (n == 2)
		return i ? "post" : "pre";
	snprintf(buf, 8, "%c", 'A' + i);
	return buf;
}

static int load_and_compare(const struct options *o, char **path, int n)
{
	struct side *side = xcalloc(n + 1, sizeof(*side)), *floor = NULL;
	struct err err;
	char name[8];
	int i, ret = 0;

	for (i = 0; i < n && !ret; i++) {
		if (side_load(&side[i], path[i], label(name, i, n), &err))
			ret = complain(&err);
	}
	if (!ret && o->floor) {
		floor = &side[n];
		if (side_load(floor, o->floor, "floor", &err))
			ret = complain(&err);
	}
	if (!ret && n)
		ret = compare(o, side, n, floor);
	else if (!ret)
		floor_print(floor, &o->rules, o->format, stdout);
	for (i = 0; i <= n; i++)
		side_free(&side[i]);
	free(side);
	return ret;
}

int main(int argc, char **argv)
{
	struct options o = {
		.rules = { .metric = M_COUNT, .alpha = 0.05, .equiv = NAN,
			   .gate = NAN },
	};
	struct err err;
	int opt, n, ret = 0;

	opterr = 0;
	while (!ret && (opt = getopt_long(argc, argv, "h", long_options, NULL)) != -1) {
		if (opt == 'h') {
			fputs(usage, stdout);
			goto out;
		}
		if (opt == '?')
			ret = err_set(&err, -EINVAL, "%.60s: not an option, or its value is missing: see --help",
				      argv[optind - 1]);
		else
			ret = parse_option(&o, opt, &err);
	}
	n = argc - optind;
	if (!ret && (o.check ? n < 1 : n == 1 || n > 26 || (!n && !o.floor)))
		ret = err_set(&err, -EINVAL, o.check ? "--check needs a record: see --help" :
			      "needs PRE and POST, at most 26 sides: see --help");
	if (ret)
		ret = complain(&err);
	else if (o.check)
		ret = check_records(argv + optind, n);
	else
		ret = load_and_compare(&o, argv + optind, n);
	if (fflush(stdout) || ferror(stdout)) {
		err_set(&err, 0, "can't write the result: %s", strerror(errno));
		ret = complain(&err);
	}
out:
	free(o.rules.vary.key);
	return ret;
}
