// SPDX-License-Identifier: GPL-2.0
/* Circumstances, sides, and the verdict on a pair. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "records.h"
#include "judge.h"

/* Differences of the base record and one with @value at @path, and @value2. */
static struct differences differences(const char *path, const char *a,
				      const char *b, const char *vary_key)
{
	struct vary vary = { &vary_key, vary_key ? 1 : 0 };
	struct json_object *ja = record_base(), *jb = record_base();
	struct differences d = { NULL, 0 };
	struct record ra, rb;
	struct meta ma, mb;
	struct err err;

	record_set(ja, path, a);
	record_set(jb, path, b);
	assert_int_equal(record_from(&ra, ja, "a", &err), 0);
	assert_int_equal(record_from(&rb, jb, "b", &err), 0);
	meta_read(&ma, &ra);
	meta_read(&mb, &rb);
	meta_compare(&d, &ma, &mb, &vary);
	meta_free(&ma);
	meta_free(&mb);
	record_free(&ra);
	record_free(&rb);
	return d;
}

static void differs(const char *path, const char *a, const char *b,
		    const char *key, const char *va, const char *vb)
{
	struct differences d = differences(path, a, b, NULL);

	if (d.n != 1)
		fail_msg("%s: %zu differences, not 1", path, d.n);
	assert_string_equal(d.diff[0].key, key);
	assert_string_equal(d.diff[0].a, va);
	assert_string_equal(d.diff[0].b, vb);
	assert_false(d.diff[0].declared);
	differences_free(&d);
}

static void same(const char *path, const char *a, const char *b)
{
	struct differences d = differences(path, a, b, NULL);

	if (d.n)
		fail_msg("%s: %s: %s, %s", path, d.diff[0].key, d.diff[0].a, d.diff[0].b);
	differences_free(&d);
}

static void test_meta_differs(void **state)
{
	(void)state;
	differs("software.fio", "\"fio-3.33\"", "\"fio-3.36\"", "software.fio", "fio-3.33", "fio-3.36");
	differs("software.so_hash", "{\"iou_iopoll\":\"1\"}", "{\"iou_iopoll\":\"2\"}",
		"software.so_hash.iou_iopoll", "1", "2");
	differs("device.0.lba_size", "512", "4096", "device[S1/1].lba_size", "512", "4096");
	differs("device.0.kind", "\"block\"", "\"char\"", "device[S1/1].kind", "block", "char");
	differs("host.cpu_model", "\"A\"", "\"B\"", "host.cpu_model", "A", "B");
	differs("host.microcode", "null", "\"0x1\"", "host.microcode", "null", "0x1");
	differs("host.mitigations.mds", "\"Vulnerable\"", NULL, "host.mitigations.mds", "Vulnerable", "null");
	differs("guest.kind", "\"none\"", "\"uml\"", "guest.kind", "none", "uml");
	differs("kernel.cmdline", "\"quiet\"", "\"quiet mitigations=off\"", "kernel.cmdline", "quiet ", "quiet mitigations=off ");
	differs("kernel.debug", "[]", "[\"CONFIG_KASAN\"]", "kernel.debug", "[]", "[\"CONFIG_KASAN\"]");
	differs("job.cpus", "[1]", "[2]", "job.cpus", "[1]", "[2]");
	differs("job.env.RUNTIME", "\"5\"", "\"10\"", "job.env.RUNTIME", "5", "10");
	differs("job.argv.1", "\"--bs=4k\"", "\"--bs=8k\"", "job.argv", "fio --bs=4k", "fio --bs=8k");
	differs("job.argv.1", "\"--bssplit=4k/50:8k/50\"", "\"--bssplit=4k/90:8k/50\"",
		"job.argv", "fio --bssplit=4k/50:8k/50", "fio --bssplit=4k/90:8k/50");
	/* Of a long text, the line that is not the same. */
	differs("job.text", "\"[a]\\nbs=4k\\nrw=read\"", "\"[a]\\nbs=8k\\nrw=read\"",
		"job.text", "bs=4k", "bs=8k");
	differs("job.text", "\"[a]\\n\"", "\"[a]\\nbs=8k\"", "job.text", "", "bs=8k");
	/* What nobody knows yet is compared all the same. */
	differs("host.color", "\"red\"", "\"blue\"", "host.color", "red", "blue");
}

