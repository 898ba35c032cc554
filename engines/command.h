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
static inline unsigned int first_place(const struct ring *r, unsigned int i)
{
	return r->window < r->o->split ? i % r->window : i;
}

static inline unsigned int next_place(const struct ring *r, unsigned int place)
{
	return place + 1 == r->window ? 0 : place + 1;
}

/* The registered buffer of that place. */
static inline uint16_t request_buffer(const struct ring *r,
				      const struct slot *s, unsigned int place)
{
	return (s - r->slots) * r->bufs_per_slot +
		(r->bufs_per_slot > 1 ? place : 0);
}

/* How many requests fit into the job's region of the file, and into the file. */
static inline uint64_t region_requests(const struct fio_file *f, uint32_t len)
{
	return len ? min(f->io_size, f->real_file_size - f->file_offset) / len : 0;
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
