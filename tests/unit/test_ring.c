// SPDX-License-Identifier: GPL-2.0
/* The way of an I/O: cut, submitted, waited for, its results put together. */
#include "fake-job.h"

static void go(void)
{
	assert_int_equal(job_start(), 0);
	assert_string_equal(stub_log, "");
}

static void test_all_well(void **state)
{
	unsigned int i;

	go();
	for (i = 0; i < 4; i++)
		job_read(i, i * JOB_BS);
	assert_int_equal(iou_commit(job.td), 0);
	assert_int_equal(kernel.requests, 4);
	assert_int_equal(kernel.enters, 1);
	assert_int_equal(stub_submitted, 4);
	assert_int_equal(job_getevents(4, 4), 4);
	for (i = 0; i < 4; i++) {
		assert_int_equal(job_event(i), i);
		assert_int_equal(job.io_u[i].error, 0);
		assert_int_equal(job.io_u[i].resid, 0);
	}
	assert_int_equal(job_ring()->c.requests, 4);
	assert_int_equal(job_ring()->c.completions, 4);
	assert_int_equal(job_ring()->c.errors, 0);
}

/* Without latencies (gtod_reduce) nothing is stamped. */
static void test_no_stamps(void **state)
{
	job.td->o.disable_clat = job.td->o.disable_slat = 1;
	job.td->o.disable_bw = 1;
	go();
	job_read(0, 0);
	assert_int_equal(job_getevents(1, 1), 1);
	assert_int_equal(stub_queued, 0);
	assert_int_equal(stub_submitted, 1);
}

/* Latencies: each I/O is stamped once, when the kernel has it. */
static void stamps(bool submit_wait)
{
	unsigned int i;

	job.o.submit_wait = submit_wait;
	go();
	for (i = 0; i < 4; i++)
		job_read(i, 0);
	assert_int_equal(iou_commit(job.td), 0);
	assert_int_equal(stub_queued, submit_wait ? 0 : 4);
	assert_int_equal(job_getevents(1, 4), 1);
	assert_int_equal(stub_queued, 4);
	assert_int_equal(stub_submitted, 4);
	for (i = 0; i < 4; i++)
		assert_true(job.io_u[i].issue_time.tv_sec ||
			    job.io_u[i].issue_time.tv_nsec);
}

static void test_stamps(void **state)
{
	stamps(false);
}

static void test_stamps_submit_wait(void **state)
{
	stamps(true);
}

/* The batch is held, then one enter does it all. */
static void test_submit_wait(void **state)
{
	unsigned int i;

	job.o.submit_wait = 1;
	job.o.split = 4;
	go();
	for (i = 0; i < 4; i++)
		job_read(i, 0);
	assert_int_equal(iou_commit(job.td), 0);
	assert_int_equal(kernel.enters, 0);
	assert_int_equal(job_getevents(4, 4), 4);
	assert_int_equal(kernel.enters, 1);
	assert_int_equal(kernel.requests, 16);
}

static int answer;

static int give(const struct io_uring_sqe *sqe)
{
	return answer;
}

/* Less than asked for: fio goes on from there. */
static void test_short(void **state)
{
	answer = 512;
	kernel.result = give;
	go();
	job_read(0, 0);
	assert_int_equal(job_getevents(1, 1), 1);
	assert_int_equal(job.io_u[0].error, 0);
	assert_int_equal(job.io_u[0].resid, JOB_BS - 512);
}

static void test_end_of_file(void **state)
{
	answer = 0;
	kernel.result = give;
	go();
	job_read(0, 0);
	assert_int_equal(job_getevents(1, 1), 1);
	/* as an I/O of no bytes it would count as one that went well */
	assert_int_equal(job.io_u[0].error, EIO);
	assert_int_equal(job_ring()->c.errors, 1);
}

/* Where one of many came short there is no "from there". */
static void test_short_split(void **state)
{
	answer = 512;
	kernel.result = give;
	job.o.split = 4;
	go();
	job_read(0, 0);
	assert_int_equal(job_getevents(1, 1), 1);
	assert_int_equal(job.io_u[0].error, EIO);
	assert_int_equal(job.io_u[0].resid, 0);
	assert_int_equal(job_ring()->c.errors, 4);
}

static unsigned int nth, bad_one;

static int bad_at_nth(const struct io_uring_sqe *sqe)
{
	return nth++ == bad_one ? answer : (int)sqe->len;
}

