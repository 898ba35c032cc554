/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A job thread's ring, and the fio I/Os in flight on it.
 *
 * One fio I/O is a slot, and a slot is split= requests. Submission writes
 * SQEs in ring order and publishes the tail; completion counts a slot down
 * and touches its io_u only when it is whole, or when a result is not the
 * expected one.
 */
#ifndef FIO_IOU_RING_H
#define FIO_IOU_RING_H

#include <liburing.h>

#include "engine.h"
#include "file.h"
#include "rand.h"

#define RING_MAX_ENTRIES	32768	/* IORING_MAX_ENTRIES of the kernel */
#define RING_LOG2_BUCKETS	16

/*
 * One fio I/O; its index is the io_u's, and the low half of user_data. With the
 * second half requests are filled without a look at the io_u, its file and its
 * target, which are a cache line and a page each.
 */
struct slot {
	struct io_u *io_u;
	uint32_t left;		/* requests without their completion */
	uint32_t issued;	/* requests written to the SQ so far */
	uint32_t nr;		/* requests in all */
	int32_t expect;		/* result of a request that went well */
	uint32_t len;		/* bytes of a request */
	uint16_t status;	/* NVMe status of the first that did not */

	uint8_t ddir;
	uint8_t lba_shift;	/* passthrough */

	/* reads and writes */
	char *buf;
	uint64_t start;		/* bytes; the region's with split_offset=random */
	uint64_t places;	/* random: requests that fit into the region */
	int32_t fd;		/* or the index among the registered files */
	union {
		uint32_t nsid;		/* passthrough */
		uint32_t ioprio;
	};
};

/*
 * What the SQEs written last have in common. When all of the ring's have it, only
 * the rest is written: where to, where from, and whose it is.
 */
struct sqes_held {
	unsigned int nr;	/* SQEs, up to the ring's size */
	uint32_t len;
	int32_t fd;
	uint32_t nsid;		/* or ioprio */
	uint8_t ddir;
	uint8_t lba_shift;
};

struct ring_counters {
	uint64_t requests;	/* taken by the kernel */
	uint64_t completions;	/* CQEs seen: retries count again */
	uint64_t errors;	/* requests that ended badly */
	uint64_t enters;
	uint64_t reaps;		/* looks at the CQ that found something */
	uint64_t log2[RING_LOG2_BUCKETS];
	uint64_t eagain;	/* requests or enters tried again */
};

/* The best one-second window, as t/io_uring prints it. */
struct ring_window {
	uint64_t start_ns;
	uint64_t requests;	/* completions at its start */
	double best;		/* requests per second, 0: no second passed */
	uint64_t looked_ns;	/* when the clock was last looked at */
	unsigned int enters;	/* between looks */
	unsigned int countdown;	/* until the next */
};

/*
 * struct io_uring_getevents_arg as Linux 6.12 has it (min_wait_usec was pad
 * before); older liburing headers lack the name.
 */
struct wait_arg {
	uint64_t sigmask;
	uint32_t sigmask_sz;
	uint32_t min_wait_usec;
	uint64_t ts;
};

/* How requests of one kind are filled and their results read. */
struct command {
	const char *name;
	unsigned int setup_flags;	/* IORING_SETUP_SQE128, _CQE32 */
	bool blocks;			/* uses ring.owners */

	/* Once, when the ring exists: all that never changes in an SQE. */
	void (*prefill)(struct ring *r);
	/* Requests first..first+nr-1 of a slot; NULL: not on this path. */
	void (*fill_rw)(struct ring *r, struct slot *s, unsigned int first,
			unsigned int nr);
	void (*fill_sync)(struct ring *r, struct slot *s, unsigned int first,
			  unsigned int nr);
	void (*fill_trim)(struct ring *r, struct slot *s, unsigned int first,
			  unsigned int nr);
	/* All there is in the CQ. */
	void (*reap)(struct ring *r);
};

struct ring {
	/* submission */
	struct io_uring_sqe *sqes;
	unsigned int *sq_ktail;
	unsigned int sq_mask;
	unsigned int tail;		/* SQEs written */
	unsigned int submitted;		/* SQEs the kernel took */
	unsigned int inflight;
	unsigned int window;		/* requests of a slot in flight at most */
	unsigned int batch;		/* requests submitted at once at most */
	uint32_t unaligned;		/* bits that no offset and no length may have */
	unsigned int bufs_per_slot;	/* registered buffers of a slot */
	unsigned int buf_shift;		/* log2 of a buffer's requests */
	bool random_offsets;
	struct sqes_held held;
	uint64_t random;
	const struct command *cmd;
	struct slot *slots;
	struct slot **owners;		/* of a block of SQEs, see nop.c */

