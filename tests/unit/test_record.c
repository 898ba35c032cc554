// SPDX-License-Identifier: GPL-2.0
/* Records: what is read, and in which words anything else is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "records.h"
#include "proof.h"
#include "schema.h"

static void assert_says(const struct err *err, const char *what)
{
	if (!strstr(err->text, what))
		fail_msg("\"%s\" does not say \"%s\"", err->text, what);
	assert_null(strchr(err->text, '\n'));
}

static void refused(const char *text, size_t len, const char *why)
{
	struct record rec;
	struct err err = { "" };

	if (!record_parse(&rec, text, len, "x.json", &err))
		fail_msg("taken, but: %s", why);
	assert_memory_equal(err.text, "x.json: ", 8);
	assert_says(&err, why);
}

/* The base record with another value at @path is refused, and @why is said. */
static void refused_with(const char *path, const char *value, const char *why)
{
	struct json_object *json = record_base();
	struct record rec;
	struct err err = { "" };

	record_set(json, path, value);
	if (!record_from(&rec, json, "x.json", &err))
		fail_msg("%s = %s is taken", path, value);
	assert_says(&err, why);
	assert_memory_equal(err.text, "x.json: ", 8);
}

static void test_base(void **state)
{
	struct record rec;
	struct err err;

	(void)state;
	if (record_from(&rec, record_base(), "x.json", &err))
		fail_msg("%s", err.text);
	assert_string_equal(rec.job, "peak");
	assert_string_equal(rec.boot_id, "b0");
	assert_string_equal(rec.devices, "S1/1");
	assert_null(rec.failed);
	assert_false(rec.icount);
	assert_int_equal(rec.nruns, 2);
	assert_string_equal(rec.run[0].section, "poll");
	assert_true(rec.run[0].value[M_IOPS] == 1000000);
	assert_true(rec.run[0].value[M_CPU] == 99.5);
	assert_true(isnan(rec.run[0].value[M_LAT_MEAN]));
	assert_true(rec.run[1].value[M_LAT_MEAN] == 300000);
	assert_true(isnan(rec.run[1].value[M_LAT_P99]));
	record_free(&rec);
}

/* Not JSON at all, or not one text of it. */
static void test_not_json(void **state)
{
	static const char nul[] = "{\"schema\":1}\0{}";
	size_t i;

	(void)state;
	refused("", 0, "cut short");
	refused("\n", 1, "cut short");
	refused("fio: failed", 11, "is not JSON");
	refused("{\"schema\":1,}", 13, "is not JSON");
	refused("{'schema':1}", 12, "is not JSON");
	refused("{'a\":{':1}", 10, "is not JSON");
	refused("/* */ {}", 8, "is not JSON");
	refused(nul, sizeof(nul) - 1, "more follows");
	refused("{\"schema\":\"\xff\xfe\"}", 15, "is not JSON");
	refused("{} {}", 5, "is not JSON");
	/* Cut anywhere, it is no record. */
	for (i = 0; i < sizeof(base_record) - 1; i++)
		refused(base_record, i, "cut short");
}

static void test_nesting(void **state)
{
	char deep[4000];

	(void)state;
	memset(deep, '[', sizeof(deep));
	refused(deep, sizeof(deep), "is not JSON: nesting too deep");
	memset(deep, ']', sizeof(deep));
	memset(deep, '[', sizeof(deep) / 2);
	refused(deep, sizeof(deep), "is not JSON: nesting too deep");
}

/* What other tools write. */
static void test_other_tools(void **state)
{
	static const char *const json[] = {
		"{\"fio version\":\"fio-3.33\",\"jobs\":[]}",
		"{}", "{\"Version\":\"nvme-cli\"}",
	};
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++)
		refused(json[i], strlen(json[i]), "schema is missing: is this a fio-iou record?");
	refused("[]", 2, "the record is an array, not of type object");
	refused("null\n", 5, "the record is null");
	refused("17\n", 3, "the record is 17");
	refused_with("schema", "2", "schema is 2, and this reads 1: use the fio-iou that wrote it");
	refused_with("schema", "\"1\"", "schema is \"1\"");
	refused_with("schema", "1.5", "schema is 1.5");
}