/* One request fails: its I/O does, with that error, and no other. */
static void test_error(void **state)
{
	unsigned int i;

	nth = 0;
	bad_one = 9;
	answer = -ENODATA;
	kernel.result = bad_at_nth;
	job.o.split = 4;
	go();
	for (i = 0; i < 4; i++)
		job_read(i, 0);
	assert_int_equal(job_getevents(4, 4), 4);
	for (i = 0; i < 4; i++)
		assert_int_equal(job.io_u[i].error, i == 2 ? ENODATA : 0);
	assert_int_equal(job_ring()->c.errors, 1);
}

static int errors_in_turn(const struct io_uring_sqe *sqe)
{
	static const int errors[] = { 1024, -EIO, -ENODATA, -EINVAL };

	return errors[nth++ % 4];
}

static void test_first_error(void **state)
{
	nth = 0;
	kernel.result = errors_in_turn;
	job.o.split = 4;
	go();
	job_read(0, 0);
	assert_int_equal(job_getevents(1, 1), 1);
	assert_int_equal(job.io_u[0].error, EIO);
	assert_int_equal(job_ring()->c.errors, 3);
}

/* EAGAIN: written again once per completion, until it is well or another. */
static void test_eagain(void **state)
{
	nth = 0;
	bad_one = 5;
	answer = -EAGAIN;
	kernel.result = bad_at_nth;
	job.o.split = 4;
	go();
	job_read(0, 0);
	job_read(1, JOB_BS);
	assert_int_equal(job_getevents(2, 2), 2);
	assert_int_equal(kernel.requests, 9);
	assert_int_equal(job_ring()->c.eagain, 1);
	assert_int_equal(job_ring()->c.errors, 0);
	assert_int_equal(job.io_u[0].error, 0);
	assert_int_equal(job.io_u[1].error, 0);
	assert_int_equal(job_ring()->inflight, 0);
}

/* Passthrough: a positive result is the device's status, a negative an errno. */
static void test_nvme_status(void **state)
{
	static const struct nvme_namespace ns = { .nsid = 1, .lba_shift = 9 };

	job.ns = &ns;
	job.o.split = 4;
	kernel.result = bad_at_nth;
	nth = bad_one = 0;
	answer = 0x4281;	/* media: unrecovered read error, do not retry */
	go();
	job_read(0, 0);
	assert_int_equal(job_getevents(1, 1), 1);
	assert_int_equal(job.io_u[0].error, nvme_errno(answer));
	assert_non_null(strstr(job_errdetails(0), "sct 0x2, sc 0x81"));
	/* said once */
	assert_null(strstr(job_errdetails(0), "NVMe"));
}

static int well(const struct io_uring_sqe *sqe)
{
	return 0;
}

/* A status that fio did not ask for is not told of the next I/O in its place. */
static void test_nvme_status_stale(void **state)
{
	static const struct nvme_namespace ns = { .nsid = 1, .lba_shift = 9 };

	job.ns = &ns;
	kernel.result = give;
	answer = 0x4281;
	go();
	job_read(0, 0);
	assert_int_equal(job_getevents(1, 1), 1);
	answer = -ENODEV;
	job_read(0, 0);
	assert_int_equal(job_getevents(1, 1), 1);
	assert_int_equal(job.io_u[0].error, ENODEV);
	assert_null(strstr(job_errdetails(0), "NVMe"));
	kernel.result = well;
	job_read(0, 0);
	assert_int_equal(job_getevents(1, 1), 1);
	assert_int_equal(job.io_u[0].error, 0);
}

/* It is that request which is made again, not another of its I/O. */
static unsigned int asked[4];

static void see_asked(const struct io_uring_sqe *sqe, unsigned int nr)
{
	assert_in_range(sqe->off, 0, JOB_BS - 1);
	assert_int_equal(sqe->addr, (uintptr_t)job.io_u[0].buf + sqe->off);
	asked[sqe->off / (JOB_BS / 4)]++;
}

static void test_eagain_which(void **state)
{
	unsigned int i;

	for (bad_one = 0; bad_one < 4; bad_one++) {
		memset(asked, 0, sizeof(asked));
		nth = 0;
		answer = -EAGAIN;
		kernel.result = bad_at_nth;
		kernel.see = see_asked;
		job.o.split = 4;
		go();
		job_read(0, 0);
		assert_int_equal(job_getevents(1, 1), 1);
		for (i = 0; i < 4; i++)
			assert_int_equal(asked[i], i == bad_one ? 2 : 1);
		assert_int_equal(job_teardown(NULL), 0);
		assert_int_equal(job_setup(NULL), 0);
	}
}

