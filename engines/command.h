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
