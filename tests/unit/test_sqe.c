// SPDX-License-Identifier: GPL-2.0
/*
 * What the kernel is asked: every field of every SQE is that of a fresh one,
 * whatever was in its place before.
 */
#include <linux/fs.h>
#include <linux/nvme_ioctl.h>

#include "engines/command.h"
#include "fake-job.h"

#define SECTOR_SHIFT	9

static const struct nvme_namespace ns = {
	.nsid = 3, .blocks = 1 << 20, .lba_shift = SECTOR_SHIFT,
};

static unsigned int seen[DDIR_LAST];
static unsigned int nr_async;
static int fds[JOB_DEPTH];	/* of the file, when each was queued */

static void assert_same(const void *got, const void *want, size_t size,
			enum fio_ddir ddir)
{
	const unsigned char *a = got, *b = want;
	unsigned int i;

	for (i = 0; i < size; i++)
		if (a[i] != b[i])
			fail_msg("direction %d: byte %u of the SQE is 0x%02x, not 0x%02x",
				 ddir, i, a[i], b[i]);
	seen[ddir]++;
}

/* A field by its place in the ABI: liburing's headers name it differently. */
static void set_addr3(struct io_uring_sqe *sqe, uint64_t val)
{
	memcpy((char *)sqe + 48, &val, sizeof(val));
}

static const struct io_u *sqe_io_u(const struct io_uring_sqe *sqe)
{
	return &job.io_u[(uint32_t)sqe->user_data];
}

/* What every SQE of a job has, whatever its opcode. */
static void common(struct io_uring_sqe *want, const struct io_uring_sqe *got)
{
	want->user_data = got->user_data;
	want->flags = ioengine.sqe_flags;
	want->fd = fds[sqe_io_u(got) - job.io_u];
	if (job.o.registerfiles) {
		want->flags |= IOSQE_FIXED_FILE;
		want->fd = 0;
	}
	if (job.o.async_every > 1) {
		/* every Nth: counted, see test_async_every() */
		want->flags &= ~IOSQE_ASYNC;
		want->flags |= got->flags & IOSQE_ASYNC;
		nr_async += !!(got->flags & IOSQE_ASYNC);
	}
}

/* The registered buffer that this memory is all in. */
static unsigned int buffer_of(const char *at, unsigned int len)
{
	unsigned int i;

	for (i = 0; i < kernel.registered; i++) {
		const char *start = kernel.iov[i].iov_base;

		if (start <= at && at + len <= start + kernel.iov[i].iov_len)
			return i;
	}
	fail_msg("%u bytes at %p are in no registered buffer", len, at);
	return 0;
}

static void want_rw(struct io_uring_sqe *want, const struct io_u *io_u,
		    unsigned int i)
{
	const unsigned int len = io_u->xfer_buflen / job.o.split;
	char *buf = (char *)io_u->buf + i * len;
	const uint64_t at = io_u->offset + i * len;
	const int buffer = job.o.fixedbufs ? buffer_of(buf, len) : 0;

	if (io_u->ddir == DDIR_READ && job.o.fixedbufs)
		io_uring_prep_read_fixed(want, 0, buf, len, at, buffer);
	else if (io_u->ddir == DDIR_READ)
		io_uring_prep_read(want, 0, buf, len, at);
	else if (job.o.fixedbufs)
		io_uring_prep_write_fixed(want, 0, buf, len, at, buffer);
	else
		io_uring_prep_write(want, 0, buf, len, at);
	want->ioprio = io_u->ioprio;
}

static void see_rw(const struct io_uring_sqe *got, unsigned int nr)
{
	const struct io_u *io_u = sqe_io_u(got);
	const unsigned int i = request_index(got->user_data);
	struct io_uring_sqe want;

	memset(&want, 0, sizeof(want));
	if (ddir_sync(io_u->ddir)) {
		io_uring_prep_fsync(&want, 0, io_u->ddir == DDIR_DATASYNC ?
				    IORING_FSYNC_DATASYNC : 0);
	} else if (io_u->ddir == DDIR_TRIM) {
		want.opcode = IORING_OP_URING_CMD;
		want.off = _IO(0x12, 0);
		want.addr = io_u->offset + i * (io_u->xfer_buflen / job.o.split);
		set_addr3(&want, io_u->xfer_buflen / job.o.split);
	} else {
		want_rw(&want, io_u, i);
	}
	common(&want, got);
	assert_same(got, &want, sizeof(want), io_u->ddir);
}

