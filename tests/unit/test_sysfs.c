// SPDX-License-Identifier: GPL-2.0
/* What sysfs and /proc say of a device, told by trees made here. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engines/sysfs.h"
#include "fake-root.h"

static void test_values(void **state)
{
	char line[16], tiny[4];
	uint64_t val = 7;

	(void)state;
	root_file("/sys/num", "18446744073709551615\n");
	root_file("/sys/bare", "42");
	root_file("/sys/word", "none\n");
	root_file("/sys/mixed", "12 34\n");
	root_file("/sys/minus", "-1\n");
	root_file("/sys/huge", "18446744073709551616\n");
	root_file("/sys/empty", "");

	assert_int_equal(sysfs_u64(&val, root, "/sys/%s", "num"), 0);
	assert_true(val == UINT64_MAX);
	assert_int_equal(sysfs_u64(&val, root, "/sys/bare"), 0);
	assert_int_equal(val, 42);
	assert_int_equal(sysfs_u64(&val, root, "/sys/word"), -EINVAL);
	assert_int_equal(sysfs_u64(&val, root, "/sys/mixed"), -EINVAL);
	assert_int_equal(sysfs_u64(&val, root, "/sys/minus"), -EINVAL);
	assert_int_equal(sysfs_u64(&val, root, "/sys/huge"), -EINVAL);
	assert_int_equal(sysfs_u64(&val, root, "/sys/empty"), -ENODATA);
	assert_int_equal(sysfs_u64(&val, root, "/sys/none"), -ENOENT);

	assert_int_equal(sysfs_line(line, sizeof(line), root, "/sys/word"), 0);
	assert_string_equal(line, "none");
	assert_int_equal(sysfs_line(tiny, sizeof(tiny), root, "/sys/word"), 0);
	assert_string_equal(tiny, "non");
}

static void test_path_too_long(void **state)
{
	char line[16], name[PATH_MAX];

	(void)state;
	memset(name, 'x', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	assert_int_equal(sysfs_line(line, sizeof(line), root, "/%s", name),
			 -ENAMETOOLONG);
	/* and a root that leaves no room at all */
	assert_int_equal(sysfs_line(line, sizeof(line), name, "/%s", name),
			 -ENAMETOOLONG);
}

static void test_disk_of(void **state)
{
	char disk[DISK_NAME_LEN];

	(void)state;
	root_disk("nvme0n1", 259, 0, "nvme0n1p1");
	root_disk("vda", 254, 0, NULL);
	assert_int_equal(sysfs_disk(disk, root, 259, 0), 0);
	assert_string_equal(disk, "nvme0n1");
	assert_int_equal(sysfs_disk(disk, root, 259, 1), 0);
	assert_string_equal(disk, "nvme0n1");
	assert_int_equal(sysfs_disk(disk, root, 254, 0), 0);
	assert_string_equal(disk, "vda");
	/* tmpfs, overlay, btrfs: a number that no disk has */
	assert_int_equal(sysfs_disk(disk, root, 0, 33), -ENODEV);
}

static void test_twins(void **state)
{
	static const char *const none[] = {
		"nvme0n1", "nvme0", "ng", "ng0", "ng0n", "ngn1", "null", "tty0",
		"ng0n1p1", "ng0c0n", "ngx0n1", "",
		"ng0000000000000000000000000000000000000000000000000000000000000n1",
	};
	char disk[DISK_NAME_LEN];
	unsigned int i;

	(void)state;
	assert_int_equal(nvme_block_twin(disk, "ng0n1"), 0);
	assert_string_equal(disk, "nvme0n1");
	assert_int_equal(nvme_block_twin(disk, "ng12n34"), 0);
	assert_string_equal(disk, "nvme12n34");
	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		if (nvme_block_twin(disk, none[i]) != -EINVAL)
			fail_msg("\"%s\" has a twin, %s", none[i], disk);
}