static void test_meta_same(void **state)
{
	(void)state;
	same("time", "\"2024\"", "\"2025\"");
	same("boot_id", "\"x\"", "\"y\"");
	same("note", "null", "\"hello\"");
	same("host.hostname", "\"a\"", "\"b\"");
	same("device.0.temperature", "{\"before\":20}", "{\"before\":60}");
	same("device.0.irqs", "[1]", "[2]");
	same("host.arch", NULL, "null");
	same("host.mitigations.mds", "\"Not affected\"", NULL);
	same("runs.0.iops", "1", "2");
	same("job.argv.0", "\"/usr/bin/fio\"", "\"build/fio\"");
	same("job.argv.1", "\"/a/peak.fio\"", "\"jobs/peak.fio\"");
	same("job.argv.1", "\"--output=/tmp/1/x\"", "\"--output=/tmp/2/x\"");
	same("job.env.ENGINES", "\"/a\"", "\"/b\"");
	same("kernel.cmdline", "\"BOOT_IMAGE=/boot/a initrd=x root=/dev/sda1 quiet\"",
	     "\"BOOT_IMAGE=/boot/b quiet umid=y root=/dev/sdb1\"");
	same("kernel.cmdline", "\"BOOT_IMAGE=(hd0,gpt2)/vmlinuz-6.12 quiet\"",
	     "\"BOOT_IMAGE=(hd0,gpt2)/vmlinuz-6.13 quiet\"");
	same("kernel.cmdline", "\"hostfs=/tmp/1 quiet\"", "\"hostfs=/tmp/2 quiet\"");
}

/* The kernel swapped two names: serial numbers say what is what. */
static void test_meta_swapped(void **state)
{
	static const char two[] = "[{\"name\":\"%s\",\"serial\":\"S1\",\"nsid\":1,\"model\":\"M\","
		"\"firmware\":\"1\",\"lba_size\":512},{\"name\":\"%s\",\"serial\":\"S2\",\"nsid\":1,"
		"\"model\":\"M\",\"firmware\":\"1\",\"lba_size\":4096}]";
	struct differences d = { NULL, 0 };
	static const struct vary none;
	struct json_object *json;
	struct record rec[2];
	struct meta meta[2];
	char devices[500];
	struct err err;
	int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		json = record_base();
		snprintf(devices, sizeof(devices), two, i ? "nvme1n1" : "nvme0n1",
			 i ? "nvme0n1" : "nvme1n1");
		record_set(json, "device", devices);
		record_set(json, "job.env.DEV", i ? "\"/dev/nvme1n1\"" : "\"/dev/nvme0n1\"");
		record_set(json, "job.argv.1", i ? "\"--filename=/dev/nvme1n1:/dev/nvme0n1\"" :
			   "\"--filename=/dev/nvme0n1:/dev/nvme1n1\"");
		assert_int_equal(record_from(&rec[i], json, "x", &err), 0);
		meta_read(&meta[i], &rec[i]);
	}
	assert_string_equal(rec[0].devices, rec[1].devices);
	meta_compare(&d, &meta[0], &meta[1], &none);
	assert_int_equal(d.n, 0);
	for (i = 0; i < 2; i++) {
		meta_free(&meta[i]);
		record_free(&rec[i]);
	}
}

/* Another drive under the same name is another command. */
static void test_meta_argv_device(void **state)
{
	struct differences d;

	(void)state;
	d = differences("job.argv.1", "\"--filename=/dev/nvme0n1\"",
			"\"--filename=/dev/nvme7n1\"", NULL);
	assert_int_equal(d.n, 1);
	assert_string_equal(d.diff[0].a, "fio --filename=<S1/1>");
	assert_string_equal(d.diff[0].b, "fio --filename=<device>");
	differences_free(&d);
}

static bool covers(const char *key, const char *of)
{
	struct vary vary = { &key, 1 };

	return vary_covers(&vary, of);
}

