// SPDX-License-Identifier: GPL-2.0
/* Preflight, on disks that are only files below a root of the test's own. */
#include <sys/sysmacros.h>
#include <sys/utsname.h>

#include "engines/file.h"
#include "fake-job.h"
#include "fake-root.h"

/* file.c reads the machine it runs on: here, the test's. */
#define sysfs_u64(val, real, ...)	(sysfs_u64)(val, root, __VA_ARGS__)
#define sysfs_disk(disk, real, ma, mi)	(sysfs_disk)(disk, root, ma, mi)
#define disk_in_use(disk, how, len, real) (disk_in_use)(disk, how, len, root)
#define disk_claimed(disk, real)	(disk_claimed)(disk, root)
#define nvme_disk_identity(id, disk, real) (nvme_disk_identity)(id, disk, root)
#include "engines/file.c"

static struct target t;
static char name[PATH_MAX];

static int setup(void **state)
{
	memset(&t, 0, sizeof(t));
	return job_setup(state) || root_setup(state);
}

static int teardown(void **state)
{
	target_free(&t);
	return job_teardown(state) || root_teardown(state);
}

/* Another job and target on the same root. */
static void again(void)
{
	target_free(&t);
	memset(&t, 0, sizeof(t));
	assert_int_equal(job_teardown(NULL), 0);
	assert_int_equal(job_setup(NULL), 0);
}

static void make_nvme(const char *poll)
{
	root_disk("nvme0n1", 259, 0, "nvme0n1p1");
	root_file("/dev/nvme0n1", "");
	root_file("/sys/class/block/nvme0n1/queue/io_poll", poll);
	root_file("/sys/class/block/nvme0n1/queue/logical_block_size", "4096\n");
	root_file("/sys/class/block/nvme0n1/nsid", "2\n");
	root_file("/sys/class/block/nvme0n1/metadata_bytes", "8\n");
	root_file("/sys/class/block/nvme0n1/device/serial", "S1  \n");
	root_file("/sys/class/block/nvme0n1/device/model", "M\n");
}

static int find(const char *path)
{
	job.file[0].file_name = (char *)path;
	return target_find(job.td, &job.file[0], &t);
}

static int check(void)
{
	return target_check(job.td, &job.file[0], &t);
}

/* A node that only stat() sees. */
static void node(const char *path, unsigned int major, unsigned int minor)
{
	root_path(name, path);
	if (mknod(name, S_IFBLK | 0600, makedev(major, minor)))
		skip();	/* not root, or a container */
	assert_int_equal(find(name), 0);
}

static void test_find_block(void **state)
{
	make_nvme("1\n");
	node("/nvme0n1", 259, 0);
	assert_int_equal(t.kind, TARGET_BLOCK);
	assert_string_equal(t.disk, "nvme0n1");
	assert_int_equal(t.io_poll, 1);
	assert_string_equal(t.id.serial, "S1");
	assert_int_equal(t.ns.nsid, 2);
	assert_int_equal(t.ns.lba_shift, 12);
	assert_int_equal(t.ns.metadata, 8);
}

static void test_find_partition(void **state)
{
	make_nvme("0\n");
	node("/nvme0n1p1", 259, 1);
	assert_int_equal(t.kind, TARGET_BLOCK);
	assert_string_equal(t.disk, "nvme0n1");
	assert_int_equal(t.io_poll, 0);
}

/* Not NVMe: no namespace, but blocks of a size all the same. */
static void test_find_other_block(void **state)
{
	root_disk("vda", 254, 0, NULL);
	root_file("/sys/class/block/vda/queue/io_poll", "0\n");
	root_file("/sys/class/block/vda/queue/logical_block_size", "4096\n");
	node("/vda", 254, 0);
	assert_false(t.ns_known);
	assert_int_equal(t.ns.lba_shift, 12);
	job.td->o.odirect = 1;
	assert_int_equal(check(), 0);
	job.o.split = 2;
	assert_int_equal(check(), -EINVAL);
	assert_says("bs=4096 in 2 requests is not in whole blocks of 4096 bytes");
}