static void test_wrong_types(void **state)
{
	static const struct {
		const char *path, *value, *why;
	} t[] = {
		{ "id", "null", "id is null, not of type string" },
		{ "id", "\"\"", "id is empty" },
		{ "boot_id", "\"\"", "boot_id is empty" },
		{ "host", "[]", "host is an array, not of type object" },
		{ "host.turbo", "\"on\"", "host.turbo is \"on\", not of type boolean or null" },
		{ "host.mitigations.spectre_v2", "7", "host.mitigations.spectre_v2 is 7" },
		{ "kernel.release", "null", "kernel.release is null" },
		{ "kernel.debug", "[1]", "kernel.debug[0] is 1, not of type string" },
		{ "device", "null", "device is null, not of type array" },
		{ "device.0", "\"nvme0n1\"", "device[0] is \"nvme0n1\", not of type object" },
		{ "device.0.nsid", "\"1\"", "device[0].nsid is \"1\", not of type integer or null" },
		{ "device.0.nsid", "1.5", "device[0].nsid is 1.5" },
		{ "guest.kind", "\"xen\"", "guest.kind is \"xen\", must be one of" },
		{ "job.argv", "\"fio\"", "job.argv is \"fio\"" },
		{ "job.argv.1", "{}", "job.argv[1] is an object" },
		{ "job.name", "\"\"", "job.name is empty" },
		{ "runs", "{}", "runs is an object, not of type array" },
		{ "runs", "[]", "runs is empty, and failed doesn't say why" },
		{ "runs.0", "7", "runs[0] is 7" },
		{ "runs.1.iops", "\"fast\"", "runs[1].iops is \"fast\", not of type number or null" },
		{ "runs.1.iops", "null", "runs[1].iops is null, and error doesn't say why" },
		{ "runs.1.iops", "-1", "runs[1].iops is -1: out of range" },
		{ "runs.1.iops", "1e300", "runs[1].iops is 1e+300: out of range" },
		{ "runs.1.lat_ns", "5", "runs[1].lat_ns is 5" },
		{ "runs.1.lat_ns.mean", "[]", "runs[1].lat_ns.mean is an array" },
		{ "runs.0.proof.nvme_irqs.after", "\"6\"", "runs[0].proof.nvme_irqs.after is \"6\"" },
		{ "runs.0.engine", "\"external:/x/fio-iou_iopoll.so\"", "runs[0].engine is \"external:" },
		{ "runs.0.reports", "[{\"requests\":\"many\"}]", "runs[0].reports[0].requests is \"many\"" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++)
		refused_with(t[i].path, t[i].value, t[i].why);
}

static void test_missing(void **state)
{
	static const char *const path[] = {
		"id", "boot_id", "host", "kernel", "device", "software", "job",
		"guest", "failed", "runs", "job.name", "job.argv",
		"kernel.release", "host.cpu_model",
	};
	char why[100];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(path) / sizeof(path[0]); i++) {
		snprintf(why, sizeof(why), "%s is missing", path[i]);
		refused_with(path[i], NULL, why);
	}
	refused_with("runs.1.iops", NULL, "runs[1].iops is missing");
	refused_with("runs.0.proof.nvme_irqs", "{\"before\":1}",
		     "runs[0].proof.nvme_irqs.after is missing");
}

/* json-c reads these; the record may not say them, wherever it is. */
static void replaced(const char *from, const char *to, const char *why)
{
	const char *at = strstr(base_record, from);
	char text[sizeof(base_record) + 200];

	assert_non_null(at);
	snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - base_record),
		 base_record, to, at + strlen(from));
	refused(text, strlen(text), why);
}

static void test_not_finite(void **state)
{
	(void)state;
	replaced("\"iops\":400000", "\"iops\":NaN", "runs[1].iops is not a finite number");
	replaced("\"iops\":400000", "\"iops\":Infinity", "runs[1].iops is not a finite number");
	replaced("\"iops\":400000", "\"iops\":-Infinity", "runs[1].iops is not a finite number");
	replaced("\"iops\":400000", "\"iops\":1e999", "runs[1].iops is not a finite number");
	/* In what nobody reads, too. */
	replaced("\"runtime_ms\":1000", "\"runtime_ms\":1000,\"fio\":{\"a\":[1,NaN]}",
		 "runs[0].fio.a[1] is not a finite number");
}

static void test_duplicates(void **state)
{
	(void)state;
	replaced("\"iops\":400000", "\"iops\":400000,\"iops\":1",
		 "has the key \"iops\" twice in one object");
	replaced("\"iops\":400000", "\"iops\":400000,\"iop\\u0073\":1",
		 "has the key \"iops\" twice in one object");
	replaced("\"note\":null", "\"note\":null,\"note\":null",
		 "has the key \"note\" twice");
	replaced("\"runtime_ms\":1000", "\"runtime_ms\":1000,\"fio\":{\"a\":{\"b\":1},\"a\":2}",
		 "has the key \"a\" twice");
}

/* The same key in two objects, or as a value, is no duplicate. */
static void test_no_duplicates(void **state)
{
	static const char *const good[] = {
		"{\"a\":{\"a\":{\"a\":\"a\"}},\"b\":[\"a\",\"a\",{\"a\":1},{\"a\":1}]}",
		"{\"a\":\"{\\\"a\\\":1,\\\"a\\\":2}\",\"b\\\\\":\"\\\\\",\"c\":1}",
		"[]", "{}", "\"a\"",
	};
	struct err err;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_int_equal(scan_duplicates(good[i], strlen(good[i]), &err), 0);
}