static int in_use(const char *disk, const char *expected)
{
	char how[256] = "";
	int ret = disk_in_use(disk, how, sizeof(how), root);

	if (ret > 0)
		assert_string_equal(how, expected);
	return ret;
}

/* As on a machine: swaps and mounts of another disk. */
static void others(void)
{
	root_file("/proc/swaps",
		  "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
		  "/dev/nvme0n10                           partition\t8388604\t0\t-2\n");
	root_file("/proc/self/mountinfo",
		  "21 1 259:10 / / rw,relatime shared:1 - ext4 /dev/nvme1n1 rw\n"
		  "22 21 0:21 / /proc rw,nosuid - proc proc rw\n");
}

static void test_free_disk(void **state)
{
	(void)state;
	root_disk("nvme0n1", 259, 0, "nvme0n1p1");
	others();
	assert_int_equal(in_use("nvme0n1", NULL), 0);
	assert_int_equal(in_use("nvme7n1", NULL), -ENOENT);
}

static void test_mounted_disk(void **state)
{
	(void)state;
	root_disk("nvme0n1", 259, 0, "nvme0n1p1");
	others();
	root_file("/proc/self/mountinfo",
		  "21 1 259:10 / / rw - ext4 /dev/nvme1n1 rw\n"
		  "99 21 259:0 / /mnt/a\\040b rw - xfs /dev/nvme0n1 rw\n");
	assert_int_equal(in_use("nvme0n1", "mounted on /mnt/a\\040b"), 1);
}

static void test_mounted_partition(void **state)
{
	(void)state;
	root_disk("nvme0n1", 259, 0, "nvme0n1p1");
	others();
	root_file("/proc/self/mountinfo", "99 21 259:1 / /home rw - xfs x rw\n");
	assert_int_equal(in_use("nvme0n1", "mounted on /home"), 1);
}

static void test_long_mountinfo(void **state)
{
	char line[9000];

	(void)state;
	root_disk("nvme0n1", 259, 0, NULL);
	others();
	/* an overlay of many layers: its options hold more than any buffer */
	memset(line, 'l', sizeof(line));
	memcpy(line, "30 21 0:50 / /o rw - overlay overlay rw,lowerdir=", 49);
	strcpy(line + sizeof(line) - 60, "\n99 21 259:0 / /after rw - xfs /dev/nvme0n1 rw\n");
	root_file("/proc/self/mountinfo", line);
	assert_int_equal(in_use("nvme0n1", "mounted on /after"), 1);
}

static void test_held(void **state)
{
	(void)state;
	root_disk("nvme0n1", 259, 0, "nvme0n1p1");
	others();
	root_file("/sys/devices/block/nvme0n1/holders/dm-0", "");
	assert_int_equal(in_use("nvme0n1", "held by dm-0"), 1);
}

static void test_held_partition(void **state)
{
	(void)state;
	root_disk("nvme0n1", 259, 0, "nvme0n1p1");
	others();
	root_file("/sys/devices/block/nvme0n1/nvme0n1p1/holders/md127", "");
	assert_int_equal(in_use("nvme0n1", "held by md127"), 1);
}

static void test_swapped(void **state)
{
	(void)state;
	root_disk("nvme0n1", 259, 0, "nvme0n1p1");
	others();
	root_file("/proc/swaps", "Filename Type Size Used Priority\n"
		  "/dev/nvme0n1p1  partition 1 0 -2\n");
	assert_int_equal(in_use("nvme0n1", "swapped on"), 1);
}

int main(void)
{
#define TEST(fn)	cmocka_unit_test_setup_teardown(fn, root_setup, root_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_values),
		TEST(test_path_too_long),
		TEST(test_disk_of),
		TEST(test_twins),
		TEST(test_free_disk),
		TEST(test_mounted_disk),
		TEST(test_mounted_partition),
		TEST(test_long_mountinfo),
		TEST(test_held),
		TEST(test_held_partition),
		TEST(test_swapped),
	};

	return cmocka_run_group_tests_name("sysfs", tests, NULL, NULL);
}