static void test_vary(void **state)
{
	static const struct meta none;
	struct differences d;

	(void)state;
	assert_true(covers("kernel", "kernel.release"));
	assert_true(covers("kernel.release", "kernel.release"));
	assert_false(covers("kernel.rel", "kernel.release"));
	assert_false(covers("kern", "kernel.release"));
	assert_false(covers("kernel", "kernel.cmdline"));
	assert_false(covers("kernel", "kernel.debug"));
	assert_true(covers("kernel.cmdline", "kernel.cmdline"));
	assert_true(covers("kernel.debug", "kernel.debug"));
	assert_true(covers("device", "device[S1/1].model"));
	assert_true(covers("device.model", "device[S1/1].model"));
	assert_false(covers("device.firmware", "device[S1/1].model"));
	assert_false(covers("device.model", "device"));
	assert_true(covers("host.mitigations", "host.mitigations.mds"));

	d = differences("kernel.release", "\"6.12\"", "\"6.13\"", "kernel");
	assert_int_equal(d.n, 1);
	assert_true(d.diff[0].declared);
	differences_free(&d);

	assert_false(vary_unknown("kernel", &none));
	assert_false(vary_unknown("kernel.release", &none));
	assert_false(vary_unknown("device.firmware", &none));
	assert_false(vary_unknown("device.link.speed", &none));
	assert_false(vary_unknown("job.env.DEV", &none));
	assert_false(vary_unknown("host.mitigations.mds", &none));
	assert_true(vary_unknown("kernle", &none));
	assert_true(vary_unknown("kernel.rel", &none));
	assert_true(vary_unknown("device.firmwar", &none));
}

/* One boot's record; @iops of its polled section, or with errors. */
static void boot(struct record *rec, const char *side, int n, double iops,
		 const char *path, const char *value)
{
	struct json_object *json = record_base();
	char text[64];
	struct err err;

	snprintf(text, sizeof(text), "\"%s%d\"", side, n);
	record_set(json, "id", text);
	record_set(json, "boot_id", text);
	snprintf(text, sizeof(text), "%.10g", iops);
	record_set(json, "runs.0.iops", text);
	if (path)
		record_set(json, path, value);
	if (record_from(rec, json, "x", &err))
		fail_msg("%s", err.text);
}

static void make_side(struct side *side, const char *name, const double *iops,
		      size_t n, const char *path, const char *value)
{
	struct record *recs = calloc(n, sizeof(*recs));
	struct err err;
	size_t i;

	memset(side, 0, sizeof(*side));
	side->path = name;
	snprintf(side->label, sizeof(side->label), "%s", name);
	for (i = 0; i < n; i++)
		boot(&recs[i], name, i, iops[i], path, value);
	if (side_init(side, recs, n, &err))
		fail_msg("%s", err.text);
}

static const struct rules plain = {
	.metric = M_COUNT, .alpha = 0.05, .equiv = NAN, .gate = NAN,
};

/* The pair of the polled sections. Both sides are freed with sides_free(). */
struct judged {
	struct side		side[2];
	struct comparison	cmp;
	struct pair		*pair;
};

static void judge_sides(struct judged *j, const struct rules *rules,
			const double *a, size_t na, const double *b, size_t nb,
			const char *path, const char *value)
{
	struct differences invalid;

	make_side(&j->side[0], "pre", a, na, path, value);
	make_side(&j->side[1], "post", b, nb, path, value);
	assert_int_equal(compare_sides(&j->cmp, rules, j->side, 2, NULL, &invalid), 0);
	assert_int_equal(j->cmp.npairs, 2);
	j->pair = &j->cmp.pair[0];
	assert_string_equal(j->pair->a->name, "peak/poll");
}

static void judged_free(struct judged *j)
{
	comparison_free(&j->cmp);
	side_free(&j->side[0]);
	side_free(&j->side[1]);
}

static const double base[] = { 1000, 1003, 998, 1001, 1002, 997 };
static const double higher[] = { 1010, 1013, 1008, 1011, 1012, 1007 };

