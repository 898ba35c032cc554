/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an engine is: fio's ops, and what its path demands of the ring.
 *
 * Each engines/iou_*.c is one literal of this struct. The core gets back to
 * it from the thread with ring_engine(), so it never asks which engine it
 * serves and holds no mutable globals: jobs may be threads of one process.
 */
#ifndef FIO_IOU_ENGINE_H
#define FIO_IOU_ENGINE_H

#include <liburing.h>

#include "options/common.h"
#include "build/config.h"

#ifndef likely
#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)
#endif

struct ring;

struct ring_engine {
	struct ioengine_ops ops;	/* first: this is all that fio sees */

	/* IORING_SETUP_*: all of them, or the job fails. */
	unsigned int required_flags;

	/* IOSQE_* on every request (see also async_every=). */
	unsigned int sqe_flags;

	/* No-ops: no file, no data. */
	bool no_file;

	/* May be NULL. The ring exists: set what lives in it. -errno. */
	int (*ring_ready)(struct ring *r);
};

/* The symbol that fio looks up. */
extern struct ring_engine ioengine;

static inline struct ring_engine *ring_engine(struct thread_data *td)
{
	return container_of(td->io_ops, struct ring_engine, ops);
}

static inline bool ring_engine_polled(const struct ring_engine *e)
{
	return e->required_flags & IORING_SETUP_IOPOLL;
}

/*
 * Refuse the job: one line for the human, the cause for fio. The clones of a
 * job (numjobs=) tend to fail alike: who comes after one that did is silent.
 * Returns -err.
 */
int refuse(struct thread_data *td, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* fio's callbacks, in the order in which fio calls them. */
int iou_setup(struct thread_data *td);
int iou_get_file_size(struct thread_data *td, struct fio_file *f);
int iou_init(struct thread_data *td);
int iou_io_u_init(struct thread_data *td, struct io_u *io_u);
int iou_post_init(struct thread_data *td);
int iou_open_file(struct thread_data *td, struct fio_file *f);
int iou_close_file(struct thread_data *td, struct fio_file *f);
int iou_nop_open_file(struct thread_data *td, struct fio_file *f);
int iou_nop_close_file(struct thread_data *td, struct fio_file *f);
enum fio_q_status iou_queue(struct thread_data *td, struct io_u *io_u);
int iou_commit(struct thread_data *td);
#ifdef CONFIG_GETEVENTS_CONST
int iou_getevents(struct thread_data *td, unsigned int min, unsigned int max,
		  const struct timespec *t);
#else
int iou_getevents(struct thread_data *td, unsigned int min, unsigned int max,
		  struct timespec *t);
#endif
struct io_u *iou_event(struct thread_data *td, int event);
#ifdef CONFIG_ERRDETAILS_TD
char *iou_errdetails(struct thread_data *td, struct io_u *io_u);
#else
char *iou_errdetails(struct io_u *io_u);
#endif
void iou_cleanup(struct thread_data *td);

#endif