/* What the checker doesn't know of JSON Schema, the schema may not use. */
static void only_known_keywords(struct json_object *schema)
{
	static const char *const known[] = {
		"$schema", "title", "description", "type", "required", "enum",
		"const", "x-volatile", "properties", "additionalProperties",
		"items",
	};
	struct json_object *properties;
	size_t i;

	json_object_object_foreach(schema, key, value) {
		for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
			if (!strcmp(key, known[i]))
				break;
		}
		if (i == sizeof(known) / sizeof(known[0]))
			fail_msg("schema.json uses %s", key);
		if (!strcmp(key, "items") || !strcmp(key, "additionalProperties"))
			only_known_keywords(value);
	}
	if (!json_object_object_get_ex(schema, "properties", &properties))
		return;
	json_object_object_foreach(properties, name, member) {
		if (!json_object_object_get_ex(member, "type", NULL))
			fail_msg("schema.json: %s has no type", name);
		only_known_keywords(member);
	}
}

static void test_schema(void **state)
{
	struct json_object *schema = schema_get();

	(void)state;
	assert_non_null(schema);
	only_known_keywords(schema);
	assert_true(schema_volatile(schema_member(schema, "time")));
	assert_false(schema_volatile(schema_member(schema, "kernel")));
	assert_null(schema_member(schema, "nonsense"));
	json_object_put(schema);
}

/* Others may say more, a failure may say less. */
static void test_permissive(void **state)
{
	struct json_object *json = record_base();
	struct record rec;
	struct err err;

	(void)state;
	record_set(json, "host.lucky_number", "7");
	record_set(json, "kernel.extra", "{\"a\":[1,2]}");
	record_set(json, "later", "null");
	record_set(json, "device.0.nsid", "1.0");
	assert_int_equal(record_from(&rec, json, "x", &err), 0);
	assert_string_equal(rec.devices, "S1/1.0");
	record_free(&rec);

	json = record_base();
	record_set(json, "failed", "\"fio: no such device\"");
	record_set(json, "runs", "[]");
	record_set(json, "device", "[]");
	assert_int_equal(record_from(&rec, json, "x", &err), 0);
	assert_string_equal(rec.failed, "fio: no such device");
	assert_string_equal(rec.devices, "");
	record_free(&rec);
}

/* In the order of serial numbers, whatever the order of the job. */
static void test_devices(void **state)
{
	struct json_object *json = record_base();
	struct record rec;
	struct err err;

	(void)state;
	record_set(json, "device.1", "{\"name\":\"nvme1n1\",\"serial\":\"A0\",\"nsid\":2,"
		   "\"model\":null,\"firmware\":null,\"lba_size\":512}");
	record_set(json, "device.2", "{\"name\":\"nullb0\",\"serial\":null,\"nsid\":null,"
		   "\"model\":null,\"firmware\":null,\"lba_size\":512}");
	assert_int_equal(record_from(&rec, json, "x", &err), 0);
	assert_string_equal(rec.devices, "- A0/2 S1/1");
	record_free(&rec);
}

/* The polled run's proof with another value at @path. */
static void proven(const char *path, const char *value, const char *why)
{
	struct json_object *json = record_base();
	struct record rec;
	struct err err = { "" };

	if (path)
		record_set(json, path, value);
	assert_int_equal(record_from(&rec, json, "x", &err), 0);
	if (why) {
		if (!proof_check(&rec.run[0], &err))
			fail_msg("%s = %s is a proof", path, value);
		assert_says(&err, why);
	} else if (proof_check(&rec.run[0], &err)) {
		fail_msg("%s = %s: %s", path, value, err.text);
	}
	record_free(&rec);
}

static void test_proof_polled(void **state)
{
	(void)state;
	proven(NULL, NULL, NULL);
	/* A million requests may see 16 + 1000 interrupts. */
	proven("runs.0.proof.nvme_irqs.after", "1021", NULL);
	proven("runs.0.proof.nvme_irqs.after", "1022",
	       "NVMe interrupts rose by 1017 in 1000000 requests");
	proven("runs.0.proof.io_poll", "0", "io_poll is 0");
	proven("runs.0.proof.io_poll", "null", NULL);
	proven("runs.0.proof.nvme_irqs", "null", NULL);
	proven("runs.0.proof.flags_granted", "[]", "IOPOLL was required and not granted");
	proven("runs.0.proof.flags_granted", "null", "nothing says it was granted");
	proven("runs.0.proof", "null", "without a path report");
	proven("runs.0.proof", "{\"flags_granted\":[\"IOPOLL\"]}",
	       "neither io_poll nor NVMe interrupts");
	/* The reports count for themselves. */
	proven("runs.0.reports", "[{\"ring\":{\"required\":[\"IOPOLL\"],\"granted\":[\"IOPOLL\"]}},"
	       "{\"ring\":{\"required\":[\"IOPOLL\",\"HYBRID_IOPOLL\"],\"granted\":[\"IOPOLL\"]}}]",
	       "HYBRID_IOPOLL was required and not granted");
	proven("runs.0.reports", "[{\"requests\":1000},{\"requests\":1000}]", NULL);
	proven("runs.0.reports", "[{\"requests\":1000},{\"requests\":0}]", NULL);
}

