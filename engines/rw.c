// SPDX-License-Identifier: GPL-2.0
/*
 * Requests on block devices and files. Fields are written by hand, not with
 * liburing's prep helpers: those write the whole SQE again, and would wipe
 * flags set before them.
 */
#include <linux/fs.h>

#include "fill.h"
#include "reap.h"

/* _IO(0x12, 0) in linux/blkdev.h since 6.12 (50c52250e2d7) */
#ifndef BLOCK_URING_CMD_DISCARD
#define BLOCK_URING_CMD_DISCARD	_IO(0x12, 0)
#endif

/* The first word of an SQE: the same for all requests of an I/O. */
struct sqe_head {
	uint8_t opcode;
	uint8_t flags;
	uint16_t ioprio;
	int32_t fd;
};

/* By its place in the ABI: liburing 2.3 has another name for it. */
static inline void sqe_set_addr3(struct io_uring_sqe *sqe, uint64_t val)
{
	memcpy((char *)sqe + 48, &val, sizeof(val));
}

static uint8_t rw_opcode(const struct ring *r, const struct slot *s)
{
	if (r->nr_bufs)
		return s->ddir == DDIR_READ ? IORING_OP_READ_FIXED :
					      IORING_OP_WRITE_FIXED;
	return s->ddir == DDIR_READ ? IORING_OP_READ : IORING_OP_WRITE;
}

static inline void write_common(const struct ring *r, const struct slot *s,
				struct io_uring_sqe *sqe, unsigned char flags)
{
	const struct sqe_head head = {
		.opcode = rw_opcode(r, s), .flags = flags,
		.ioprio = s->ioprio, .fd = s->fd,
	};

	memcpy(sqe, &head, sizeof(head));
	sqe->len = s->len;
	sqe->rw_flags = 0;
	sqe_set_addr3(sqe, 0);	/* a discard may have been here */
}

static inline void write_place(struct io_uring_sqe *sqe, uint64_t at,
			       uint64_t addr)
{
	sqe->off = at;
	sqe->addr = addr;
}

static inline __attribute__((always_inline)) void
fill_rw(struct ring *r, struct slot *s, unsigned int first, unsigned int nr,
	const bool random, const bool some_async)
{
	fill_requests(r, s, first, nr, random, some_async, 0, write_common,
		      write_place);
}

static void fill_contiguous(struct ring *r, struct slot *s, unsigned int first,
			    unsigned int nr)
{
	fill_rw(r, s, first, nr, false, false);
}

static void fill_random(struct ring *r, struct slot *s, unsigned int first,
			unsigned int nr)
{
	fill_rw(r, s, first, nr, true, false);
}

static void fill_contiguous_async(struct ring *r, struct slot *s,
				  unsigned int first, unsigned int nr)
{
	fill_rw(r, s, first, nr, false, true);
}

static void fill_random_async(struct ring *r, struct slot *s,
			      unsigned int first, unsigned int nr)
{
	fill_rw(r, s, first, nr, true, true);
}

static struct io_uring_sqe *blank_sqe(struct ring *r, struct slot *s,
				      unsigned int i)
{
	struct filler at = ring_fill_begin(r);
	struct io_uring_sqe *sqe = filler_next(&at, 0);

	ring_fill_end(r, &at);
	sqes_differ(r);
	memset(sqe, 0, sizeof(*sqe));
	sqe->flags = request_flags(r);
	sqe->fd = s->fd;
	sqe->user_data = request_id(r, s, i);
	return sqe;
}

static void fill_sync(struct ring *r, struct slot *s, unsigned int first,
		      unsigned int nr)
{
	struct io_uring_sqe *sqe = blank_sqe(r, s, first);

	sqe->opcode = IORING_OP_FSYNC;
	if (s->ddir == DDIR_DATASYNC)
		sqe->fsync_flags = IORING_FSYNC_DATASYNC;
}

static void fill_trim(struct ring *r, struct slot *s, unsigned int first,
		      unsigned int nr)
{
	unsigned int i;

	for (i = first; i < first + nr; i++) {
		struct io_uring_sqe *sqe = blank_sqe(r, s, i);

		sqe->opcode = IORING_OP_URING_CMD;
		/* cmd_op is the low half of off */
		sqe->off = BLOCK_URING_CMD_DISCARD;
		sqe->addr = s->io_u->offset + (uint64_t)i * s->len;
		sqe_set_addr3(sqe, s->len);
	}
}

static void prefill(struct ring *r)
{
	memset(r->sqes, 0, (r->sq_mask + 1) * sizeof(*r->sqes));
}

static void reap(struct ring *r)
{
	reap_loop(r, 0, false, ring_bad_result);
}

static void reap_windowed(struct ring *r)
{
	reap_loop(r, 0, true, ring_bad_result);
}

#define RW_COMMAND(_fill, _reap) {					\
	.name = "rw", .prefill = prefill, .fill_rw = _fill,		\
	.fill_sync = fill_sync, .fill_trim = fill_trim, .reap = _reap,	\
}

/* [random][some requests async][windowed] */
static const struct command rw_commands[2][2][2] = {
	{ { RW_COMMAND(fill_contiguous, reap),
	    RW_COMMAND(fill_contiguous, reap_windowed) },
	  { RW_COMMAND(fill_contiguous_async, reap),
	    RW_COMMAND(fill_contiguous_async, reap_windowed) } },
	{ { RW_COMMAND(fill_random, reap),
	    RW_COMMAND(fill_random, reap_windowed) },
	  { RW_COMMAND(fill_random_async, reap),
	    RW_COMMAND(fill_random_async, reap_windowed) } },
};

const struct command *rw_command(const struct ring *r)
{
	return &rw_commands[r->random_offsets]
			   [r->async_every > 1][r->window < r->o->split];
}
