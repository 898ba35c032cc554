// SPDX-License-Identifier: GPL-2.0
/*
 * Setting up: the path's flags or a refusal that names what is missing, and
 * what the options of a job may be.
 */
#include "fio.h"
#include "verify.h"

#include "engines/iowq.h"
#include "fake-job.h"

#define DEFER	(IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN)
#define HYBRID	(IORING_SETUP_IOPOLL | IORING_SETUP_HYBRID_IOPOLL)
#define OPTIONAL (IORING_SETUP_NO_SQARRAY | IORING_SETUP_CQSIZE)

/* A new job in the same test. */
static void again(void)
{
	assert_int_equal(job_teardown(NULL), 0);
	assert_int_equal(job_setup(NULL), 0);
}

static void read_some(void)
{
	unsigned int i;

	for (i = 0; i < 100; i++) {
		job_read(i % 4, i * JOB_BS);
		assert_int_equal(job_getevents(1, 1), 1);
		assert_int_equal(job.io_u[i % 4].error, 0);
	}
}

static void test_flags(void **state)
{
	static const struct { unsigned int required, taskrun, flags; } table[] = {
		{ 0, TASKRUN_NORMAL, 0 },
		{ 0, TASKRUN_COOP, IORING_SETUP_COOP_TASKRUN },
		{ 0, TASKRUN_DEFER, DEFER },
		{ DEFER, TASKRUN_NORMAL, DEFER },
		{ IORING_SETUP_IOPOLL, TASKRUN_DEFER, IORING_SETUP_IOPOLL | DEFER },
		{ HYBRID, TASKRUN_NORMAL, HYBRID },
		{ HYBRID, TASKRUN_DEFER, HYBRID | DEFER },
	};
	unsigned int i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		/* what preflight says of polling is test_file's */
		ioengine.no_file = true;
		ioengine.required_flags = table[i].required;
		job.o.taskrun = table[i].taskrun;
		assert_int_equal(job_start(), 0);
		assert_int_equal(kernel.setups, 1);
		assert_int_equal(kernel.params.flags, table[i].flags | OPTIONAL);
		read_some();
		again();
	}
}

/* Each refused flag by its name and the kernel that brought it; no ring. */
static void test_refused_flags(void **state)
{
	static const struct {
		unsigned int required, taskrun, refused;
		const char *says;
	} table[] = {
		{ IORING_SETUP_IOPOLL, TASKRUN_NORMAL, IORING_SETUP_IOPOLL,
		  "IORING_SETUP_IOPOLL, which came with Linux 5.1:" },
		{ HYBRID, TASKRUN_NORMAL, IORING_SETUP_HYBRID_IOPOLL,
		  "IORING_SETUP_HYBRID_IOPOLL, which came with Linux 6.13:" },
		{ HYBRID, TASKRUN_DEFER, IORING_SETUP_HYBRID_IOPOLL | OPTIONAL,
		  "IORING_SETUP_HYBRID_IOPOLL, which came with Linux 6.13:" },
		{ DEFER, TASKRUN_NORMAL, IORING_SETUP_DEFER_TASKRUN,
		  "IORING_SETUP_DEFER_TASKRUN, which came with Linux 6.1:" },
		{ DEFER, TASKRUN_NORMAL, DEFER,
		  "IORING_SETUP_SINGLE_ISSUER, which came with Linux 6.0:" },
		{ 0, TASKRUN_COOP, IORING_SETUP_COOP_TASKRUN,
		  "IORING_SETUP_COOP_TASKRUN, which came with Linux 5.19:" },
		{ IORING_SETUP_IOPOLL, TASKRUN_DEFER, IORING_SETUP_DEFER_TASKRUN,
		  "IORING_SETUP_DEFER_TASKRUN, which came with Linux 6.1:" },
		{ HYBRID, TASKRUN_DEFER, ALL_FLAGS,
		  "IORING_SETUP_IOPOLL, which came with Linux 5.1:" },
	};
	unsigned int i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		ioengine.no_file = true;
		ioengine.required_flags = table[i].required;
		job.o.taskrun = table[i].taskrun;
		kernel.refused_flags = table[i].refused;
		assert_int_equal(job_start(), 1);
		assert_int_equal(job.td->error, EINVAL);
		assert_says(table[i].says);
		assert_int_equal(kernel.rings, 0);
		again();
	}
}