static uint64_t retried[16];
static unsigned int nr_retried;

static void see_offset(const struct io_uring_sqe *sqe, unsigned int nr)
{
	retried[nr_retried++ % 16] = sqe->off;
}

static int eagain_thrice(const struct io_uring_sqe *sqe)
{
	return nth++ < 3 ? -EAGAIN : (int)sqe->len;
}

static void test_eagain_again(void **state)
{
	unsigned int i;

	nth = nr_retried = 0;
	kernel.result = eagain_thrice;
	kernel.see = see_offset;
	go();
	job_read(0, 8192);
	assert_int_equal(job_getevents(1, 1), 1);
	assert_int_equal(kernel.requests, 4);
	for (i = 0; i < 4; i++)
		assert_int_equal(retried[i], 8192);
	assert_int_equal(job_ring()->c.eagain, 3);
}

/* split_depth: never more in flight, every request once. */
static bool part_seen[32];

static void see_part(const struct io_uring_sqe *sqe, unsigned int nr)
{
	unsigned int part = sqe->off / 128;

	assert_in_range(part, 0, 31);
	assert_false(part_seen[part]);
	part_seen[part] = true;
	assert_int_equal(sqe->len, 128);
	assert_int_equal(sqe->addr, (uintptr_t)job.io_u[0].buf + part * 128);
	/* of this one I/O: what was taken and is not complete */
	assert_in_range(kernel.inflight, 0, job.o.split_depth - 1);
}

static void window_of(unsigned int depth)
{
	unsigned int i;

	memset(part_seen, 0, sizeof(part_seen));
	job.o.split = 32;
	job.o.split_depth = depth;
	kernel.see = see_part;
	go();
	job_read(0, 0);
	assert_int_equal(job_getevents(1, 1), 1);
	for (i = 0; i < 32; i++)
		assert_true(part_seen[i]);
	/* all of it is used, where the kernel takes all that it is given */
	if (!kernel.seed)
		assert_int_equal(kernel.max_inflight, depth);
	assert_int_equal(job.io_u[0].error, 0);
}

static void test_window(void **state)
{
	window_of(4);
}

static void test_window_one(void **state)
{
	window_of(1);
}

static void test_window_odd(void **state)
{
	window_of(7);
}

static void test_window_any_order(void **state)
{
	unsigned int seed = 3;

	kernel.seed = &seed;
	window_of(7);
}

/*
 * What was reaped together does not go in together: iodepth_batch= I/Os' worth
 * at once, and the whole depth is in flight before anyone waits.
 */
static void batches_of(unsigned int iodepth_batch, unsigned int most)
{
	unsigned int i, done;

	job.o.split = 32;
	job.o.split_depth = 4;
	job.o.submit_wait = 1;
	job.td->o.iodepth = 4;
	job.td->o.iodepth_batch = iodepth_batch;
	go();
	for (i = 0; i < 4; i++)
		job_read(i, i * 4096);
	for (done = 0; done < 40; done++) {
		assert_int_equal(job_getevents(1, 1), 1);
		job_read(job_event(0), 0);
	}
	assert_int_equal(kernel.max_submit, most);
	if (!kernel.complete)
		assert_int_equal(kernel.max_inflight, 16);
	assert_int_equal(job_getevents(4, 4), 4);
	assert_int_equal(job_ring()->inflight, 0);
}

static void test_window_batch(void **state)
{
	batches_of(1, 4);
}

static void test_window_batch_of_two(void **state)
{
	batches_of(2, 8);
}

/* One more completes than was waited for: it goes in with the next batch. */
static void test_window_rest(void **state)
{
	kernel.complete = 1;
	batches_of(1, 4);
	assert_in_range(kernel.enters, kernel.requests / 4, kernel.requests / 4 + 6);
}

static int eagain_every_third(const struct io_uring_sqe *sqe)
{
	return nth++ % 3 ? (int)sqe->len : -EAGAIN;
}

static void see_window(const struct io_uring_sqe *sqe, unsigned int nr)
{
	assert_in_range(kernel.inflight, 0, job.o.split_depth - 1);
}