	/* completion */
	struct io_uring_cqe *cqes __attribute__((aligned(64)));
	unsigned int *cq_khead;
	unsigned int *cq_ktail;
	unsigned int cq_mask;
	unsigned int ready_mask;
	struct io_u **ready;		/* whole I/Os, a FIFO ring */
	unsigned int ready_head;
	unsigned int ready_tail;
	unsigned int returned;		/* handed to fio by the last getevents */
	int enter_fd;
	unsigned int flags_wait;	/* of an io_uring_enter that waits */
	unsigned int flags_peek;	/* of one that does not */
	unsigned int enter_flags;	/* on every one, and all before the next batch */
	const void *arg;
	size_t arg_size;
	bool wait_enters;		/* a peek needs the kernel to be entered */
	bool submit_wait;
	bool min_wait;			/* the next wait has a least time */
	bool gave_up;			/* an enter failed for good, and it was said */
	bool fixed_files;
	bool stamp;			/* issue times are wanted */
	unsigned char sqe_flags;
	unsigned int async_every;
	unsigned int async_left;
	struct ring_counters c;

	/* all else */
	struct slot **queued;		/* since the last submission */
	unsigned int nr_queued;
	unsigned int nr_slots;
	unsigned int nr_bufs;		/* registered */
	struct wait_arg wait_arg;	/* min_wait= */
	struct __kernel_timespec wait_most;
	struct ring_window best;
	struct nvme_dsm_range *dsm;	/* one per request of passthrough */

	struct io_uring uring;
	struct io_uring_params params;
	bool exists;			/* uring is set up */
	bool registered_fd;
	unsigned int asked_flags;
	unsigned int iowq_bounded;	/* limits in force, 0: never asked */
	unsigned int iowq_unbounded;
	unsigned int iowq_seen;
	struct target *targets;		/* a file each */
	unsigned int nr_targets;

	struct thread_data *td;
	struct ring_engine *engine;
	struct ring_options *o;
};

static inline struct ring *td_ring(struct thread_data *td)
{
	return td->io_ops_data;
}

/* ring.c: its life. -errno; a refusal has been said. */
int ring_create(struct ring *r);
void ring_destroy(struct ring *r);
/* setup.c: the io_uring itself: required flags or nothing. */
int ring_setup(struct ring *r, unsigned int sq_entries);

/* submit.c: the way in. -errno. */
int ring_submit(struct ring *r);
int ring_enter(struct ring *r, unsigned int wait);
int ring_enter_error(struct ring *r, int ret);

/* The requests written and not yet taken by the kernel. */
static inline unsigned int ring_pending(const struct ring *r)
{
	return r->tail - r->submitted;
}

/* Those of them that the next enter submits. */
static inline unsigned int ring_next_batch(const struct ring *r)
{
	return min(ring_pending(r), r->batch);
}

static inline unsigned int ring_ready(const struct ring *r)
{
	return r->ready_tail - r->ready_head;
}

/*
 * The SQEs from the tail on. Loops that fill many keep this in registers and
 * put it back with ring_fill_end(): what they store might alias the ring.
 */
struct filler {
	struct io_uring_sqe *sqes;
	unsigned int mask;
	unsigned int tail;
};

static inline struct filler ring_fill_begin(const struct ring *r)
{
	return (struct filler) {
		.sqes = r->sqes, .mask = r->sq_mask, .tail = r->tail,
	};
}

/* shift is 1 with SQE128, and a constant where this is called. */
static inline struct io_uring_sqe *filler_next(struct filler *f,
					       const unsigned int shift)
{
	return &f->sqes[(f->tail++ & f->mask) << shift];
}

static inline void ring_fill_end(struct ring *r, const struct filler *f)
{
	r->tail = f->tail;
}

/*
 * user_data: the slot, and which request of it. A completion finds its slot
 * with the low half alone.
 */
static inline uint64_t request_id(const struct ring *r, const struct slot *s,
				  unsigned int i)
{
	return (uint64_t)i << 32 | (uint32_t)(s - r->slots);
}

static inline struct slot *request_slot(const struct ring *r, uint64_t id)
{
	return &r->slots[(uint32_t)id];
}

static inline unsigned int request_index(uint64_t id)
{
	return id >> 32;
}

#endif