static void test_refused_passthrough(void **state)
{
	static const struct nvme_namespace ns = { .nsid = 1, .lba_shift = 9 };

	job.ns = &ns;
	kernel.refused_flags = IORING_SETUP_SQE128;
	assert_int_equal(job_start(), 1);
	assert_says("IORING_SETUP_SQE128, which came with Linux 5.19:");
	again();
	job.ns = &ns;
	kernel.refused_flags = IORING_SETUP_CQE32;
	assert_int_equal(job_start(), 1);
	assert_says("IORING_SETUP_CQE32, which came with Linux 5.19:");
}

/* Optional flags may be refused, each on its own; the ring works without. */
static void test_optional_flags(void **state)
{
	static const unsigned int refused[] = {
		IORING_SETUP_NO_SQARRAY, IORING_SETUP_CQSIZE, OPTIONAL,
	};
	unsigned int i;

	for (i = 0; i < 3; i++) {
		ioengine.required_flags = DEFER;
		kernel.refused_flags = refused[i];
		assert_int_equal(job_start(), 0);
		assert_string_equal(stub_log, "");
		assert_int_equal(kernel.params.flags, DEFER | (OPTIONAL & ~refused[i]));
		read_some();
		again();
	}
}

/* A kernel that takes a flag and does not echo it has not granted it. */
static void test_dropped_flag(void **state)
{
	ioengine.no_file = true;
	ioengine.required_flags = HYBRID;
	kernel.dropped_flags = IORING_SETUP_HYBRID_IOPOLL;
	assert_int_equal(job_start(), 1);
	assert_says("the kernel granted");
	assert_int_equal(kernel.rings, 0);
}

static void test_setup_errors(void **state)
{
	static const struct { int error; const char *says; } table[] = {
		{ EPERM, "kernel.io_uring_disabled" },
		{ EPERM, "seccomp" },
		{ ENOSYS, "CONFIG_IO_URING" },
		{ ENOSYS, "seccomp" },
		{ ENOMEM, "ulimit -l" },
		{ EMFILE, "Too many open files" },
	};
	unsigned int i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		ioengine.required_flags = DEFER;
		kernel.setup_error = -table[i].error;
		assert_int_equal(job_start(), 1);
		assert_int_equal(job.td->error, table[i].error);
		assert_says(table[i].says);
		again();
	}
}

/* What a newer kernel offers is used; what is not there is not missed. */
static void test_enter_flags(void **state)
{
	assert_int_equal(job_start(), 0);
	read_some();
	assert_int_equal(kernel.enter_flags, IORING_ENTER_GETEVENTS |
			 IORING_ENTER_REGISTERED_RING);
	again();
	kernel.features = IORING_FEAT_NO_IOWAIT;
	kernel.register_error = -EINVAL;
	assert_int_equal(job_start(), 0);
	read_some();
	assert_int_equal(kernel.enter_flags, IORING_ENTER_GETEVENTS |
			 IORING_ENTER_NO_IOWAIT);
}

/* A job of that split= and bs= begins, and has so many registered buffers. */
static void start_registered(unsigned int split, unsigned int bs,
			     unsigned int nr)
{
	job.o.fixedbufs = 1;
	job.o.split = split;
	job_set_bs(bs);
	assert_int_equal(job_start(), 0);
	assert_int_equal(kernel.registered, nr);
}