/* A 128-byte SQE, the command in its second half. */
static void see_cmd(const struct io_uring_sqe *got, unsigned int nr)
{
	const struct io_u *io_u = sqe_io_u(got);
	const unsigned int i = request_index(got->user_data);
	const unsigned int len = io_u->xfer_buflen / job.o.split;
	const uint64_t slba = (io_u->offset + i * len) >> SECTOR_SHIFT;
	struct io_uring_sqe want[2];
	struct nvme_uring_cmd *cmd = (struct nvme_uring_cmd *)want[0].cmd;

	memset(want, 0, sizeof(want));
	want[0].opcode = IORING_OP_URING_CMD;
	want[0].off = NVME_URING_CMD_IO;
	cmd->nsid = ns.nsid;
	if (ddir_sync(io_u->ddir)) {
		cmd->opcode = 0x00;
	} else if (io_u->ddir == DDIR_TRIM) {
		/* one range, at the end: its memory is the engine's own */
		const uint64_t *range =
			(void *)(uintptr_t)((const struct nvme_uring_cmd *)got->cmd)->addr;

		cmd->opcode = 0x09;
		cmd->cdw11 = 4;
		cmd->addr = (uintptr_t)range;
		cmd->data_len = 16;
		assert_true(range[0] == (uint64_t)(len >> SECTOR_SHIFT) << 32);
		assert_true(range[1] == slba);
	} else {
		cmd->opcode = io_u->ddir == DDIR_READ ? 0x02 : 0x01;
		cmd->cdw10 = slba;
		cmd->cdw11 = slba >> 32;
		cmd->cdw12 = (len >> SECTOR_SHIFT) - 1;
		cmd->addr = (uintptr_t)io_u->buf + i * len;
		cmd->data_len = len;
		if (job.o.fixedbufs) {
			want[0].uring_cmd_flags = 1;
			want[0].buf_index = buffer_of((char *)io_u->buf + i * len, len);
		}
	}
	common(&want[0], got);
	assert_same(got, want, sizeof(want), io_u->ddir);
}

/*
 * I/Os of every kind in every order, round and round the SQ: one here and one
 * there, and many that are alike. Registered buffers are for one size.
 */
static void mix(void)
{
	static const enum fio_ddir kinds[] = {
		DDIR_READ, DDIR_WRITE, DDIR_TRIM, DDIR_SYNC, DDIR_DATASYNC,
	};
	unsigned int seed = 11, round, i, alike = 0, ioprio = 0, bs = 0;
	enum fio_ddir ddir = DDIR_READ;

	memset(seen, 0, sizeof(seen));
	kernel.see = job.ns ? see_cmd : see_rw;
	job.td->o.td_ddir = TD_DDIR_RW;
	assert_int_equal(job_start(), 0);
	/* what target_check() says of trims is not asked */
	job.td->o.td_ddir = TD_DDIR_RW | TD_DDIR_TRIM;
	for (round = 0; round < 2000; round++) {
		const unsigned int n = 1 + rand_r(&seed) % 4;

		for (i = 0; i < n; i++) {
			if (alike-- == 0) {
				alike = rand_r(&seed) % 2 ? rand_r(&seed) % 32 : 0;
				ioprio = rand_r(&seed) % 2 ? 0x4003 : 0;
				ddir = kinds[rand_r(&seed) % 5];
				bs = job.td->o.max_bs[DDIR_READ];
				if (!job.o.fixedbufs && rand_r(&seed) % 4 == 0)
					bs /= 2;
			}
			/* files are closed, and opened elsewhere */
			if (!alike)
				job.file[0].fd = 100 + rand_r(&seed) % 2;
			fds[i] = job.file[0].fd;
			job.io_u[i].ioprio = ioprio;
			assert_int_equal(job_queue(i, ddir,
						   (uint64_t)rand_r(&seed) << 12, bs),
					 FIO_Q_QUEUED);
		}
		assert_int_equal(job_getevents(n, n), n);
		for (i = 0; i < n; i++)
			assert_int_equal(job.io_u[i].error, 0);
	}
	for (i = 0; i < 5; i++)
		assert_true(seen[kinds[i]] > 50);
}

static void test_rw(void **state)
{
	mix();
}

static void test_rw_split(void **state)
{
	job.o.split = 4;
	mix();
}

static void test_rw_window(void **state)
{
	job.o.split = 8;
	job.o.split_depth = 3;
	mix();
}

static void test_rw_registered(void **state)
{
	job.o.split = 4;
	job.o.fixedbufs = job.o.registerfiles = 1;
	mix();
	assert_int_equal(kernel.registered, 4);
}

/* Buffers of a page with two requests each, four an I/O. */
static void test_rw_buffers(void **state)
{
	job.o.split = 8;
	job.o.fixedbufs = 1;
	job_set_bs(4 * JOB_BS);
	mix();
	assert_int_equal(kernel.registered, 16);
}