static void test_window_eagain(void **state)
{
	nth = 0;
	job.o.split = 32;
	job.o.split_depth = 4;
	kernel.result = eagain_every_third;
	kernel.see = see_window;
	go();
	job_read(0, 0);
	assert_int_equal(job_getevents(1, 1), 1);
	assert_int_equal(kernel.requests, 32 + job_ring()->c.eagain);
	assert_true(job_ring()->c.eagain >= 15);
	assert_int_equal(job.io_u[0].error, 0);
}

/* Events come in the order in which I/Os became whole. */
static void test_order(void **state)
{
	static const unsigned int order[] = { 3, 0, 2, 1 };
	unsigned int i, round;

	go();
	for (round = 0; round < 100; round++) {
		for (i = 0; i < 4; i++)
			job_read(order[(i + round) % 4], 0);
		kernel.complete = 4;
		assert_int_equal(iou_commit(job.td), 0);
		assert_int_equal(job_getevents(1, 3), 3);
		for (i = 0; i < 3; i++)
			assert_int_equal(job_event(i), order[(i + round) % 4]);
		assert_int_equal(job_getevents(1, 3), 1);
		assert_int_equal(job_event(0), order[(3 + round) % 4]);
	}
}

/* An enter that did not work out is tried again; its I/Os are not lost. */
static void test_enter_again(void **state)
{
	static const int errors[] = { -EINTR, -EAGAIN, -EBUSY, -ETIME, 0 };

	kernel.enter_errors = errors;
	kernel.take = 3;
	job.o.split = 4;
	go();
	job_read(0, 0);
	job_read(1, 0);
	assert_int_equal(iou_commit(job.td), 0);
	assert_int_equal(kernel.requests, 8);
	assert_int_equal(kernel.enters, 4 + 3);
	assert_int_equal(job_ring()->c.eagain, 2);
	assert_int_equal(job_getevents(2, 2), 2);
	assert_int_equal(stub_submitted, 2);
}

/* EBUSY: nothing goes in before completions have come out. */
static void test_enter_busy(void **state)
{
	kernel.busy = true;
	kernel.complete = 2;
	go();
	job_read(0, 0);
	job_read(1, 0);
	assert_int_equal(iou_commit(job.td), 0);
	job_read(2, 0);
	job_read(3, 0);
	assert_int_equal(iou_commit(job.td), 0);
	assert_int_equal(kernel.requests, 4);
	assert_int_equal(job_ring()->c.eagain, 1);
	assert_int_equal(job_getevents(4, 4), 4);
}

static void test_enter_fails(void **state)
{
	static const int errors[] = { -EBADF, 0 };

	kernel.enter_errors = errors;
	go();
	job_read(0, 0);
	assert_int_equal(iou_commit(job.td), -EBADF);
	assert_int_equal(job.td->error, EBADF);
	assert_says("iou_test: io_uring_enter: Bad file descriptor");
	/* fio asks for what is in flight, again and again: that is said once */
	stub_log_clear();
	kernel.enter_errors = errors;
	assert_int_equal(job_getevents(1, 1), -EBADF);
	assert_string_equal(stub_log, "");
}

/* Not "File exists", which is what the kernel's errno says. */
static void test_other_thread(void **state)
{
	static const int errors[] = { -EEXIST, 0 };

	kernel.enter_errors = errors;
	go();
	job_read(0, 0);
	assert_int_equal(job_getevents(1, 1), -EEXIST);
	assert_says("ring used outside its thread");
}

/* A look without a wait: enters only where completions need it. */
static void peek(unsigned int flags, unsigned int enters)
{
	ioengine.required_flags = flags;
	go();
	job_read(0, 0);
	assert_int_equal(iou_commit(job.td), 0);
	kernel.enters = kernel.waits = 0;
	assert_int_equal(job_getevents(0, 4), 0);
	assert_int_equal(kernel.enters, enters);
	kernel.complete = 1;
	assert_int_equal(job_getevents(0, 4), enters);
	assert_int_equal(kernel.waits, 0);
}

static void test_peek(void **state)
{
	peek(0, 0);
}

static void test_peek_deferred(void **state)
{
	peek(IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN, 1);
	assert_true(kernel.enter_flags & IORING_ENTER_GETEVENTS);
}

/* Nothing is in flight: a look must not wait for ever. */
static void test_peek_idle(void **state)
{
	job.o.submit_wait = 1;
	go();
	assert_int_equal(job_getevents(0, 4), 0);
	assert_int_equal(iou_commit(job.td), 0);
	assert_int_equal(kernel.enters, 0);
}

