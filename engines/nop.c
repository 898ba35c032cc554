// SPDX-License-Identifier: GPL-2.0
/* No-ops: what a request costs when there is nothing to do. */
#include "command.h"
#include "reap.h"

#define NOP_CANARY	0x1e57

/*
 * IORING_NOP_*. With a file or a buffer t/io_uring has a result injected too;
 * so do we, and it is 0.
 */
static unsigned int nop_flags(const struct ring *r)
{
	unsigned int flags = 0;

	if (r->o->tw)
		flags |= IORING_NOP_TW;
	if (r->o->registerfiles)
		flags |= IORING_NOP_FILE | IORING_NOP_FIXED_FILE;
	if (r->o->fixedbufs)
		flags |= IORING_NOP_FIXED_BUFFER;
	if (r->o->registerfiles || r->o->fixedbufs)
		flags |= IORING_NOP_INJECT_RESULT;
	return flags;
}

static void prefill(struct ring *r)
{
	const unsigned int flags = nop_flags(r);
	unsigned int i;

	/* the file and the buffer are those of index 0 */
	memset(r->sqes, 0, (r->sq_mask + 1) * sizeof(*r->sqes));
	for (i = 0; i <= r->sq_mask; i++) {
		r->sqes[i].opcode = IORING_OP_NOP;
		r->sqes[i].flags = r->sqe_flags;
		/* nop_flags, where every opcode has its own */
		r->sqes[i].rw_flags = flags;
	}
}

/* All else was prefilled. */
static void fill(struct ring *r, struct slot *s, unsigned int first,
		 unsigned int nr)
{
	const uint64_t id = request_id(r, s, 0);
	struct filler at = ring_fill_begin(r);
	unsigned int i;

	for (i = 0; i < nr; i++)
		filler_next(&at, 0)->user_data = id;
	ring_fill_end(r, &at);
}

/* No no-op is short, and none is worth another try. */
static bool failed(struct ring *r, struct slot *s, const struct io_uring_cqe *cqe)
{
	ring_failed(r, s, cqe->res);
	return false;
}

static void reap(struct ring *r)
{
	reap_loop(r, 0, false, failed);
}

static void reap_windowed(struct ring *r)
{
	reap_loop(r, 0, true, failed);
}

/*
 * Where requests are written a whole window at a time, and the SQ is a number
 * of those, its SQEs never change: their user_data is the window's place, the
 * block, and whose it is now is noted once.
 */
static void prefill_blocks(struct ring *r)
{
	unsigned int i;

	prefill(r);
	for (i = 0; i <= r->sq_mask; i++)
		r->sqes[i].user_data = i / r->window;
}

static void fill_block(struct ring *r, struct slot *s, unsigned int first,
		       unsigned int nr)
{
	r->owners[(r->tail & r->sq_mask) / nr] = s;
	r->tail += nr;
}

/* A CQE in a register: user_data, and result and flags. */
typedef uint64_t cqe_words __attribute__((vector_size(16), may_alias, aligned(8)));

/* Are the next n completions all of this block, their results and flags 0? */
static inline bool block_went_well(const struct io_uring_cqe *cqe,
				   uint64_t block, unsigned int n)
{
	const cqe_words well = { block, 0 };
	cqe_words differs = { 0, 0 };

	for (; n >= 4; n -= 4, cqe += 4)
		differs |= (*(const cqe_words *)&cqe[0] ^ well) |
			(*(const cqe_words *)&cqe[1] ^ well) |
			(*(const cqe_words *)&cqe[2] ^ well) |
			(*(const cqe_words *)&cqe[3] ^ well);
	for (; n; n--)
		differs |= *(const cqe_words *)cqe++ ^ well;
	return !(differs[0] | differs[1]);
}

/* The requests of this I/O that are in flight. */
static inline unsigned int slot_inflight(const struct slot *s)
{
	return s->left - (s->nr - s->issued);
}

static inline __attribute__((always_inline)) void
reap_block_loop(struct ring *r, const bool windowed)
{
	const unsigned int start = *r->cq_khead;
	const unsigned int tail = io_uring_smp_load_acquire(r->cq_ktail);
	unsigned int head = start;

	if (head == tail)
		return;
	do {
		const unsigned int at = head & r->cq_mask;
		const struct io_uring_cqe *cqe = &r->cqes[at];
		struct slot *s = r->owners[cqe->user_data];
		unsigned int n = min(windowed ? slot_inflight(s) : s->left,
				     min(tail - head, r->cq_mask + 1 - at));

		if (unlikely(!block_went_well(cqe, cqe->user_data, n))) {
			/* mixed with another block, or not well: one by one */
			n = 1;
			if (cqe->res)
				failed(r, s, cqe);
		}
		head += n;
		s->left -= n;
		if (!s->left) {
			ring_whole(r, s);
		} else if (windowed && !slot_inflight(s)) {
			s->issued += r->window;
			fill_block(r, s, 0, r->window);
		}
	} while (head != tail);
	io_uring_smp_store_release(r->cq_khead, head);
	r->inflight -= head - start;
	ring_count_reap(r, head - start);
}

static void reap_blocks(struct ring *r)
{
	reap_block_loop(r, false);
}

/* An I/O's next window goes in when all of its last one has completed. */
static void reap_blocks_windowed(struct ring *r)
{
	reap_block_loop(r, true);
}