static void test_fixedbufs(void **state)
{
	/* a buffer per page, of four requests here */
	start_registered(4, JOB_BS, 4);
	assert_ptr_equal(kernel.iov[3].iov_base, job.io_u[3].buf);
	assert_int_equal(kernel.iov[3].iov_len, 4096);
	again();
	/* or per request where that is more */
	start_registered(4, 4 * 8192, 16);
	assert_ptr_equal(kernel.iov[15].iov_base, job.io_u[3].buf + 3 * 8192);
	assert_int_equal(kernel.iov[15].iov_len, 8192);
	again();
	/* a last one is as long as there is memory */
	start_registered(5, 5 * 1536, 12);
	assert_ptr_equal(kernel.iov[1].iov_base, job.io_u[0].buf + 2 * 1536);
	assert_int_equal(kernel.iov[1].iov_len, 2 * 1536);
	assert_int_equal(kernel.iov[2].iov_len, 1536);
	again();
	/* since Linux 6.16 one per I/O */
	kernel.last_op = 62;
	start_registered(4, 4 * 8192, 4);
	assert_ptr_equal(kernel.iov[3].iov_base, job.io_u[3].buf);
	assert_int_equal(kernel.iov[3].iov_len, 4 * 8192);
	again();
	kernel.last_op = 61;
	start_registered(4, 4 * 8192, 16);
	again();
	/* where sizes differ, one per I/O */
	job.o.fixedbufs = 1;
	job.o.split = 4;
	job.td->o.min_bs[DDIR_WRITE] = 1024;
	assert_int_equal(job_start(), 0);
	assert_int_equal(kernel.registered, 4);
	assert_int_equal(kernel.iov[3].iov_len, JOB_BS);
	again();
	/* a direction that the job does not have has no say */
	job.o.fixedbufs = 1;
	job.o.split = 2;
	job.td->o.td_ddir = TD_DDIR_READ;
	job_set_bs(2 * JOB_BS);
	job.td->o.max_bs[DDIR_WRITE] = 16 * JOB_BS;
	assert_int_equal(job_start(), 0);
	assert_int_equal(kernel.registered, 8);
	assert_int_equal(kernel.iov[7].iov_len, JOB_BS);
	again();
	/* trims have no data to register */
	job.o.fixedbufs = 1;
	job.td->o.td_ddir = TD_DDIR_TRIM;
	assert_int_equal(iou_init(job.td), 1);	/* a file takes no discard */
}

static void test_locked_memory(void **state)
{
	job.o.fixedbufs = 1;
	kernel.register_error = -ENOMEM;
	assert_int_equal(job_start(), 1);
	assert_int_equal(job.td->error, ENOMEM);
	/* how much, of whom, and how to have more */
	assert_says("fixedbufs needs 16384 bytes of locked memory");
	assert_says("per user, over all jobs");
	assert_says("ulimit -l");
	again();
	/* of each buffer the kernel locks whole pages */
	job.o.fixedbufs = 1;
	job.o.split = 3;
	job_set_bs(3 * 2560);
	kernel.register_error = -ENOMEM;
	assert_int_equal(job_start(), 1);
	assert_says("fixedbufs needs 65536 bytes of locked memory");
}

static void test_register_errors(void **state)
{
	job.o.fixedbufs = 1;
	kernel.register_error = -EINVAL;
	assert_int_equal(job_start(), 1);
	assert_says("registering 4 buffers: Invalid argument: ");
	again();
	job.o.registerfiles = 1;
	kernel.register_error = -EMFILE;
	assert_int_equal(job_start(), 1);
	assert_says("registering 1 files: Too many open files: raise ulimit -n");
}

static void test_min_wait_missing(void **state)
{
	job.o.min_wait = 100;
	assert_int_equal(job_start(), 1);
	assert_says("IORING_FEAT_MIN_TIMEOUT, Linux 6.12");
}

static void workers(unsigned int bounded, unsigned int unbounded)
{
	kernel.iowq_defaults[0] = 8;
	kernel.iowq_defaults[1] = 30000;
	assert_int_equal(job_start(), 0);
	assert_int_equal(kernel.iowq_defaults[0], bounded);
	assert_int_equal(kernel.iowq_defaults[1], unbounded);
	/* 0 is the kernel's own, and the report says which that is */
	assert_int_equal(job_ring()->iowq_bounded, bounded);
	assert_int_equal(job_ring()->iowq_unbounded, unbounded);
	again();
	ioengine.ring_ready = iowq_setup;
}