static void test_rw_large_buffers(void **state)
{
	kernel.last_op = 62;
	job.o.split = 8;
	job.o.fixedbufs = 1;
	job_set_bs(4 * JOB_BS);
	mix();
	assert_int_equal(kernel.registered, 4);
}

static void test_rw_async(void **state)
{
	ioengine.sqe_flags = IOSQE_ASYNC;
	mix();
}

static void test_cmd(void **state)
{
	job.ns = &ns;
	mix();
	assert_true(kernel.params.flags & IORING_SETUP_SQE128);
	assert_true(kernel.params.flags & IORING_SETUP_CQE32);
}

static void test_cmd_registered(void **state)
{
	job.ns = &ns;
	job.o.split = 4;
	job.o.fixedbufs = job.o.registerfiles = 1;
	mix();
}

static void test_cmd_buffers(void **state)
{
	job.ns = &ns;
	job.o.split = 4;
	job.o.fixedbufs = 1;
	job_set_bs(8 * JOB_BS);
	mix();
	assert_int_equal(kernel.registered, 16);
}

static unsigned int cdw12;

static void see_cdw12(const struct io_uring_sqe *sqe, unsigned int nr)
{
	cdw12 = ((const struct nvme_uring_cmd *)sqe->cmd)->cdw12;
}

/* Another namespace may be opened where one was closed. */
static void test_cmd_other_blocks(void **state)
{
	unsigned int i;

	job.ns = &ns;
	kernel.see = see_cdw12;
	assert_int_equal(job_start(), 0);
	for (i = 0; i < 16; i++) {
		if (i == 12)
			job_ring()->targets[0].ns.lba_shift = 12;
		job_read(0, 0);
		assert_int_equal(job_getevents(1, 1), 1);
		assert_int_equal(cdw12, i < 12 ? 7 : 0);
	}
}

static int file_read;

static void see_file(const struct io_uring_sqe *sqe, unsigned int nr)
{
	assert_true(sqe->flags & IOSQE_FIXED_FILE);
	file_read = kernel.files[sqe->fd];
}

static int read_of(unsigned int i)
{
	file_read = -1;
	job.io_u[0].file = &job.file[i];
	job.io_u[0].ddir = DDIR_READ;
	job.io_u[0].xfer_buflen = JOB_BS;
	assert_int_equal(iou_queue(job.td, &job.io_u[0]), FIO_Q_QUEUED);
	assert_int_equal(job_getevents(1, 1), 1);
	return file_read;
}

/* A registered file that was closed and opened again is in its own place. */
static void test_registered_reopened(void **state)
{
	job.td->o.nr_files = job.td->files_index = 2;
	job.o.registerfiles = 1;
	kernel.see = see_file;
	assert_int_equal(job_start(), 0);
	assert_int_equal(read_of(0), 100);
	assert_int_equal(read_of(1), 101);
	assert_int_equal(iou_close_file(job.td, &job.file[1]), 0);
	assert_int_equal(kernel.files[1], -1);
	assert_int_equal(kernel.files[0], 100);
	job.file[1].fd = 107;
	assert_int_equal(iou_open_file(job.td, &job.file[1]), 0);
	assert_int_equal(read_of(1), 107);
	assert_int_equal(read_of(0), 100);
}

static void test_async_every(void **state)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		fds[i] = job.file[0].fd;
	ioengine.sqe_flags = IOSQE_ASYNC;
	job.o.split = 4;
	job.o.async_every = 3;
	nr_async = 0;
	kernel.see = see_rw;
	assert_int_equal(job_start(), 0);
	for (i = 0; i < 75; i++) {
		job_read(i % 4, 0);
		assert_int_equal(job_getevents(1, 1), 1);
	}
	assert_int_equal(kernel.requests, 300);
	assert_int_equal(nr_async, 100);
}

/* Syncs and trims take their turn too. */
static void async_every_of(const struct nvme_namespace *ns)
{
	unsigned int i;

	ioengine.sqe_flags = IOSQE_ASYNC;
	ioengine.required_flags = 0;
	job.ns = ns;
	job.o.split = 4;
	job.o.async_every = 3;
	nr_async = 0;
	kernel.see = ns ? see_cmd : see_rw;
	assert_int_equal(job_start(), 0);
	job.td->o.td_ddir = TD_DDIR_RW | TD_DDIR_TRIM;
	for (i = 0; i < 60; i++) {
		assert_int_equal(job_queue(0, i % 2 ? DDIR_TRIM : DDIR_SYNC, 0, JOB_BS),
				 FIO_Q_QUEUED);
		assert_int_equal(job_getevents(1, 1), 1);
	}
	assert_int_equal(kernel.requests, 150);
	assert_int_equal(nr_async, 50);
}