/* A file, and one that fio is yet to make, are on their folder's disk. */
static void test_find_file(void **state)
{
	struct stat st;

	assert_int_equal(stat(root, &st), 0);
	root_disk("sda", major(st.st_dev), minor(st.st_dev), NULL);
	root_file("/sys/class/block/sda/queue/io_poll", "0\n");
	root_file("/data", "x");
	assert_int_equal(find(root_path(name, "/data")), 0);
	assert_int_equal(t.kind, TARGET_FILE);
	assert_string_equal(t.disk, "sda");
	assert_false(t.ns_known);
	target_free(&t);
	assert_int_equal(find(root_path(name, "/new")), 0);
	assert_int_equal(t.kind, TARGET_FILE);
	assert_string_equal(t.disk, "sda");
}

static void test_find_no_disk(void **state)
{
	root_file("/data", "x");
	assert_int_equal(find(root_path(name, "/data")), 0);
	assert_string_equal(t.disk, "");
	assert_int_equal(t.io_poll, -1);
	assert_int_equal(check(), 0);
}

static void test_find_refused(void **state)
{
	assert_int_equal(find("/nonexistent/file"), -ENOENT);
	assert_says("/nonexistent/file: No such file or directory");
	again();
	/* fio would make a file of it, on no disk, and measure that */
	assert_int_equal(find("/dev/nosuchdevice"), -ENOENT);
	assert_says("/dev/nosuchdevice: no such device");
	again();
	assert_int_equal(find("/dev/shm/fio-iou-new"), 0);
	again();
	assert_int_equal(find(root), -EISDIR);
	assert_says("is a directory: name a device or a file");
	again();
	root_file("/data", "x");
	strcat(root_path(name, "/data"), "/below");
	assert_int_equal(find(name), -ENOTDIR);
	assert_says("Not a directory");
	again();
	assert_int_equal(find("/dev/null"), -EINVAL);
	assert_says("use /dev/nvmeXnY, or /dev/ngXnY for passthrough");
}

/* ---- what is asked of it */

static void polled(enum target_kind kind, const char *disk, int poll)
{
	ioengine.required_flags = IORING_SETUP_IOPOLL;
	job.td->o.odirect = 1;
	job.file[0].file_name = "/dev/it";
	t.kind = kind;
	strcpy(t.disk, disk);
	t.io_poll = poll;
}

static void test_polled(void **state)
{
	root_file("/dev/nvme0n1", "");
	polled(TARGET_BLOCK, "nvme0n1", 1);
	assert_int_equal(check(), 0);
	job.td->o.odirect = 0;
	assert_int_equal(check(), -EINVAL);
	assert_says("/dev/it: a polled ring needs direct=1");
	again();
	polled(TARGET_CHAR, "nvme0n1", 1);
	job.td->o.odirect = 0;	/* a character device knows no other */
	assert_int_equal(check(), 0);
	again();
	polled(TARGET_BLOCK, "nvme0n1", 0);
	assert_int_equal(check(), -EOPNOTSUPP);
	assert_says("/dev/it has no poll queues (/sys/class/block/nvme0n1/queue/io_poll is 0): boot with nvme.poll_queues=N");
	again();
	polled(TARGET_CHAR, "nvme0n1", 0);
	assert_int_equal(check(), -EOPNOTSUPP);
	assert_says("nvme.poll_queues=N");
	again();
	polled(TARGET_BLOCK, "md0", 0);
	assert_int_equal(check(), -EOPNOTSUPP);
	assert_says("/sys/class/block/md0/queue/io_poll is 0");
	again();
	polled(TARGET_FILE, "", -1);
	assert_int_equal(check(), -EOPNOTSUPP);
	assert_says("no disk is known");
	again();
	polled(TARGET_BLOCK, "zram0", -1);
	assert_int_equal(check(), -EOPNOTSUPP);
	assert_says("/sys/class/block/zram0/queue/io_poll cannot be read");
}