static void test_verdicts(void **state)
{
	static const double touching[] = { 1000.5, 1003.5, 998.5, 1001.5, 1002.5, 997.5 };
	struct rules rules = plain;
	struct judged j;

	(void)state;
	judge_sides(&j, &rules, base, 6, higher, 6, NULL, NULL);
	assert_int_equal(j.pair->verdict, V_MORE);
	assert_false(j.pair->worse);
	assert_true(j.pair->p_holm < 0.05 && j.pair->p_holm >= 2 * j.pair->p * 0.999);
	judged_free(&j);

	judge_sides(&j, &rules, higher, 6, base, 6, NULL, NULL);
	assert_int_equal(j.pair->verdict, V_LESS);
	assert_true(j.pair->worse);
	judged_free(&j);

	judge_sides(&j, &rules, base, 6, touching, 6, NULL, NULL);
	assert_int_equal(j.pair->verdict, V_CANT_TELL);
	judged_free(&j);

	rules.equiv = 1;
	judge_sides(&j, &rules, base, 6, touching, 6, NULL, NULL);
	assert_int_equal(j.pair->verdict, V_EQUIVALENT);
	judged_free(&j);

	/* Different, but by less than what counts. */
	rules.equiv = 2;
	judge_sides(&j, &rules, higher, 6, base, 6, NULL, NULL);
	assert_int_equal(j.pair->verdict, V_EQUIVALENT);
	assert_false(j.pair->worse);
	judged_free(&j);
}

/* However far apart: one boot, or three, can't show it, nor that it's none. */
static void test_too_few(void **state)
{
	static const double twice[] = { 2000, 2003, 1998 };
	struct rules rules = plain;
	struct judged j;

	(void)state;
	rules.equiv = 99;
	judge_sides(&j, &rules, base, 1, twice, 1, NULL, NULL);
	assert_int_equal(j.pair->verdict, V_WITHIN_BOOT);
	assert_true(isnan(j.pair->p));
	assert_int_equal(j.cmp.tests, 0);
	judged_free(&j);
	judge_sides(&j, &rules, base, 6, higher, 1, NULL, NULL);
	assert_int_equal(j.pair->verdict, V_WITHIN_BOOT);
	judged_free(&j);
	judge_sides(&j, &rules, base, 3, higher, 3, NULL, NULL);
	assert_int_equal(j.pair->verdict, V_CANT_TELL);
	assert_true(j.pair->shift.level < 0.95);
	rules.gate = 1;
	judged_free(&j);
	judge_sides(&j, &rules, twice, 3, base, 3, NULL, NULL);
	assert_int_equal(j.pair->verdict, V_CANT_TELL);
	assert_false(j.pair->worse);
	judged_free(&j);
}

/* Ten runs of one boot are one value. */
static void test_boot_is_the_unit(void **state)
{
	struct record *recs = calloc(3, sizeof(*recs));
	struct side side = { .path = "x" };
	double v[3];
	struct err err;

	(void)state;
	boot(&recs[0], "b", 0, 10, NULL, NULL);
	boot(&recs[1], "b", 1, 20, "boot_id", "\"b0\"");
	boot(&recs[2], "b", 2, 90, "boot_id", "\"b0\"");
	assert_int_equal(side_init(&side, recs, 3, &err), 0);
	assert_int_equal(side.row[0].nboots, 1);
	assert_int_equal(row_runs(&side.row[0]), 3);
	assert_int_equal(row_values(&side.row[0], M_IOPS, v), 1);
	assert_true(v[0] == 20);
	/* A metric that was not recorded is no value of zero. */
	assert_int_equal(row_values(&side.row[0], M_LAT_MEAN, v), 0);
	side_free(&side);
}

static void test_gate(void **state)
{
	struct rules rules = plain;
	struct judged j;

	(void)state;
	/* 1 % slower: beyond a gate of 0.2 %, not of 0.9 %. */
	rules.gate = 0.2;
	judge_sides(&j, &rules, higher, 6, base, 6, NULL, NULL);
	assert_true(j.pair->worse);
	judged_free(&j);
	rules.gate = 0.9;
	judge_sides(&j, &rules, higher, 6, base, 6, NULL, NULL);
	assert_int_equal(j.pair->verdict, V_LESS);
	assert_false(j.pair->worse);
	judged_free(&j);
	rules.gate = 0;
	judge_sides(&j, &rules, base, 6, higher, 6, NULL, NULL);
	assert_false(j.pair->worse);
	judged_free(&j);
}