static void test_async_every_other(void **state)
{
	async_every_of(NULL);
}

static void test_async_every_other_cmd(void **state)
{
	async_every_of(&ns);
}

/* split_offset=random: aligned, inside the job's region, all over it. */
static unsigned int hits[16];

static void hit(uint64_t offset)
{
	const uint64_t region = 64 << 10;

	assert_int_equal(offset % 1024, 0);
	assert_in_range(offset, 1 << 20, (1 << 20) + region - 1024);
	hits[(offset - (1 << 20)) / (region / 16)]++;
}

static void see_random(const struct io_uring_sqe *sqe, unsigned int nr)
{
	hit(sqe->off);
	assert_int_equal(sqe->len, 1024);
}

static void see_random_cmd(const struct io_uring_sqe *sqe, unsigned int nr)
{
	const struct nvme_uring_cmd *cmd = (const struct nvme_uring_cmd *)sqe->cmd;

	hit((cmd->cdw10 | (uint64_t)cmd->cdw11 << 32) << SECTOR_SHIFT);
	assert_int_equal(cmd->cdw12, 1);
}

static void random_offsets(void (*see)(const struct io_uring_sqe *, unsigned int))
{
	unsigned int i;

	memset(hits, 0, sizeof(hits));
	job.o.split = 4;
	job.o.split_offset = SPLIT_RANDOM;
	job.td->o.td_ddir = TD_DDIR_READ;
	job.file[0].file_offset = 1 << 20;
	job.file[0].io_size = 64 << 10;
	job.file[0].real_file_size = 2 << 20;
	kernel.see = see;
	assert_int_equal(job_start(), 0);
	for (i = 0; i < 800; i++) {
		job_read(i % 4, 1 << 20);
		assert_int_equal(job_getevents(1, 1), 1);
	}
	/* 3200 draws over 16: 200 each, 6 sigma aside */
	for (i = 0; i < 16; i++)
		assert_in_range(hits[i], 115, 285);
}

static void test_random(void **state)
{
	random_offsets(see_random);
}

static void test_random_cmd(void **state)
{
	job.ns = &ns;
	random_offsets(see_random_cmd);
}

/* The windows of an I/O share the first one's memory, and its buffers. */
static unsigned int places[16];

static void see_place(const struct io_uring_sqe *sqe, unsigned int nr)
{
	const struct nvme_uring_cmd *cmd = (const struct nvme_uring_cmd *)sqe->cmd;
	const struct io_u *io_u = sqe_io_u(sqe);
	const unsigned int i = request_index(sqe->user_data);
	const uint64_t addr = job.ns ? cmd->addr : sqe->addr;

	assert_true(addr == (uintptr_t)io_u->buf + i % 3 * (JOB_BS / 16));
	assert_int_equal(sqe->buf_index,
			 buffer_of((void *)(uintptr_t)addr, JOB_BS / 16));
	places[i]++;
}

static void windows_share(const struct nvme_namespace *on)
{
	unsigned int i;

	memset(places, 0, sizeof(places));
	job.ns = on;
	job.o.split = 16;
	job.o.split_depth = 3;
	job.o.split_offset = SPLIT_RANDOM;
	job.o.fixedbufs = 1;
	job.td->o.td_ddir = TD_DDIR_READ;
	kernel.see = see_place;
	/* they come back one by one, so that windows do not begin together */
	kernel.complete = 1;
	assert_int_equal(job_start(), 0);
	assert_int_equal(kernel.registered, 4);
	assert_int_equal(kernel.iov[0].iov_len, 3 * JOB_BS / 16);
	for (i = 0; i < 20; i++) {
		job_read(i % 4, 0);
		assert_int_equal(job_getevents(1, 1), 1);
	}
	for (i = 0; i < 16; i++)
		assert_int_equal(places[i], 20);
}

static void test_windows_share(void **state)
{
	windows_share(NULL);
}

static void test_windows_share_cmd(void **state)
{
	static const struct nvme_namespace bytes256 = { .nsid = 3, .lba_shift = 8 };

	windows_share(&bytes256);
}

static uint64_t drawn[2][64];
static unsigned int run;

static void see_draw(const struct io_uring_sqe *sqe, unsigned int nr)
{
	drawn[run][nr % 64] = sqe->off;
}

