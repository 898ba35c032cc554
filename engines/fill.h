/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The loop that writes reads and writes, made once for each kind of request, as
 * the completion loop is: what is constant there costs nothing per request.
 */
#ifndef FIO_IOU_FILL_H
#define FIO_IOU_FILL_H

#include "command.h"

/* What a slot's requests have in common. */
typedef void (*write_common_fn)(const struct ring *r, const struct slot *s,
				struct io_uring_sqe *sqe, unsigned char flags);
/* Where on the device, in blocks of passthrough, else bytes; and the memory. */
typedef void (*write_place_fn)(struct io_uring_sqe *sqe, uint64_t at,
			       uint64_t addr);

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

/* alike: all SQEs hold what the slot's requests have in common. */
static inline __attribute__((always_inline)) void
fill_loop(struct ring *r, struct slot *s, unsigned int first, unsigned int nr,
	  const bool random, const bool some_async, const bool alike,
	  const unsigned int sqe_shift, const write_common_fn write_common,
	  const write_place_fn write_place)
{
	/* lba_shift is 0 but for passthrough */
	const uint64_t start = s->start >> s->lba_shift, places = s->places;
	const uint32_t len = s->len, blocks = len >> s->lba_shift;
	const uint16_t buf = first_buffer(r, s);
	const unsigned int buf_shift = r->buf_shift;
	struct filler next = ring_fill_begin(r);
	uint64_t rand_state = r->random;
	unsigned int i, place = random ? first_place(r, s, first) : first;

	for (i = first; i < first + nr; i++) {
		struct io_uring_sqe *sqe = filler_next(&next, sqe_shift);

		if (!alike)
			write_common(r, s, sqe, r->sqe_flags |
				     (some_async ? async_flag(r) : 0));
		write_place(sqe, start + blocks *
			    (random ? rand_below(&rand_state, places) : i),
			    (uintptr_t)s->buf + (uint64_t)place * len);
		sqe->buf_index = buf + (place >> buf_shift);
		sqe->user_data = request_id(r, s, i);
		place = random ? next_place(r, place) : place + 1;
	}
	r->random = rand_state;
	ring_fill_end(r, &next);
}

static inline __attribute__((always_inline)) void
fill_requests(struct ring *r, struct slot *s, unsigned int first,
	      unsigned int nr, const bool random, const bool some_async,
	      const unsigned int sqe_shift, const write_common_fn write_common,
	      const write_place_fn write_place)
{
	if (!some_async && likely(sqes_alike(r, s, nr)))
		fill_loop(r, s, first, nr, random, false, true, sqe_shift,
			  write_common, write_place);
	else
		fill_loop(r, s, first, nr, random, some_async, false, sqe_shift,
			  write_common, write_place);
}

#endif
