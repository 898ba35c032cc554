/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FIO_IOU_TEST_RECORDS_H
#define FIO_IOU_TEST_RECORDS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record.h"

/* A record with one run of each of two sections, as small as may be. */
static const char base_record[] =
"{\"schema\":1,\"id\":\"r0\",\"time\":\"2024-03-01T10:00:00Z\",\"boot_id\":\"b0\","
"\"note\":null,\"failed\":null,"
"\"host\":{\"cpu_model\":\"CPU\",\"microcode\":null,\"governor\":null,\"turbo\":null,"
 "\"mitigations\":{\"spectre_v2\":\"Mitigation: Retpolines\"}},"
"\"kernel\":{\"release\":\"6.12.1\",\"version\":null,\"cmdline\":\"quiet\","
 "\"config_hash\":null,\"taint\":0,\"debug\":[]},"
"\"device\":[{\"name\":\"nvme0n1\",\"serial\":\"S1\",\"nsid\":1,\"model\":\"M\","
 "\"firmware\":\"1\",\"lba_size\":512}],"
"\"software\":{\"fio\":\"fio-3.33\",\"version\":\"1.0\",\"so_hash\":null},"
"\"guest\":{\"kind\":\"none\"},"
"\"job\":{\"name\":\"peak\",\"text\":\"[poll]\\n[irq]\\n\",\"argv\":[\"fio\",\"peak.fio\"],"
 "\"env\":{\"DEV\":\"/dev/nvme0n1\"},\"cpus\":[1]},"
"\"runs\":["
 "{\"section\":\"poll\",\"engine\":\"iou_iopoll\",\"error\":null,\"iops\":1000000,"
  "\"lat_ns\":null,\"usr_cpu\":20,\"sys_cpu\":79.5,\"runtime_ms\":1000,"
  "\"proof\":{\"io_poll\":1,\"nvme_irqs\":{\"before\":5,\"after\":6},"
   "\"flags_required\":[\"IOPOLL\"],\"flags_granted\":[\"IOPOLL\"]}},"
 "{\"section\":\"irq\",\"engine\":\"iou_plain\",\"error\":null,\"iops\":400000,"
  "\"lat_ns\":{\"mean\":300000},\"usr_cpu\":20,\"sys_cpu\":79.5,\"proof\":null}]}";

/*
 * Put the JSON text @value at a dotted path below @json; a number is an index
 * into an array. A NULL @value takes the member away.
 */
static inline void record_set(struct json_object *json, const char *path,
			      const char *value)
{
	struct json_object *v = value ? json_tokener_parse(value) : NULL;
	char *copy = strdup(path), *key, *next;

	for (key = copy; (next = strchr(key, '.')); key = next) {
		*next++ = '\0';
		if (json_object_is_type(json, json_type_array))
			json = json_object_array_get_idx(json, atoi(key));
		else
			json = json_object_object_get(json, key);
	}
	if (json_object_is_type(json, json_type_array))
		json_object_array_put_idx(json, atoi(key), v);
	else if (value)
		json_object_object_add(json, key, v);
	else
		json_object_object_del(json, key);
	free(copy);
}

static inline struct json_object *record_base(void)
{
	return json_tokener_parse(base_record);
}

/* Parse what @json says, and put it. */
static inline int record_from(struct record *rec, struct json_object *json,
			      const char *path, struct err *err)
{
	const char *text = json_object_to_json_string(json);
	int ret = record_parse(rec, text, strlen(text), path, err);

	json_object_put(json);
	return ret;
}

#endif