static void draw(unsigned int seed)
{
	unsigned int i;

	job.o.split = 4;
	job.o.split_offset = SPLIT_RANDOM;
	job.td->o.td_ddir = TD_DDIR_READ;
	job.td->rand_seeds[FIO_RAND_BLOCK_OFF] = seed;
	kernel.see = see_draw;
	assert_int_equal(job_start(), 0);
	for (i = 0; i < 16; i++) {
		job_read(0, 0);
		assert_int_equal(job_getevents(1, 1), 1);
	}
	assert_int_equal(job_teardown(NULL), 0);
	assert_int_equal(job_setup(NULL), 0);
	run++;
}

/* The job's seed decides: the same again, and another with another. */
static void test_random_repeats(void **state)
{
	run = 0;
	draw(5);
	draw(5);
	assert_memory_equal(drawn[0], drawn[1], sizeof(drawn[0]));
	run = 1;
	draw(6);
	assert_memory_not_equal(drawn[0], drawn[1], sizeof(drawn[0]));
}

/* No-ops: the opcode, its flags, and nothing else but whose it is. */
static void see_noop(const struct io_uring_sqe *got, unsigned int nr)
{
	struct io_uring_sqe want;

	memset(&want, 0, sizeof(want));
	want.opcode = IORING_OP_NOP;
	want.flags = ioengine.sqe_flags;
	/* nop_flags of linux/io_uring.h: TW, FIXED_BUFFER, FIXED_FILE, FILE, INJECT_RESULT */
	want.rw_flags = (job.o.tw ? 1 << 4 : 0) |
		(job.o.fixedbufs ? 1 << 3 : 0) |
		(job.o.registerfiles ? 1 << 2 | 1 << 1 : 0) |
		(job.o.fixedbufs || job.o.registerfiles ? 1 : 0);
	want.user_data = got->user_data;
	assert_same(got, &want, sizeof(want), DDIR_READ);
}

static void noops(unsigned int split, unsigned int window)
{
	unsigned int round, i;

	ioengine.no_file = true;
	job.o.split = split;
	job.o.split_depth = window;
	assert_int_equal(job_start(), 0);
	kernel.see = see_noop;
	memset(seen, 0, sizeof(seen));
	for (round = 0; round < 20; round++) {
		for (i = 0; i < 4; i++)
			job_read(i, i * JOB_BS);
		assert_int_equal(job_getevents(4, 4), 4);
	}
	assert_int_equal(seen[DDIR_READ], 80 * split);
}

static void test_noop(void **state)
{
	noops(1, 0);
}

static void test_noop_blocks(void **state)
{
	noops(8, 0);
}

static void test_noop_window(void **state)
{
	noops(8, 2);
}

static void test_noop_tw(void **state)
{
	job.o.tw = 1;
	ioengine.ring_ready = nop_ready;
	noops(8, 0);
	/* and the trial of it left nothing behind */
	assert_int_equal(job_ring()->c.requests, 80 * 8);
}

static void test_noop_tw_one(void **state)
{
	job.o.tw = 1;
	ioengine.ring_ready = nop_ready;
	noops(8, 1);
}

static void test_noop_file_and_buffer(void **state)
{
	job.o.fixedbufs = job.o.registerfiles = 1;
	ioengine.ring_ready = nop_ready;
	noops(8, 2);
	assert_int_equal(kernel.registered, 1);
	assert_int_equal(job_ring()->c.requests, 80 * 8);
}

static void test_noop_file(void **state)
{
	job.o.registerfiles = 1;
	ioengine.ring_ready = nop_ready;
	noops(8, 0);
	assert_int_equal(kernel.registered, 0);
}

int main(void)
{
#define TEST(fn)	cmocka_unit_test_setup_teardown(fn, job_setup, job_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_rw),
		TEST(test_rw_split),
		TEST(test_rw_window),
		TEST(test_rw_registered),
		TEST(test_rw_buffers),
		TEST(test_rw_large_buffers),
		TEST(test_rw_async),
		TEST(test_cmd),
		TEST(test_cmd_registered),
		TEST(test_cmd_buffers),
		TEST(test_cmd_other_blocks),
		TEST(test_registered_reopened),
		TEST(test_async_every),
		TEST(test_async_every_other),
		TEST(test_async_every_other_cmd),
		TEST(test_random),
		TEST(test_random_cmd),
		TEST(test_windows_share),
		TEST(test_windows_share_cmd),
		TEST(test_random_repeats),
		TEST(test_noop),
		TEST(test_noop_blocks),
		TEST(test_noop_window),
		TEST(test_noop_tw),
		TEST(test_noop_tw_one),
		TEST(test_noop_file_and_buffer),
		TEST(test_noop_file),
	};

	return cmocka_run_group_tests_name("sqe", tests, NULL, NULL);
}