/*
 * Which kind serves a request is the kernel's affair, and has changed: a cap
 * on workers is one on both.
 */
static void test_workers(void **state)
{
	ioengine.ring_ready = iowq_setup;
	workers(8, 30000);
	job.o.workers = 3;
	workers(3, 3);
	job.o.unbound_workers = 5;
	workers(8, 5);
	job.o.workers = 3;
	job.o.unbound_workers = 5;
	workers(3, 5);
}

static void test_worker_cpus(void **state)
{
	static char bad[][8] = { "x", "0-", "1023", "", "0,,1" };
	unsigned int i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ioengine.ring_ready = iowq_setup;
		job.o.worker_cpus = bad[i];
		assert_int_equal(job_start(), 1);
		assert_says("not a list of CPUs that are online");
		again();
	}
	ioengine.ring_ready = iowq_setup;
	kernel.register_error = -EINVAL;
	strcpy(bad[0], "0");
	job.o.worker_cpus = bad[0];
	assert_int_equal(job_start(), 1);
	assert_says("the kernel does not take the CPUs of io-wq workers");
}

/* iou_setup(): options that contradict each other, in fio's main process. */
#define REFUSED(text)	do {						\
		assert_int_equal(iou_setup(job.td), 1);			\
		assert_int_equal(job.td->error, EINVAL);		\
		assert_says(text);					\
		again();						\
	} while (0)

static void test_options(void **state)
{
	assert_int_equal(iou_setup(job.td), 0);
	again();
	job.o.split_depth = 2;
	REFUSED("split_depth=2 is more than split=1");
	job.td->o.iodepth = 65536;
	REFUSED("a ring of 65536 entries and the kernel's most is 32768");
	job.o.split = 32;
	job.td->o.iodepth = 1025;
	REFUSED("lower iodepth or split, or set split_depth");
	job.o.split = 3;
	REFUSED("bs=4096 is not a multiple of split=3");
	job.o.split = 16;
	job.td->o.odirect = 1;
	REFUSED("bs=4096 in 16 requests is not in whole blocks of 512 bytes");
	job.o.split = 2;
	job.td->o.bs_unaligned = 1;
	REFUSED("leave bssplit and bs_unaligned out");
	job.o.split = 2;
	job.td->o.bssplit_nr[DDIR_WRITE] = 2;
	REFUSED("leave bssplit and bs_unaligned out");
	job.o.split_offset = SPLIT_RANDOM;
	REFUSED("split_offset=random");
	job.o.split_offset = SPLIT_RANDOM;
	job.td->o.td_ddir = TD_DDIR_READ;
	job.td->o.verify = VERIFY_CRC32C;
	REFUSED("split_offset=random");
	job.o.submit_wait = 1;
	job.td->o.rate_iops[DDIR_WRITE] = 100;
	REFUSED("submit_wait");
	job.o.submit_wait = 1;
	job.td->o.rate[DDIR_READ] = 100;
	REFUSED("submit_wait");
	job.o.submit_wait = 1;
	job.td->o.thinktime = 1;
	REFUSED("submit_wait");
	job.o.submit_wait = 1;
	job.td->o.latency_target = 1;
	REFUSED("submit_wait");
}

/* No-ops carry no data, but are cut as any I/O is, and cannot sync or trim. */
static void test_noop_options(void **state)
{
	ioengine.no_file = true;
	job.o.split = 3;
	REFUSED("bs=4096 is not a multiple of split=3");
	ioengine.no_file = true;
	job.td->o.fsync_blocks = 1;
	REFUSED("no-op");
	ioengine.no_file = true;
	job.td->o.end_fsync = 1;
	REFUSED("no-op");
	ioengine.no_file = true;
	job.td->o.td_ddir = TD_DDIR_TRIM;
	REFUSED("no-op");
}

/*
 * A job's clones (numjobs=) fail alike: the first to fail says why, and one
 * that fails where the others did not is never silent.
 */