/* A request of 4 KiB on a queue with this limit. */
static void limited(const char *limit, const char *value)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/class/block/nvme0n1/queue/%s", limit);
	root_file(path, value);
	polled(TARGET_BLOCK, "nvme0n1", 1);
}

static void test_cut_in_two(void **state)
{
	static const char *const limit[] = {
		"max_sectors_kb", "max_segments", "chunk_sectors",
	};
	static const char *const fits[] = { "4\n", "1\n", "64\n" };
	static const char *const cuts[] = { "2\n", "1\n", "60\n" };
	unsigned int i;

	for (i = 0; i < 3; i++) {
		limited(limit[i], fits[i]);
		assert_int_equal(check(), 0);
		limited(limit[i], cuts[i]);
		if (i == 1)
			job.td->o.max_bs[DDIR_WRITE] = 2 * JOB_BS;
		assert_int_equal(check(), -EINVAL);
		assert_says(limit[i]);
		assert_says("is cut in two");
		/* smaller ones, one page, or by interrupt, where it is no matter */
		ioengine.required_flags = 0;
		job.td->error = 0;
		assert_int_equal(check(), 0);
		again();
		limited(limit[i], "0\n");
		again();
	}
}

static void test_polled_write_of_new_blocks(void **state)
{
	polled(TARGET_FILE, "nvme0n1", 1);
	assert_int_equal(check(), -EINVAL);
	assert_says("overwrite=1");
	job.td->error = 0;
	job.td->o.overwrite = 1;
	assert_int_equal(check(), 0);
	job.td->o.overwrite = 0;
	job.td->o.td_ddir = TD_DDIR_READ;
	assert_int_equal(check(), 0);
}

static void test_unpolled(void **state)
{
	polled(TARGET_BLOCK, "nvme0n1", 0);
	ioengine.required_flags = 0;
	job.td->o.odirect = 0;
	assert_int_equal(check(), 0);
}

static void blocks_of(unsigned int shift, enum target_kind kind)
{
	job.td->o.odirect = 1;
	job.file[0].file_name = "/dev/it";
	t.kind = kind;
	strcpy(t.disk, "nvme9n9");
	t.ns_known = true;
	t.ns.nsid = 1;
	t.ns.lba_shift = shift;
}

static void test_sizes(void **state)
{
	blocks_of(12, TARGET_BLOCK);
	assert_int_equal(check(), 0);
	job.o.split = 2;
	assert_int_equal(check(), -EINVAL);
	assert_says("bs=4096 in 2 requests is not in whole blocks of 4096 bytes");
	again();
	/* buffered: the page cache cuts as it likes */
	blocks_of(12, TARGET_BLOCK);
	job.o.split = 2;
	job.td->o.odirect = 0;
	assert_int_equal(check(), 0);
	/* but not passthrough */
	t.kind = TARGET_CHAR;
	job.td->o.td_ddir = TD_DDIR_READ;
	assert_int_equal(check(), -EINVAL);
	again();
	blocks_of(9, TARGET_CHAR);
	job.td->o.td_ddir = TD_DDIR_READ;
	job.o.split = 8;
	assert_int_equal(check(), 0);
	job.td->o.min_bs[DDIR_READ] = 2048;
	assert_int_equal(check(), -EINVAL);
	/* the largest and the offset are in blocks too */
	again();
	blocks_of(12, TARGET_CHAR);
	job.td->o.td_ddir = TD_DDIR_READ;
	job.td->o.max_bs[DDIR_READ] = JOB_BS + 512;
	assert_int_equal(check(), -EINVAL);
	assert_says("bs=4608");
	again();
	blocks_of(12, TARGET_CHAR);
	job.td->o.td_ddir = TD_DDIR_READ;
	job.td->o.start_offset = 1000;
	assert_int_equal(check(), -EINVAL);
	assert_says("offset=1000 is not in whole blocks of 4096 bytes");
	/* a length has 32 bits, and a result 31 */
	again();
	blocks_of(12, TARGET_BLOCK);
	job.td->o.td_ddir = TD_DDIR_READ;
	job.td->o.max_bs[DDIR_READ] = 1ULL << 31;
	assert_int_equal(check(), -EINVAL);
	assert_says("one has at most 2147483647 bytes");
	job.td->error = 0;
	job.o.split = 2;
	job.td->o.min_bs[DDIR_READ] = 8192;
	assert_int_equal(check(), 0);
	/* a direction that the job does not go is not asked about */
	again();
	blocks_of(12, TARGET_BLOCK);
	job.td->o.td_ddir = TD_DDIR_READ;
	job.td->o.min_bs[DDIR_WRITE] = 100;
	assert_int_equal(check(), 0);
}