static void test_min_wait(void **state)
{
	static const int over[] = { -ETIME, 0 };

	kernel.features = IORING_FEAT_MIN_TIMEOUT;
	job.o.min_wait = 150;
	go();
	job_read(0, 0);
	job_read(1, 0);
	job_read(2, 0);
	assert_int_equal(iou_commit(job.td), 0);
	assert_int_equal(job_getevents(1, 3), 3);
	assert_int_equal(kernel.min_wait_usec, 150);
	/* else the kernel comes back after that time with nothing */
	assert_true(kernel.wait_has_end);
	/* never for more than is in flight: the fake kernel checks it */
	job_read(0, 0);
	assert_int_equal(job_getevents(1, 4), 1);
	/* the time has passed: what is still missing is waited for without one */
	kernel.enter_errors = over;
	job_read(0, 0);
	assert_int_equal(job_getevents(1, 4), 1);
	assert_int_equal(kernel.min_wait_usec, 0);
	kernel.enter_errors = NULL;
	job_read(0, 0);
	assert_int_equal(job_getevents(1, 4), 1);
	assert_int_equal(kernel.min_wait_usec, 150);
}

/* What a path cannot do fails at once, and is never seen by the kernel. */
static void cannot(enum fio_ddir ddir, unsigned int len, int error)
{
	stub_log_clear();
	assert_int_equal(job_queue(0, ddir, 0, len), FIO_Q_COMPLETED);
	assert_int_equal(job.io_u[0].error, error);
	assert_says("iou_test: /proc/self/exe: ");
	assert_int_equal(iou_commit(job.td), 0);
	assert_int_equal(job_ring()->tail, 0);
}

static void test_cannot_cut(void **state)
{
	job.o.split = 4;
	go();
	cannot(DDIR_READ, JOB_BS - 1, EINVAL);
	cannot(DDIR_SYNC_FILE_RANGE, 0, EOPNOTSUPP);
}

/* Passthrough would do it, to other bytes. */
static void test_cannot_round(void **state)
{
	static const struct nvme_namespace ns = { .nsid = 1, .lba_shift = 12 };

	job.ns = &ns;
	go();
	cannot(DDIR_READ, 512, EINVAL);
	cannot(DDIR_WRITE, 4096 + 512, EINVAL);
	assert_int_equal(job_queue(0, DDIR_READ, 512, 4096), FIO_Q_COMPLETED);
	assert_int_equal(job.io_u[0].error, EINVAL);
	assert_int_equal(job_queue(0, DDIR_READ, 4096, 4096), FIO_Q_QUEUED);
	/* a flush has neither */
	assert_int_equal(job_queue(1, DDIR_SYNC, 512, 0), FIO_Q_QUEUED);
	/* trim_backlog= trims in a job that began without */
	job.td->o.td_ddir |= TD_DDIR_TRIM;
	assert_int_equal(job_queue(2, DDIR_TRIM, 8192, 4096), FIO_Q_QUEUED);
	assert_int_equal(job_getevents(3, 3), 3);
}

static void test_cannot_sync_noop(void **state)
{
	ioengine.no_file = true;
	go();
	cannot(DDIR_SYNC, 0, EOPNOTSUPP);
	cannot(DDIR_DATASYNC, 0, EOPNOTSUPP);
}

static void test_request_ids(void **state)
{
	struct ring *r;
	unsigned int i, k;

	job.td->o.iodepth = JOB_DEPTH;
	job.o.split = 32;
	go();
	r = job_ring();
	for (i = 0; i < JOB_DEPTH; i++)
		for (k = 0; k < 32; k++) {
			uint64_t id = request_id(r, &r->slots[i], k);

			assert_ptr_equal(request_slot(r, id), &r->slots[i]);
			assert_int_equal(request_index(id), k);
		}
}