/* An interval beyond the gate, but with two rows p is above alpha. */
static void test_gate_cant_tell(void **state)
{
	static const double a[] = { 1000, 1002, 1004, 1006, 1008, 1010 };
	static const double b[] = { 990, 992, 994, 996, 998, 1009 };
	struct rules rules = plain;
	struct judged j;

	(void)state;
	rules.gate = 0;
	judge_sides(&j, &rules, a, 6, b, 6, NULL, NULL);
	assert_true(j.pair->shift.hi < 0 && j.pair->shift.level >= 0.95);
	assert_true(j.pair->p < 0.05 && j.pair->p_holm >= 0.05);
	assert_int_equal(j.pair->verdict, V_CANT_TELL);
	assert_false(j.pair->worse);
	judged_free(&j);
}

/* Where less is better, more is worse. */
static void test_direction(void **state)
{
	static const char *const word[] = { "slower", "more" };
	static const enum metric_id metric[] = { M_LAT_MEAN, M_CPU };
	struct rules rules = plain;
	struct side side[2];
	struct record *recs;
	struct differences invalid;
	struct comparison cmp;
	struct err err;
	char value[32];
	size_t s, i, m;

	(void)state;
	for (s = 0; s < 2; s++) {
		recs = calloc(6, sizeof(*recs));
		for (i = 0; i < 6; i++) {
			snprintf(value, sizeof(value), "{\"mean\":%zu}", 100 + 20 * s + i);
			boot(&recs[i], s ? "b" : "a", i, 1000, "runs.0.lat_ns", value);
			recs[i].run[0].value[M_CPU] = 50 + 10 * s + i;
		}
		side[s] = (struct side){ .path = "x" };
		assert_int_equal(side_init(&side[s], recs, 6, &err), 0);
	}
	for (m = 0; m < 2; m++) {
		rules.metric = metric[m];
		assert_int_equal(compare_sides(&cmp, &rules, side, 2, NULL, &invalid), 0);
		assert_int_equal(cmp.pair[0].verdict, V_MORE);
		assert_true(cmp.pair[0].worse);
		assert_string_equal(metrics[metric[m]].more, word[m]);
		comparison_free(&cmp);
		/* Half as much of it can't be a regression. */
		rules.gate = 5;
		assert_int_equal(compare_sides(&cmp, &rules, side, 2, NULL, &invalid), 0);
		assert_true(cmp.pair[0].worse);
		comparison_free(&cmp);
		rules.gate = NAN;
	}
	side_free(&side[0]);
	side_free(&side[1]);
}

/* Nothing is said of a metric that one side lacks, or that is zero. */
static void test_no_value(void **state)
{
	static const double zero[] = { 0, 0, 0, 0, 0, 0 };
	struct rules rules = plain;
	struct judged j;

	(void)state;
	judge_sides(&j, &rules, base, 6, zero, 6, NULL, NULL);
	assert_int_equal(j.pair->verdict, V_NO_VALUE);
	judged_free(&j);
	rules.metric = M_LAT_P99;
	judge_sides(&j, &rules, base, 6, higher, 6, NULL, NULL);
	assert_int_equal(j.pair->verdict, V_NO_VALUE);
	judged_free(&j);
}

/* The proof of one boot of six fails: the row is not compared at all. */
static void test_refused(void **state)
{
	struct judged j;

	(void)state;
	judge_sides(&j, &plain, base, 6, higher, 6, "runs.0.proof.nvme_irqs.after", "900000");
	assert_int_equal(j.pair->verdict, V_REFUSED);
	assert_non_null(strstr(j.pair->a->refused, "x: runs[0]: a polled run, but NVMe interrupts rose"));
	assert_false(j.pair->worse);
	/* The other section is as it was. */
	assert_int_equal(j.cmp.pair[1].verdict, V_CANT_TELL);
	judged_free(&j);
	judge_sides(&j, &plain, base, 6, higher, 6, "runs.0.proof.iowq_workers", "3");
	assert_int_equal(j.pair->verdict, V_REFUSED);
	assert_non_null(strstr(j.pair->a->refused, "3 io-wq workers served requests"));
	judged_free(&j);
}

