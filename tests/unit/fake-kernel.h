/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A kernel for rings that answers as a test wants: it takes SQEs, posts CQEs,
 * refuses what it is told to, and fails the test where a real one would hang
 * or see something that it must not.
 *
 * A program that includes this defines the few liburing calls that the engines
 * make, so none reaches the real kernel.
 */
#ifndef FIO_IOU_TEST_FAKE_KERNEL_H
#define FIO_IOU_TEST_FAKE_KERNEL_H

#include <fcntl.h>

#include "fio-stubs.h"

#define FAKE_MAX	4096	/* requests in its hands */
#define ALL_FLAGS	~0U

static struct fake_kernel {
	/* how it answers; zero is a modern kernel in a good mood */
	unsigned int refused_flags;	/* in setup: EINVAL */
	unsigned int dropped_flags;	/* in setup: taken and not granted */
	int setup_error;
	int register_error;
	int iowq_defaults[2];
	unsigned int features;
	unsigned int last_op;		/* that it knows; 0: it has no probe */
	const int *enter_errors;	/* one per enter, up to a 0 */
	bool busy;			/* EBUSY while there are CQEs to be read */
	unsigned int take;		/* SQEs per enter at most; 0: all */
	unsigned int complete;		/* CQEs per enter beyond what is waited for */
	unsigned int *seed;		/* complete in any order, and all of the above */
	int (*result)(const struct io_uring_sqe *sqe);	/* NULL: all goes well */
	void (*see)(const struct io_uring_sqe *sqe, unsigned int nr);

	/* what it saw */
	struct io_uring_params params;
	unsigned int setups;
	unsigned int rings;		/* that exist */
	unsigned int registered;	/* buffers */
	struct iovec iov[64];		/* the first of them */
	int files[4];			/* registered */
	unsigned int requests;
	unsigned int enters;
	unsigned int waits;		/* enters that asked for completions */
	unsigned int enter_flags;	/* of the last */
	unsigned int min_wait_usec;	/* of the last */
	bool wait_has_end;		/* of the last */
	unsigned int inflight;
	unsigned int max_inflight;
	unsigned int max_submit;	/* in one enter */

	/* its ring */
	struct io_uring *uring;
	unsigned int sq_head, sq_tail, cq_head, cq_tail, overflow;
	struct { uint64_t user_data; int res; } pending[FAKE_MAX];
} kernel;

static unsigned int fake_pow2(unsigned int n)
{
	unsigned int p = 1;

	while (p < n)
		p <<= 1;
	return p;
}

static bool fake_flags_valid(unsigned int flags)
{
	if (flags & kernel.refused_flags)
		return false;
	if ((flags & IORING_SETUP_HYBRID_IOPOLL) && !(flags & IORING_SETUP_IOPOLL))
		return false;
	return !(flags & IORING_SETUP_DEFER_TASKRUN) ||
		(flags & IORING_SETUP_SINGLE_ISSUER);
}

int io_uring_setup(unsigned int entries, struct io_uring_params *p)
{
	kernel.setups++;
	if (kernel.setup_error)
		return kernel.setup_error;
	if (!entries || entries > 32768 || !fake_flags_valid(p->flags))
		return -EINVAL;
	p->sq_entries = fake_pow2(entries);
	p->cq_entries = 2 * p->sq_entries;
	if (p->flags & IORING_SETUP_CQSIZE)
		p->cq_entries = fake_pow2(p->cq_entries / 2 / p->sq_entries * entries);
	p->flags &= ~kernel.dropped_flags;
	p->features = kernel.features;
	kernel.params = *p;
	return open("/dev/null", O_RDWR | O_CLOEXEC);
}

