/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kinds of request. Each chooser looks at the job's options once and
 * returns the functions that serve just those, so that nothing is asked per
 * request.
 */
#ifndef FIO_IOU_COMMAND_H
#define FIO_IOU_COMMAND_H

#include "ring.h"

/* Block devices and files: READ, WRITE, FSYNC and discards. */
const struct command *rw_command(const struct ring *r);
/* NVMe character devices: passthrough. */
const struct command *cmd_command(const struct ring *r);
/* No-ops: the ring alone. */
const struct command *nop_command(const struct ring *r);
/* What they look up is there, and the kernel does what their flags ask for. */
int nop_ready(struct ring *r);

/* The file's fd, or its index among the registered ones. */
static inline int request_fd(const struct ring *r, const struct io_u *io_u)
{
	return r->fixed_files ? io_u->file->fileno : io_u->file->fd;
}

/*
 * Where in its I/O's memory a request reads to. Requests of random offsets are
 * data that nobody looks at, and with split_depth= they take turns in the memory
 * of one window: t/io_uring has as many buffers as requests in flight, and more
 * of them cost the kernel cache lines.
 */
static inline unsigned int first_place(const struct ring *r,
				       const struct slot *s, unsigned int i)
{
	return r->window < s->nr ? i % r->window : i;
}

static inline unsigned int next_place(const struct ring *r, unsigned int place)
{
	return place + 1 == r->window ? 0 : place + 1;
}

/* The first registered buffer of a slot; a place has the one buf_shift says. */
static inline uint16_t first_buffer(const struct ring *r, const struct slot *s)
{
	return (s - r->slots) * r->bufs_per_slot;
}

/*
 * Do all SQEs hold what this slot's have in common? If not, its next nr, which the
 * caller then writes whole, will.
 */
static inline bool sqes_alike(struct ring *r, const struct slot *s,
			      unsigned int nr)
{
	struct sqes_held *h = &r->held;

	if (unlikely(h->len != s->len || h->fd != s->fd || h->nsid != s->nsid ||
		     h->ddir != s->ddir || h->lba_shift != s->lba_shift)) {
		*h = (struct sqes_held) {
			.len = s->len, .fd = s->fd, .nsid = s->nsid,
			.ddir = s->ddir, .lba_shift = s->lba_shift,
		};
	}
	if (h->nr > r->sq_mask)
		return true;
	h->nr += nr;
	return false;
}

/* An SQE is written that holds something else. */
static inline void sqes_differ(struct ring *r)
{
	r->held.nr = 0;
}

/* IOSQE_ASYNC on every async_every'th request. */
static inline unsigned char async_flag(struct ring *r)
{
	if (--r->async_left)
		return 0;
	r->async_left = r->async_every;
	return IOSQE_ASYNC;
}

/* A request's flags where its kind has no function of its own for async_every. */
static inline unsigned char request_flags(struct ring *r)
{
	return r->sqe_flags | (r->async_every > 1 ? async_flag(r) : 0);
}

#endif