static void test_histogram(void **state)
{
	const struct ring_counters *c;
	uint64_t reaps = 0;
	unsigned int i, n;

	job.td->o.iodepth = JOB_DEPTH;
	go();
	for (n = 1; n <= JOB_DEPTH; n++) {
		for (i = 0; i < n; i++)
			job_read(i, 0);
		assert_int_equal(job_getevents(n, n), n);
	}
	c = &job_ring()->c;
	assert_int_equal(c->reaps, JOB_DEPTH);
	assert_int_equal(c->completions, JOB_DEPTH * (JOB_DEPTH + 1) / 2);
	for (i = 0; i < RING_LOG2_BUCKETS; i++) {
		/* 1, 2-3, 4-7, ... 32-63, 64 */
		assert_int_equal(c->log2[i], i < 6 ? 1U << i : i == 6);
		reaps += c->log2[i];
	}
	assert_int_equal(reaps, c->reaps);
}

/*
 * Any job, on a kernel that takes, completes and refuses as it likes: every
 * I/O ends, once, with the result that its requests had.
 */
static bool expect_error[JOB_DEPTH];
static unsigned int *chaos_seed;

static int chaos(const struct io_uring_sqe *sqe)
{
	const uint64_t at = sqe->addr - (uintptr_t)job.buf;

	switch (rand_r(chaos_seed) % 64) {
	case 0:
	case 1:
		return -EAGAIN;
	case 2:
		expect_error[at / JOB_MAX_BS] = true;
		return -EIO;
	default:
		return sqe->len;
	}
}

static void run_any(unsigned int seed, unsigned int flags)
{
	bool busy[JOB_DEPTH] = { 0 };
	unsigned int inflight = 0, done = 0, issued = 0;

	kernel.seed = chaos_seed = &seed;
	kernel.result = chaos;
	ioengine.required_flags = flags;
	job.td->o.iodepth = 1 + rand_r(&seed) % 20;
	job.o.split = 1U << rand_r(&seed) % 6;
	job.o.split_depth = rand_r(&seed) % (job.o.split + 1);
	job.o.submit_wait = rand_r(&seed) % 2;
	memset(expect_error, 0, sizeof(expect_error));
	go();
	while (done < 400) {
		unsigned int i, min;
		int n, e;

		for (i = 0; i < job.td->o.iodepth; i++) {
			if (busy[i] || issued == 400 || rand_r(&seed) % 4 == 0)
				continue;
			job_read(i, 0);
			busy[i] = true;
			inflight++;
			issued++;
		}
		if (rand_r(&seed) % 2)
			assert_int_equal(iou_commit(job.td), 0);
		min = inflight ? rand_r(&seed) % (inflight + 1) : 0;
		n = job_getevents(min, inflight);
		assert_in_range(n, min, inflight);
		for (e = 0; e < n; e++) {
			i = job_event(e);
			assert_true(busy[i]);
			assert_int_equal(job.io_u[i].error, expect_error[i] ? EIO : 0);
			busy[i] = expect_error[i] = false;
		}
		inflight -= n;
		done += n;
	}
	assert_int_equal(job_ring()->inflight, 0);
	assert_int_equal(job_ring()->c.requests,
			 400 * job.o.split + job_ring()->c.eagain);
}

static void any(unsigned int flags)
{
	unsigned int seed;

	for (seed = 1; seed <= 60; seed++) {
		if (seed > 1) {
			assert_int_equal(job_teardown(NULL), 0);
			assert_int_equal(job_setup(NULL), 0);
		}
		run_any(seed * 7919, flags);
	}
}

static void test_any(void **state)
{
	any(0);
}

static void test_any_deferred(void **state)
{
	any(IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN);
}

/* No-ops complete in the order in which they went in; some may fail. */
static unsigned int noops_failed;

static int noop_result(const struct io_uring_sqe *sqe)
{
	if (rand_r(chaos_seed) % 50)
		return 0;
	noops_failed++;
	return -ECANCELED;
}

static void be_noops(unsigned int split, unsigned int window)
{
	unsigned int ddir;

	ioengine.no_file = true;
	job.o.split = split;
	job.o.split_depth = window;
	for (ddir = 0; ddir < DDIR_RWDIR_CNT; ddir++)
		job.td->o.min_bs[ddir] = job.td->o.max_bs[ddir] = split * 32;
}

static void queue_noop(unsigned int i)
{
	assert_int_equal(job_queue(i, DDIR_READ, 0, job.o.split * 32), FIO_Q_QUEUED);
}