static void icount_side(struct side *side, const char *name, const double *insn,
			size_t n)
{
	struct record *recs = calloc(n, sizeof(*recs));
	struct err err;
	size_t i;

	*side = (struct side){ .path = name };
	for (i = 0; i < n; i++) {
		boot(&recs[i], name, i, 1000, "guest.kind", "\"icount\"");
		recs[i].run[0].value[M_INSN] = insn[i];
	}
	assert_int_equal(side_init(side, recs, n, &err), 0);
}

static void icount_is(const double *a, const double *b, size_t n,
		      double gate, enum verdict verdict, bool worse)
{
	struct differences invalid;
	struct comparison cmp;
	struct side side[2];
	struct rules rules = plain;

	rules.gate = gate;
	icount_side(&side[0], "a", a, n);
	icount_side(&side[1], "b", b, n);
	assert_int_equal(compare_sides(&cmp, &rules, side, 2, NULL, &invalid), 0);
	assert_int_equal(cmp.pair[0].metric, M_INSN);
	assert_int_equal(cmp.pair[0].verdict, verdict);
	assert_int_equal(cmp.pair[0].worse, worse);
	/* The other section has no instruction count. */
	assert_int_equal(cmp.pair[1].metric, M_IOPS);
	comparison_free(&cmp);
	side_free(&side[0]);
	side_free(&side[1]);
}

static void test_exact(void **state)
{
	static const double one[] = { 700, 700, 700, 700 };
	static const double two[] = { 707, 707, 707, 707 };
	static const double almost[] = { 700, 700.3, 700.1, 700.2 };
	static const double not_quite[] = { 700, 700, 700, 700.5 };

	(void)state;
	icount_is(one, two, 3, NAN, V_EXACT, true);
	icount_is(two, one, 3, NAN, V_EXACT, false);
	icount_is(one, one, 3, NAN, V_EXACT, false);
	icount_is(one, two, 3, 0.9, V_EXACT, true);
	icount_is(one, two, 3, 1.1, V_EXACT, false);
	/* As near as boots of one kernel come is the same, and no harm. */
	icount_is(one, almost, 4, NAN, V_EXACT, false);
	icount_is(one, almost, 4, 0, V_EXACT, false);
	icount_is(almost, two, 4, NAN, V_EXACT, true);
	/* Two could be the same by chance. */
	icount_is(one, two, 2, NAN, V_CANT_TELL, false);
	icount_is(not_quite, two, 4, NAN, V_MORE, true);
}

/* Six values that are the same, outside of icount, are tied and no more. */
static void test_not_exact(void **state)
{
	static const double one[] = { 700, 700, 700 }, two[] = { 707, 707, 707 };
	struct judged j;

	(void)state;
	judge_sides(&j, &plain, one, 3, two, 3, NULL, NULL);
	assert_int_equal(j.pair->verdict, V_CANT_TELL);
	judged_free(&j);
}

