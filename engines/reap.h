/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The completion loop, made once for each kind of request: what is constant
 * there costs nothing per completion.
 */
#ifndef FIO_IOU_REAP_H
#define FIO_IOU_REAP_H

#include "ring.h"

/*
 * A result that is not the expected one. True: the request was written again
 * and its completion is still to come.
 */
typedef bool (*bad_result_fn)(struct ring *r, struct slot *s,
			      const struct io_uring_cqe *cqe);

/* n, not 0, were seen in one look at the CQ. */
static inline void ring_count_reap(struct ring *r, unsigned int n)
{
	const unsigned int bucket = 31 - __builtin_clz(n);

	r->c.completions += n;
	r->c.reaps++;
	r->c.log2[min(bucket, RING_LOG2_BUCKETS - 1U)]++;
}

/* Write the request again, as after EAGAIN. */
void ring_retry(struct ring *r, struct slot *s, uint64_t id);
/* The slot's next requests, where split_depth= holds some back. */
void ring_refill(struct ring *r, struct slot *s, unsigned int nr);
/* The request ended with this error, and with it its I/O. */
void ring_failed(struct ring *r, struct slot *s, int res);
/* rw and sync: negative is an errno, less than expected is short. */
bool ring_bad_result(struct ring *r, struct slot *s,
		     const struct io_uring_cqe *cqe);

static inline void ring_whole(struct ring *r, struct slot *s)
{
	r->ready[r->ready_tail++ & r->ready_mask] = s->io_u;
}

/*
 * Completions of one slot tend to come together: a run of them is counted in
 * registers, and its slot is looked up once.
 */
static inline __attribute__((always_inline)) void
reap_loop(struct ring *r, const unsigned int cqe_shift, const bool windowed,
	  const bad_result_fn bad_result)
{
	const struct io_uring_cqe *const cqes = r->cqes;
	const unsigned int mask = r->cq_mask, start = *r->cq_khead;
	const unsigned int tail = io_uring_smp_load_acquire(r->cq_ktail);
	unsigned int head = start;

	if (head == tail)
		return;
	do {
		const struct io_uring_cqe *cqe = &cqes[(head & mask) << cqe_shift];
		const uint32_t id = cqe->user_data;
		struct slot *s = request_slot(r, id);
		const int32_t expect = s->expect;
		const unsigned int first = head;
		unsigned int again = 0, done;

		do {
			if (unlikely(cqe->res != expect))
				again += bad_result(r, s, cqe);
			cqe = &cqes[(++head & mask) << cqe_shift];
		} while (head != tail && (uint32_t)cqe->user_data == id);
		done = head - first - again;
		s->left -= done;
		if (!s->left)
			ring_whole(r, s);
		else if (windowed && s->issued < s->nr)
			ring_refill(r, s, done);
	} while (head != tail);
	/* Only now may the kernel write over what was read. */
	io_uring_smp_store_release(r->cq_khead, head);
	r->inflight -= head - start;
	ring_count_reap(r, head - start);
}

#endif