static void test_metadata(void **state)
{
	blocks_of(9, TARGET_CHAR);
	t.ns.metadata = 8;
	job.td->o.td_ddir = TD_DDIR_READ;
	assert_int_equal(check(), -EOPNOTSUPP);
	assert_says("8 bytes of separate metadata");
	again();
	blocks_of(9, TARGET_CHAR);
	t.ns.metadata = 64;
	t.ns.extended = true;
	job.td->o.td_ddir = TD_DDIR_READ;
	assert_int_equal(check(), -EOPNOTSUPP);
	assert_says("64 bytes of extended metadata");
	/* the block device carries it as the kernel does */
	again();
	blocks_of(9, TARGET_BLOCK);
	t.ns.metadata = 8;
	assert_int_equal(check(), 0);
}

static void test_write_guard(void **state)
{
	make_nvme("1\n");
	root_file("/proc/swaps", "");
	root_file("/proc/self/mountinfo", "99 21 259:1 / /home rw - xfs x rw\n");
	blocks_of(9, TARGET_CHAR);
	strcpy(t.disk, "nvme0n1");
	job.td->o.td_ddir = TD_DDIR_READ;
	assert_int_equal(check(), 0);
	job.td->o.td_ddir = TD_DDIR_WRITE;
	assert_int_equal(check(), -EBUSY);
	assert_says("/dev/it: nvme0n1 is in use (mounted on /home) and writes would destroy it: allow_mounted_write=1");
	again();
	blocks_of(9, TARGET_CHAR);
	strcpy(t.disk, "nvme0n1");
	job.td->o.td_ddir = TD_DDIR_TRIM;
	assert_int_equal(check(), -EBUSY);
	job.td->error = 0;
	job.td->o.allow_mounted_write = 1;
	assert_int_equal(check(), 0);
	again();
	root_file("/proc/self/mountinfo", "");
	blocks_of(9, TARGET_CHAR);
	strcpy(t.disk, "nvme0n1");
	job.td->o.td_ddir = TD_DDIR_RW;
	assert_int_equal(check(), 0);
}

/* What is not known is not taken for "free". */
static void test_write_guard_unknown(void **state)
{
	root_file("/sys/class/block/nvme0n1", "a file, where a folder should be");
	blocks_of(9, TARGET_CHAR);
	strcpy(t.disk, "nvme0n1");
	assert_int_equal(check(), -ENOTDIR);
	assert_says("cannot tell whether nvme0n1 is in use");
	/* a container that has the ng node and not its twin */
	again();
	blocks_of(9, TARGET_CHAR);
	strcpy(t.disk, "nvme7n7");
	assert_int_equal(check(), -ENOENT);
	assert_says("cannot tell whether nvme7n7 is in use (No such file or directory)");
}

static void sync_by(unsigned int fsync, unsigned int fdatasync,
		    unsigned int end, unsigned int on_close)
{
	polled(TARGET_BLOCK, "nvme0n1", 1);
	job.td->o.fsync_blocks = fsync;
	job.td->o.fdatasync_blocks = fdatasync;
	job.td->o.end_fsync = end;
	job.td->o.fsync_on_close = on_close;
	assert_int_equal(check(), -EINVAL);
	assert_says("fsync cannot be done on a polled ring");
	/* not polled, or a flush, which can be polled for */
	job.td->error = 0;
	t.kind = TARGET_CHAR;
	job.td->o.td_ddir = TD_DDIR_READ;
	assert_int_equal(check(), 0);
	ioengine.required_flags = 0;
	t.kind = TARGET_BLOCK;
	assert_int_equal(check(), 0);
	again();
}