int io_uring_queue_mmap(int fd, struct io_uring_params *p, struct io_uring *ring)
{
	memset(ring, 0, sizeof(*ring));
	kernel.uring = ring;
	kernel.rings++;
	kernel.sq_head = kernel.sq_tail = kernel.cq_head = kernel.cq_tail = 0;
	ring->ring_fd = ring->enter_ring_fd = fd;
	ring->flags = p->flags;
	ring->sq.khead = &kernel.sq_head;
	ring->sq.ktail = &kernel.sq_tail;
	/* dirty, as what the engine has not written */
	ring->sq.sqes = malloc(p->sq_entries * 128);
	memset(ring->sq.sqes, 0xa5, p->sq_entries * 128);
	if (!(p->flags & IORING_SETUP_NO_SQARRAY)) {
		ring->sq.ring_ptr = malloc(p->sq_entries * sizeof(unsigned int));
		memset(ring->sq.ring_ptr, 0xa5, p->sq_entries * sizeof(unsigned int));
	}
	ring->cq.khead = &kernel.cq_head;
	ring->cq.ktail = &kernel.cq_tail;
	ring->cq.koverflow = &kernel.overflow;
	ring->cq.cqes = calloc(p->cq_entries, 2 * sizeof(struct io_uring_cqe));
	return 0;
}

void io_uring_queue_exit(struct io_uring *ring)
{
	kernel.rings--;
	close(ring->ring_fd);
	free(ring->sq.sqes);
	free(ring->sq.ring_ptr);
	free(ring->cq.cqes);
}

int io_uring_register_ring_fd(struct io_uring *ring)
{
	return kernel.register_error ? kernel.register_error : 1;
}

int io_uring_unregister_ring_fd(struct io_uring *ring)
{
	return 1;
}

struct io_uring_probe *io_uring_get_probe_ring(struct io_uring *ring)
{
	struct io_uring_probe *probe = kernel.last_op ? calloc(1, sizeof(*probe)) : NULL;

	if (probe)
		probe->last_op = kernel.last_op;
	return probe;
}

void io_uring_free_probe(struct io_uring_probe *probe)
{
	free(probe);
}

int io_uring_register_buffers(struct io_uring *ring, const struct iovec *iov,
			      unsigned int nr)
{
	if (kernel.register_error)
		return kernel.register_error;
	kernel.registered = nr;
	memcpy(kernel.iov, iov, sizeof(*iov) * (nr < 64 ? nr : 64));
	return 0;
}

int io_uring_register_files(struct io_uring *ring, const int *fds, unsigned int nr)
{
	memcpy(kernel.files, fds, nr * sizeof(*fds));
	return kernel.register_error;
}

int io_uring_register_files_update(struct io_uring *ring, unsigned int off,
				   const int *fds, unsigned int nr)
{
	if (kernel.register_error)
		return kernel.register_error;
	assert_in_range(off, 0, 3);
	memcpy(&kernel.files[off], fds, nr * sizeof(*fds));
	return nr;
}

int io_uring_register_iowq_aff(struct io_uring *ring, size_t size, const cpu_set_t *mask)
{
	return kernel.register_error;
}

int io_uring_register_iowq_max_workers(struct io_uring *ring, unsigned int *limits)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		unsigned int was = kernel.iowq_defaults[i];

		if (limits[i])
			kernel.iowq_defaults[i] = limits[i];
		limits[i] = was;
	}
	return kernel.register_error;
}

static int fake_result(const struct io_uring_sqe *sqe)
{
	if (kernel.result)
		return kernel.result(sqe);
	switch (sqe->opcode) {
	case IORING_OP_READ:
	case IORING_OP_WRITE:
	case IORING_OP_READ_FIXED:
	case IORING_OP_WRITE_FIXED:
		return sqe->len;
	case IORING_OP_NOP:
		/* nop_flags: INJECT_RESULT */
		return sqe->rw_flags & 1 ? (int)sqe->len : 0;
	default:
		return 0;
	}
}

