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

void ring_count_reap(struct ring *r, unsigned int n);
/* Write the request again, as after EAGAIN. */
void ring_retry(struct ring *r, struct slot *s, uint64_t id);
/* The slot's next request, where split_depth= holds some back. */
void ring_refill(struct ring *r, struct slot *s);
/* rw, sync and no-ops: negative is an errno, less than expected is short. */
bool ring_bad_result(struct ring *r, struct slot *s,
		     const struct io_uring_cqe *cqe);

static inline __attribute__((always_inline)) void
reap_loop(struct ring *r, const unsigned int cqe_shift, const bool windowed,
	  const bad_result_fn bad_result)
{
	unsigned int head = *r->cq_khead;
	const unsigned int tail = io_uring_smp_load_acquire(r->cq_ktail);
	const unsigned int n = tail - head;

	if (!n)
		return;
	for (; head != tail; head++) {
		const struct io_uring_cqe *cqe =
			&r->cqes[(head & r->cq_mask) << cqe_shift];
		struct slot *s = request_slot(r, cqe->user_data);

		if (unlikely(cqe->res != s->expect) && bad_result(r, s, cqe))
			continue;
		if (!--s->left)
			r->ready[r->ready_tail++ & r->ready_mask] = s->io_u;
		else if (windowed && s->issued < s->nr)
			ring_refill(r, s);
	}
	/* Only now may the kernel write over what was read. */
	io_uring_smp_store_release(r->cq_khead, head);
	r->inflight -= n;
	ring_count_reap(r, n);
}

#endif
