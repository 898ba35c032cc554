// SPDX-License-Identifier: GPL-2.0
/* NVMe: formats, identities and statuses. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <nvme/types.h>

#include "engines/nvme.h"
#include "fake-root.h"

/* FLBAS: bits 3:0 are the low, 6:5 the high part of the index, 4 is extended. */
static void test_flbas(void **state)
{
	unsigned int flbas;

	(void)state;
	for (flbas = 0; flbas < 0x80; flbas++) {
		unsigned int index = flbas % 16 + flbas / 32 * 16;

		assert_int_equal(nvme_lbaf_index(flbas), index);
		assert_int_equal(nvme_lba_extended(flbas), flbas / 16 % 2);
	}
	/* the two that people got wrong */
	assert_int_equal(nvme_lbaf_index(0x10), 0);
	assert_int_equal(nvme_lbaf_index(0x20), 16);
	/* bit 7 is reserved */
	assert_int_equal(nvme_lbaf_index(0xff), 63);
}

static void test_identity(void **state)
{
	struct nvme_identity id;

	(void)state;
	root_file("/sys/class/block/nvme0n1/device/model", "QEMU NVMe Ctrl                          \n");
	root_file("/sys/class/block/nvme0n1/device/serial", "iou0                \n");
	root_file("/sys/class/block/nvme0n1/device/firmware_rev", "7.2.0   \n");
	nvme_disk_identity(&id, "nvme0n1", root);
	assert_true(id.known);
	assert_string_equal(id.model, "QEMU NVMe Ctrl");
	assert_string_equal(id.serial, "iou0");
	assert_string_equal(id.firmware, "7.2.0");
}

static void test_no_identity(void **state)
{
	struct nvme_identity id;

	(void)state;
	root_file("/sys/class/block/sda/device/model", "ACME DISK\n");
	root_file("/sys/class/block/blank/device/serial", "    \n");
	nvme_disk_identity(&id, "sda", root);
	assert_false(id.known);
	assert_string_equal(id.model, "ACME DISK");
	assert_string_equal(id.serial, "");
	nvme_disk_identity(&id, "blank", root);
	assert_string_equal(id.serial, "");
	nvme_disk_identity(&id, "none", root);
	assert_false(id.known);
	assert_string_equal(id.model, "");
}

static void test_status(void **state)
{
	static const struct { unsigned int status; const char *begins; } texts[] = {
		{ 0x4002, "NVMe status 0x4002 (sct 0x0, sc 0x02): " },
		{ 0x0281, "NVMe status 0x281 (sct 0x2, sc 0x81): " },
		{ 0x0080, "NVMe status 0x80 (sct 0x0, sc 0x80): " },
		{ 0x7fff, "NVMe status 0x7fff (sct 0x7, sc 0xff): " },
	};
	unsigned int i, status;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char *text = nvme_status_text(texts[i].status);

		assert_non_null(text);
		assert_memory_equal(text, texts[i].begins, strlen(texts[i].begins));
		/* and words after the numbers */
		assert_true(strlen(text) > strlen(texts[i].begins) + 2);
		assert_null(strstr(text, "(null)"));
		free(text);
	}
	/* no status is a success, or an errno that strerror does not know */
	for (status = 1; status < 0x8000; status++)
		assert_in_range(nvme_errno(status), 1, 133);
	assert_int_equal(nvme_errno(NVME_SC_LBA_RANGE), EREMOTEIO);
}

/* What is no namespace is refused, not believed. */
static void test_not_nvme(void **state)
{
	struct nvme_namespace ns = { 0 };
	FILE *f = tmpfile();

	(void)state;
	assert_non_null(f);
	assert_int_equal(nvme_read_namespace(fileno(f), &ns), -ENOTTY);
	fclose(f);
}

int main(void)
{
#define ROOTED(fn)	cmocka_unit_test_setup_teardown(fn, root_setup, root_teardown)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flbas),
		ROOTED(test_identity),
		ROOTED(test_no_identity),
		cmocka_unit_test(test_status),
		cmocka_unit_test(test_not_nvme),
	};

	return cmocka_run_group_tests_name("nvme", tests, NULL, NULL);
}