static void fake_take_one(void)
{
	const struct io_uring_params *p = &kernel.params;
	unsigned int at = kernel.sq_head & (p->sq_entries - 1);
	const struct io_uring_sqe *sqe;

	if (!(p->flags & IORING_SETUP_NO_SQARRAY))
		at = ((unsigned int *)kernel.uring->sq.ring_ptr)[at];
	assert_in_range(at, 0, p->sq_entries - 1);
	sqe = &kernel.uring->sq.sqes[at << !!(p->flags & IORING_SETUP_SQE128)];
	if (kernel.see)
		kernel.see(sqe, kernel.requests);
	assert_in_range(kernel.inflight, 0, FAKE_MAX - 1);
	kernel.pending[kernel.inflight].user_data = sqe->user_data;
	kernel.pending[kernel.inflight++].res = fake_result(sqe);
	kernel.sq_head++;
	kernel.requests++;
	if (kernel.inflight > kernel.max_inflight)
		kernel.max_inflight = kernel.inflight;
}

static void fake_complete_one(void)
{
	const struct io_uring_params *p = &kernel.params;
	const unsigned int shift = !!(p->flags & IORING_SETUP_CQE32);
	unsigned int i = kernel.seed ? rand_r(kernel.seed) % kernel.inflight : 0;
	struct io_uring_cqe *cqe =
		&kernel.uring->cq.cqes[(kernel.cq_tail & (p->cq_entries - 1)) << shift];

	/* an overflow of the CQ must never be */
	assert_in_range(kernel.cq_tail - kernel.cq_head, 0, p->cq_entries - 1);
	cqe->user_data = kernel.pending[i].user_data;
	cqe->res = kernel.pending[i].res;
	cqe->flags = 0;
	kernel.cq_tail++;
	memmove(&kernel.pending[i], &kernel.pending[i + 1],
		(--kernel.inflight - i) * sizeof(kernel.pending[0]));
}

int fake_enter(unsigned int fd, unsigned int to_submit, unsigned int min_complete,
	       unsigned int flags, void *arg, size_t size) __asm__("io_uring_enter2");
int fake_enter(unsigned int fd, unsigned int to_submit, unsigned int min_complete,
	       unsigned int flags, void *arg, size_t size)
{
	unsigned int take = kernel.take ? kernel.take : to_submit;
	unsigned int complete = kernel.complete, taken, ready;

	kernel.enters++;
	kernel.enter_flags = flags;
	kernel.min_wait_usec = 0;
	if (flags & IORING_ENTER_EXT_ARG) {
		assert_int_equal(size, sizeof(struct wait_arg));
		kernel.min_wait_usec = ((struct wait_arg *)arg)->min_wait_usec;
		kernel.wait_has_end = ((struct wait_arg *)arg)->ts;
	}
	assert_in_range(to_submit, 0, kernel.sq_tail - kernel.sq_head);
	kernel.max_submit = max(kernel.max_submit, to_submit);
	if (kernel.enter_errors && *kernel.enter_errors)
		return *kernel.enter_errors++;
	if (kernel.busy && kernel.cq_tail != kernel.cq_head)
		return -EBUSY;
	if (kernel.seed) {
		take = rand_r(kernel.seed) % (to_submit + 1);
		complete = rand_r(kernel.seed) % (kernel.inflight + take + 1);
	}
	for (taken = 0; taken < to_submit && taken < take; taken++)
		fake_take_one();
	if (min_complete) {
		kernel.waits++;
		/* without GETEVENTS it is not a wait; for more than all, it hangs */
		assert_true(flags & IORING_ENTER_GETEVENTS);
	}
	ready = kernel.cq_tail - kernel.cq_head;
	assert_true(min_complete <= ready + kernel.inflight + to_submit - taken);
	/* one that did not get all in does not wait */
	if (taken == to_submit && min_complete > ready)
		complete += min_complete - ready;
	/* deferred and polled completions come only to who asks */
	if ((kernel.params.flags & (IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_IOPOLL)) &&
	    !(flags & IORING_ENTER_GETEVENTS))
		complete = 0;
	while (complete-- && kernel.inflight)
		fake_complete_one();
	return taken;
}

/* Once more, with the library's call in place of the system's own. */
#undef FIO_ARCH_HAS_SYSCALL
#include "engines/submit.c"

#endif