/*
 * One request of an I/O at a time: its SQE is a block of one, and the next
 * takes its place as soon as it is seen to have completed.
 */
static void reap_ones(struct ring *r)
{
	const unsigned int start = *r->cq_khead;
	const unsigned int tail = io_uring_smp_load_acquire(r->cq_ktail);
	unsigned int head = start;

	if (head == tail)
		return;
	do {
		const struct io_uring_cqe *cqe = &r->cqes[head & r->cq_mask];
		struct slot *s = r->owners[cqe->user_data];

		if (unlikely(cqe->res))
			failed(r, s, cqe);
		if (--s->left) {
			s->issued++;
			r->owners[r->tail++ & r->sq_mask] = s;
		} else {
			ring_whole(r, s);
		}
	} while (++head != tail);
	io_uring_smp_store_release(r->cq_khead, head);
	r->inflight -= head - start;
	ring_count_reap(r, head - start);
}

static const struct command nop_commands[2] = {
	{ .name = "nop", .prefill = prefill, .fill_rw = fill, .reap = reap },
	{ .name = "nop", .prefill = prefill, .fill_rw = fill,
	  .reap = reap_windowed },
};

#define BLOCK_COMMAND(_reap) {						\
	.name = "nop", .prefill = prefill_blocks,			\
	.fill_rw = fill_block, .reap = _reap, .blocks = true,		\
}

static const struct command nop_block_commands[2] = {
	BLOCK_COMMAND(reap_blocks),
	BLOCK_COMMAND(reap_blocks_windowed),
};

static const struct command nop_ones_command = BLOCK_COMMAND(reap_ones);

const struct command *nop_command(const struct ring *r)
{
	const bool windowed = r->window < r->o->split;
	const bool pow2 = !(r->window & (r->window - 1));

	if (windowed && r->window == 1)
		return &nop_ones_command;
	if (pow2 && r->o->split % r->window == 0)
		return &nop_block_commands[windowed];
	return &nop_commands[windowed];
}

/* Not the job's own loop: that would take them for the job's. */
static int wait_for_canaries(struct ring *r, unsigned int n)
{
	int ret;

	while (io_uring_smp_load_acquire(r->cq_ktail) - *r->cq_khead < n) {
		ret = ring_enter(r, n);
		if (ret < 0 && ret != -EINTR && ret != -EAGAIN && ret != -EBUSY)
			return ring_enter_error(r, ret);
	}
	return 0;
}

/* Did all come back with what was asked for? */
static bool reap_canaries(struct ring *r, unsigned int n)
{
	unsigned int head = *r->cq_khead, i;
	bool well = true;

	for (i = 0; i < n; i++)
		well &= r->cqes[head++ & r->cq_mask].res == NOP_CANARY;
	io_uring_smp_store_release(r->cq_khead, head);
	r->inflight -= n;
	return well;
}

/* One file, that any system has, and one buffer: only looked up. */
static int nop_register(struct ring *r)
{
	struct iovec iov = { .iov_base = r->slots[0].io_u->buf, .iov_len = 1 };
	int fd, ret = 0;

	if (r->o->registerfiles) {
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
		ret = fd < 0 ? -errno : io_uring_register_files(&r->uring, &fd, 1);
		if (fd >= 0)
			close(fd);
		r->fixed_files = !ret;
	}
	if (!ret && r->o->fixedbufs) {
		ret = io_uring_register_buffers(&r->uring, &iov, 1);
		r->nr_bufs = !ret;
	}
	if (ret)
		return refuse(r->td, -ret, "registering a file and a buffer for no-ops: %s: leave registerfiles and fixedbufs out",
			      strerror(-ret));
	return 0;
}

static int nop_flags_refused(struct ring *r, int err)
{
	if (r->o->tw)
		return refuse(r->td, err, "this kernel does not complete no-ops through task work (IORING_NOP_TW, Linux 6.15): boot a newer one, or leave tw out");
	return refuse(r->td, err, "this kernel's no-ops carry no file and no buffer (IORING_NOP_FILE, Linux 6.13): boot a newer one, or leave registerfiles and fixedbufs out");
}

/*
 * Kernels before 6.10 take any nop_flags and do nothing about them; from
 * 6.10 on an unknown one is EINVAL. So ask for a result with it: only a
 * kernel that reads the flags gives it back. A whole window is sent, so that
 * blocks of the SQ stay where they are.
 */
static int nop_check_flags(struct ring *r)
{
	const unsigned int flags = nop_flags(r);
	struct filler at = ring_fill_begin(r);
	unsigned int i;
	int ret;

	if (!flags)
		return 0;
	for (i = 0; i < r->window; i++) {
		struct io_uring_sqe *sqe = filler_next(&at, 0);

		sqe->rw_flags = flags | IORING_NOP_INJECT_RESULT;
		sqe->len = NOP_CANARY;
	}
	ring_fill_end(r, &at);
	ret = wait_for_canaries(r, i);
	if (!ret && !reap_canaries(r, i))
		ret = nop_flags_refused(r, EINVAL);
	for (i = 0; i < r->window; i++) {
		r->sqes[i].rw_flags = flags;
		r->sqes[i].len = 0;
	}
	memset(&r->c, 0, sizeof(r->c));
	return ret;
}

int nop_ready(struct ring *r)
{
	int ret = nop_register(r);

	return ret ? ret : nop_check_flags(r);
}