static struct thread_data clones[4];

/* As fio numbers them: a job of its own, then one and its two clones. */
static void make_clones(void)
{
	static const unsigned int subjob[] = { 0, 0, 2, 1 };
	unsigned int i;

	memset(clones, 0, sizeof(clones));
	stub_log_clear();
	segments[0].threads = clones;
	for (i = 0; i < 4; i++) {
		clones[i].io_ops = &ioengine.ops;
		clones[i].eo = &job.o;
		clones[i].thread_number = 1 + i;
		clones[i].subjob_number = subjob[i];
	}
}

static void test_clones(void **state)
{
	unsigned int i;

	make_clones();
	for (i = 0; i < 4; i++) {
		assert_int_equal(refuse(&clones[i], EINVAL, "no, %u", i), -EINVAL);
		assert_int_equal(clones[i].error, EINVAL);
	}
	assert_string_equal(stub_log, "iou_test: no, 0\niou_test: no, 1\n");
}

static void test_clone_alone(void **state)
{
	make_clones();
	/* the first two run: their memory was enough */
	refuse(&clones[3], ENOMEM, "no memory");
	assert_string_equal(stub_log, "iou_test: no memory\n");
	make_clones();
	refuse(&clones[1], EINVAL, "one thing");
	refuse(&clones[2], ENOMEM, "another");
	assert_string_equal(stub_log, "iou_test: one thing\niou_test: another\n");
}

/* A fio laid out otherwise: refused, whatever field moved. */
static void test_layout(void **state)
{
	static struct ioengine_ops other;
	const int err = dup(2), null = open("/dev/null", O_WRONLY);

	/* there it is said, as fio's log may not be where we think */
	dup2(null, 2);
	job.td->io_ops = &other;
	assert_int_equal(iou_init(job.td), 1);
	job.td->io_ops = &ioengine.ops;
	job.td->eo = NULL;
	assert_int_equal(iou_init(job.td), 1);
	job.td->eo = &job.o;
	assert_int_equal(iou_init(job.td), 0);
	job.io_u[0].index = 7;
	assert_int_equal(iou_io_u_init(job.td, &job.io_u[0]), 1);
	job.io_u[0].index = 0;
	job.io_u[0].flags = 0x5555;
	assert_int_equal(iou_io_u_init(job.td, &job.io_u[0]), 1);
	job.io_u[0].flags = IO_U_F_FREE;
	assert_int_equal(iou_io_u_init(job.td, &job.io_u[0]), 0);
	/* fio gives as many as it said */
	job.td->o.iodepth = 1;
	assert_int_equal(iou_io_u_init(job.td, &job.io_u[1]), 1);
	dup2(err, 2);
	close(err);
	close(null);
}

/* fio calls cleanup whatever was made, and may call it again. */
static void test_cleanup(void **state)
{
	iou_cleanup(job.td);
	assert_int_equal(iou_init(job.td), 0);
	iou_cleanup(job.td);
	iou_cleanup(job.td);
	assert_null(job.td->io_ops_data);
	job.file[0].file_name = "/nonexistent/file";
	assert_int_equal(iou_init(job.td), 1);
	iou_cleanup(job.td);
}

int main(void)
{
#define TEST(fn)	cmocka_unit_test_setup_teardown(fn, job_setup, job_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_flags),
		TEST(test_refused_flags),
		TEST(test_refused_passthrough),
		TEST(test_optional_flags),
		TEST(test_dropped_flag),
		TEST(test_setup_errors),
		TEST(test_enter_flags),
		TEST(test_fixedbufs),
		TEST(test_locked_memory),
		TEST(test_register_errors),
		TEST(test_min_wait_missing),
		TEST(test_workers),
		TEST(test_worker_cpus),
		TEST(test_options),
		TEST(test_noop_options),
		TEST(test_clones),
		TEST(test_clone_alone),
		TEST(test_layout),
		TEST(test_cleanup),
	};

	return cmocka_run_group_tests_name("setup", tests, NULL, NULL);
}