static void test_floor(void **state)
{
	static const double wide[] = { 1000, 1030, 980, 1010, 1020, 970 };
	static const double less_wide[] = { 1000, 1009, 994, 1003, 1006, 991 };
	struct differences invalid;
	struct side floor;
	struct judged j;

	(void)state;
	judge_sides(&j, &plain, higher, 6, base, 6, NULL, NULL);
	comparison_free(&j.cmp);
	/* Halves of this kernel are 3 % apart: 1 % is nothing. */
	make_side(&floor, "floor", wide, 6, "kernel.release", "\"5.10\"");
	assert_int_equal(compare_sides(&j.cmp, &plain, j.side, 2, &floor, &invalid), 0);
	assert_true(j.cmp.pair[0].floor > 2 && j.cmp.pair[0].floor < 5);
	assert_int_equal(j.cmp.pair[0].verdict, V_EQUIVALENT);
	assert_false(j.cmp.pair[0].worse);
	assert_int_equal(j.cmp.varied.n, 0);
	comparison_free(&j.cmp);
	side_free(&floor);

	/*
	 * Halves that are 1.2 % apart: the interval from 0.4 to 1.6 % is not
	 * within that, but the shift of 1 % is.
	 */
	make_side(&floor, "floor", less_wide, 6, NULL, NULL);
	assert_int_equal(compare_sides(&j.cmp, &plain, j.side, 2, &floor, &invalid), 0);
	assert_true(j.cmp.pair[0].floor > 1.01 && j.cmp.pair[0].floor < 1.5);
	assert_true(j.cmp.pair[0].p_holm < 0.05);
	assert_int_equal(j.cmp.pair[0].verdict, V_CANT_TELL);
	assert_false(j.cmp.pair[0].worse);
	comparison_free(&j.cmp);
	side_free(&floor);

	/* A floor from another machine is none. */
	make_side(&floor, "floor", wide, 6, "host.cpu_model", "\"Z80\"");
	assert_int_not_equal(compare_sides(&j.cmp, &plain, j.side, 2, &floor, &invalid), 0);
	assert_string_equal(invalid.diff[0].key, "host.cpu_model");
	differences_free(&invalid);
	judged_free(&j);
	side_free(&floor);
}

static void test_not_a_side(void **state)
{
	struct record *recs = calloc(2, sizeof(*recs));
	struct side side = { .path = "x" };
	struct err err;

	(void)state;
	boot(&recs[0], "b", 0, 10, NULL, NULL);
	boot(&recs[1], "b", 1, 20, "kernel.release", "\"6.13\"");
	assert_int_not_equal(side_init(&side, recs, 2, &err), 0);
	assert_non_null(strstr(err.text, "kernel.release is \"6.13\""));
	side_free(&side);

	recs = calloc(2, sizeof(*recs));
	side = (struct side){ .path = "x" };
	boot(&recs[0], "b", 0, 10, NULL, NULL);
	boot(&recs[1], "b", 0, 20, NULL, NULL);
	assert_int_not_equal(side_init(&side, recs, 2, &err), 0);
	assert_non_null(strstr(err.text, "the same record twice"));
	side_free(&side);
}

/*
 * Two kernels that are the same, five rows, two thousand times: Holm keeps
 * the chance to call any row different below 5 %.
 */
static void test_holm_over_rows(void **state)
{
	uint64_t seed = 7;
	double x[2][6], p[5];
	int wrong = 0, t, r, s, i;

	(void)state;
	for (t = 0; t < 2000; t++) {
		for (r = 0; r < 5; r++) {
			for (s = 0; s < 2; s++) {
				for (i = 0; i < 6; i++) {
					seed = seed * 6364136223846793005u + 1442695040888963407u;
					x[s][i] = 1e6 + (seed >> 40);
				}
			}
			p[r] = stats_mann_whitney(x[0], 6, x[1], 6);
		}
		stats_holm(p, 5);
		for (r = 0; r < 5 && p[r] >= 0.05; r++)
			;
		wrong += r < 5;
	}
	assert_in_range(wrong, 20, 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_meta_differs),
		cmocka_unit_test(test_meta_same),
		cmocka_unit_test(test_meta_swapped),
		cmocka_unit_test(test_meta_argv_device),
		cmocka_unit_test(test_vary),
		cmocka_unit_test(test_verdicts),
		cmocka_unit_test(test_too_few),
		cmocka_unit_test(test_boot_is_the_unit),
		cmocka_unit_test(test_gate),
		cmocka_unit_test(test_gate_cant_tell),
		cmocka_unit_test(test_direction),
		cmocka_unit_test(test_no_value),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_exact),
		cmocka_unit_test(test_not_exact),
		cmocka_unit_test(test_floor),
		cmocka_unit_test(test_not_a_side),
		cmocka_unit_test(test_holm_over_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