static void run_noops(unsigned int depth, unsigned int split, unsigned int window)
{
	unsigned int seed = depth * 977 + split * 31 + window, done, i;
	unsigned int failed = 0;

	be_noops(split, window);
	job.td->o.iodepth = depth;
	job.o.submit_wait = seed % 2;
	chaos_seed = &seed;
	noops_failed = 0;
	kernel.result = noop_result;
	go();
	for (i = 0; i < depth; i++)
		queue_noop(i);
	for (done = 0; done < 500; ) {
		unsigned int ids[JOB_DEPTH];
		int n, e;

		kernel.take = rand_r(&seed) % 8;
		kernel.complete = rand_r(&seed) % 8;
		n = job_getevents(1, 1 + rand_r(&seed) % depth);
		assert_in_range(n, 1, depth);
		for (e = 0; e < n; e++)
			ids[e] = job_event(e);
		for (e = 0; e < n; e++) {
			assert_int_equal(ids[e], done++ % depth);
			failed += !!job.io_u[ids[e]].error;
			queue_noop(ids[e]);
		}
	}
	/* all that is left; then every failed one is in its I/O's error */
	assert_int_equal(job_getevents(depth, depth), depth);
	for (i = 0; i < depth; i++)
		failed += !!job.io_u[i].error;
	assert_int_equal(job_ring()->c.errors, noops_failed);
	assert_in_range(failed, 1, noops_failed);
	assert_int_equal(job_ring()->inflight, 0);
}

/* Nothing asks for patience with a no-op: EAGAIN is an error as any other. */
static void noop_eagain(unsigned int split, unsigned int window)
{
	answer = -EAGAIN;
	kernel.result = give;
	be_noops(split, window);
	go();
	queue_noop(0);
	queue_noop(1);
	assert_int_equal(job_getevents(2, 2), 2);
	assert_int_equal(job.io_u[0].error, EAGAIN);
	assert_int_equal(job.io_u[1].error, EAGAIN);
	assert_int_equal(kernel.requests, 2 * split);
	assert_int_equal(job_teardown(NULL), 0);
	assert_int_equal(job_setup(NULL), 0);
}

static void test_noop_eagain(void **state)
{
	noop_eagain(1, 0);
	noop_eagain(8, 0);
	noop_eagain(8, 1);
	noop_eagain(8, 4);
	noop_eagain(3, 0);
}

static void test_noops(void **state)
{
	static const unsigned int depths[] = { 1, 2, 3, 8, 13 };
	static const unsigned int splits[][2] = {
		{ 1, 0 }, { 2, 0 }, { 32, 0 }, { 32, 1 }, { 32, 4 }, { 8, 3 },
		{ 3, 0 }, { 3, 1 }, { 16, 16 }, { 48, 16 }, { 24, 8 },
	};
	unsigned int i, k;

	for (i = 0; i < 5; i++)
		for (k = 0; k < sizeof(splits) / sizeof(splits[0]); k++) {
			run_noops(depths[i], splits[k][0], splits[k][1]);
			assert_int_equal(job_teardown(NULL), 0);
			assert_int_equal(job_setup(NULL), 0);
		}
}

int main(void)
{
#define TEST(fn)	cmocka_unit_test_setup_teardown(fn, job_setup, job_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_all_well),
		TEST(test_no_stamps),
		TEST(test_stamps),
		TEST(test_stamps_submit_wait),
		TEST(test_submit_wait),
		TEST(test_short),
		TEST(test_end_of_file),
		TEST(test_short_split),
		TEST(test_error),
		TEST(test_first_error),
		TEST(test_nvme_status),
		TEST(test_nvme_status_stale),
		TEST(test_eagain),
		TEST(test_eagain_which),
		TEST(test_eagain_again),
		TEST(test_window),
		TEST(test_window_one),
		TEST(test_window_odd),
		TEST(test_window_any_order),
		TEST(test_window_batch),
		TEST(test_window_batch_of_two),
		TEST(test_window_rest),
		TEST(test_window_eagain),
		TEST(test_order),
		TEST(test_enter_again),
		TEST(test_enter_busy),
		TEST(test_enter_fails),
		TEST(test_other_thread),
		TEST(test_peek),
		TEST(test_peek_deferred),
		TEST(test_peek_idle),
		TEST(test_min_wait),
		TEST(test_cannot_cut),
		TEST(test_cannot_round),
		TEST(test_cannot_sync_noop),
		TEST(test_request_ids),
		TEST(test_histogram),
		TEST(test_any),
		TEST(test_any_deferred),
		TEST(test_noops),
		TEST(test_noop_eagain),
	};

	return cmocka_run_group_tests_name("ring", tests, NULL, NULL);
}