static void test_sync(void **state)
{
	sync_by(1, 0, 0, 0);
	sync_by(0, 1, 0, 0);
	sync_by(0, 0, 1, 0);
	sync_by(0, 0, 0, 1);
	/* O_SYNC is nothing to a command */
	polled(TARGET_CHAR, "nvme0n1", 1);
	job.td->o.td_ddir = TD_DDIR_READ;
	job.td->o.sync_io = O_SYNC;
	assert_int_equal(check(), -EINVAL);
	assert_says("sync= does nothing to passthrough");
	again();
	job.td->o.sync_file_range = 1;
	t.kind = TARGET_FILE;
	assert_int_equal(check(), -EINVAL);
	assert_says("sync_file_range");
}

static void trim_on(enum target_kind kind, const char *discard_max)
{
	root_file("/sys/class/block/nvme0n1/queue/discard_max_bytes", discard_max);
	strcpy(t.disk, "nvme0n1");
	t.kind = kind;
	t.io_poll = 1;
	job.td->o.odirect = 1;
	job.td->o.td_ddir = TD_DDIR_TRIM;
	job.file[0].file_name = "/dev/it";
}

static void test_trim(void **state)
{
	if (!kernel_at_least(6, 12)) {
		trim_on(TARGET_BLOCK, "1048576\n");
		assert_int_equal(check(), -EOPNOTSUPP);
		assert_says("need a block device and Linux 6.12");
		return;
	}
	trim_on(TARGET_BLOCK, "1048576\n");
	assert_int_equal(check(), 0);
	ioengine.required_flags = IORING_SETUP_IOPOLL;
	assert_int_equal(check(), -EOPNOTSUPP);
	assert_says("a discard cannot be polled for");
	again();
	trim_on(TARGET_BLOCK, "0\n");
	assert_int_equal(check(), -EOPNOTSUPP);
	assert_says("the device takes no discards");
	again();
	trim_on(TARGET_FILE, "1048576\n");
	assert_int_equal(check(), -EOPNOTSUPP);
	assert_says("need a block device");
	/* passthrough trims with a command of its own, polled too */
	again();
	trim_on(TARGET_CHAR, "0\n");
	job.td->o.allow_mounted_write = 1;
	ioengine.required_flags = IORING_SETUP_IOPOLL;
	assert_int_equal(check(), 0);
}

/* A version is numbers, not text: 6.9 is older than 6.12. */
static void test_kernel_at_least(void **state)
{
	struct utsname u;
	unsigned int major, minor;

	assert_int_equal(uname(&u), 0);
	assert_int_equal(sscanf(u.release, "%u.%u", &major, &minor), 2);
	assert_true(kernel_at_least(major, minor));
	assert_true(kernel_at_least(major - 1, 99));
	assert_false(kernel_at_least(major, minor + 1));
	assert_false(kernel_at_least(major + 1, 0));
}

int main(void)
{
#define TEST(fn)	cmocka_unit_test_setup_teardown(fn, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_find_block),
		TEST(test_find_partition),
		TEST(test_find_other_block),
		TEST(test_find_file),
		TEST(test_find_no_disk),
		TEST(test_find_refused),
		TEST(test_polled),
		TEST(test_unpolled),
		TEST(test_cut_in_two),
		TEST(test_polled_write_of_new_blocks),
		TEST(test_sizes),
		TEST(test_metadata),
		TEST(test_write_guard),
		TEST(test_write_guard_unknown),
		TEST(test_sync),
		TEST(test_trim),
		TEST(test_kernel_at_least),
	};

	return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