/* By the requests of all threads, not by the rate, where both are there. */
static void test_proof_requests(void **state)
{
	struct json_object *json = record_base();
	struct record rec;
	struct err err;

	(void)state;
	record_set(json, "runs.0.reports", "[{\"requests\":1000},{\"requests\":1000}]");
	record_set(json, "runs.0.proof.nvme_irqs.after", "24");
	assert_int_equal(record_from(&rec, json, "x", &err), 0);
	assert_int_not_equal(proof_check(&rec.run[0], &err), 0);
	assert_says(&err, "rose by 19 in 2000 requests");
	record_free(&rec);
}

static void test_proof_others(void **state)
{
	(void)state;
	/* Interrupts are what an interrupt-driven run is made of. */
	proven("runs.0", "{\"section\":\"s\",\"engine\":\"iou_plain\",\"error\":null,\"iops\":1,"
	       "\"lat_ns\":null,\"usr_cpu\":1,\"sys_cpu\":1,\"proof\":{\"nvme_irqs\":"
	       "{\"before\":0,\"after\":99999999},\"io_poll\":0}}", NULL);
	proven("runs.0.engine", "\"iou_iowq\"", "workers were not counted");
	proven("runs.0", "{\"section\":\"s\",\"engine\":\"iou_iowq\",\"error\":null,\"iops\":1,"
	       "\"lat_ns\":null,\"usr_cpu\":1,\"sys_cpu\":1,\"proof\":{\"iowq_workers\":0}}",
	       "without an io-wq worker");
	proven("runs.0", "{\"section\":\"s\",\"engine\":\"iou_iowq\",\"error\":null,\"iops\":1,"
	       "\"lat_ns\":null,\"usr_cpu\":1,\"sys_cpu\":1,\"proof\":{\"iowq_workers\":2}}", NULL);
}

/* As a table has them: four digits. */
static void test_numbers(void **state)
{
	static const struct {
		enum metric_unit unit;
		double v;
		const char *text;
	} t[] = {
		{ U_COUNT, 0, "0.000" }, { U_COUNT, 9.99951, "10.00" },
		{ U_COUNT, 999.94, "999.9" }, { U_COUNT, 999.96, "1.000K" },
		{ U_COUNT, 160233, "160.2K" }, { U_COUNT, 5110166, "5.110M" },
		{ U_COUNT, 999950, "1.000M" }, { U_COUNT, 73.1e6, "73.10M" },
		{ U_NSEC, 12345, "12.35us" }, { U_NSEC, 2e10, "20.00s" },
		{ U_NSEC, 2e13, "20000s" }, { U_BYTES, 2.6e9, "2.600GB" },
		{ U_PERCENT, 99.94, "99.9%" }, { U_COUNT, NAN, "n/a" },
	};
	char buf[32];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++)
		assert_string_equal(metric_print(buf, sizeof(buf), t[i].unit, t[i].v),
				    t[i].text);
	assert_string_equal(metric_print_long(buf, 32, 55885.56, 2), "55,885.56");
	assert_string_equal(metric_print_long(buf, 32, 312.6, 2), "312.60");
	assert_string_equal(metric_print_long(buf, 32, 1234567.4, 0), "1,234,567");
	assert_string_equal(metric_print_long(buf, 32, 999999.5, 0), "1,000,000");
	assert_string_equal(metric_print_long(buf, 32, NAN, 0), "n/a");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_base),
		cmocka_unit_test(test_not_json),
		cmocka_unit_test(test_nesting),
		cmocka_unit_test(test_other_tools),
		cmocka_unit_test(test_wrong_types),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_not_finite),
		cmocka_unit_test(test_duplicates),
		cmocka_unit_test(test_no_duplicates),
		cmocka_unit_test(test_schema),
		cmocka_unit_test(test_permissive),
		cmocka_unit_test(test_devices),
		cmocka_unit_test(test_proof_polled),
		cmocka_unit_test(test_proof_requests),
		cmocka_unit_test(test_proof_others),
		cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
