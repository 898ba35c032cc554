// SPDX-License-Identifier: GPL-2.0
/*
 * NVMe passthrough: URING_CMD on /dev/ngXnY (5.19; polled from 6.1 on). The
 * command travels in the second half of a 128-byte SQE; its completion is the
 * command's status, 0 when it went well: there is no byte count.
 */
#include <linux/nvme_ioctl.h>
#include <nvme/types.h>

#include "fill.h"
#include "reap.h"

static inline struct nvme_uring_cmd *sqe_cmd(struct io_uring_sqe *sqe)
{
	return (struct nvme_uring_cmd *)sqe->cmd;
}

/* What a slot's commands have in common; the rest is zero, see prefill(). */
static inline void fill_common(const struct slot *s, struct io_uring_sqe *sqe,
			       unsigned char flags, uint8_t opcode)
{
	struct nvme_uring_cmd *cmd = sqe_cmd(sqe);

	sqe->flags = flags;
	sqe->fd = s->fd;
	cmd->opcode = opcode;
	cmd->nsid = s->nsid;
}

static inline void write_common(const struct ring *r, const struct slot *s,
				struct io_uring_sqe *sqe, unsigned char flags)
{
	struct nvme_uring_cmd *cmd = sqe_cmd(sqe);

	fill_common(s, sqe, flags, s->ddir == DDIR_READ ? nvme_cmd_read :
							  nvme_cmd_write);
	sqe->uring_cmd_flags = r->nr_bufs ? IORING_URING_CMD_FIXED : 0;
	cmd->cdw12 = (s->len >> s->lba_shift) - 1;
	cmd->data_len = s->len;
}

static inline void write_place(struct io_uring_sqe *sqe, uint64_t at,
			       uint64_t addr)
{
	struct nvme_uring_cmd *cmd = sqe_cmd(sqe);

	cmd->cdw10 = at;
	cmd->cdw11 = at >> 32;
	cmd->addr = addr;
}

static inline __attribute__((always_inline)) void
fill_rw(struct ring *r, struct slot *s, unsigned int first, unsigned int nr,
	const bool random, const bool some_async)
{
	fill_requests(r, s, first, nr, random, some_async, 1, write_common,
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

/* One that is neither read nor write: the caller sets addr, data_len, cdw10-12. */
static struct nvme_uring_cmd *fill_other(struct ring *r, struct slot *s,
					 unsigned int i, uint8_t opcode)
{
	struct filler next = ring_fill_begin(r);
	struct io_uring_sqe *sqe = filler_next(&next, 1);

	ring_fill_end(r, &next);
	sqes_differ(r);
	fill_common(s, sqe, request_flags(r), opcode);
	sqe->uring_cmd_flags = 0;
	sqe->buf_index = 0;
	sqe->user_data = request_id(r, s, i);
	return sqe_cmd(sqe);
}

/* The namespace's volatile cache to its media; there is no lesser flush. */
static void fill_flush(struct ring *r, struct slot *s, unsigned int first,
		       unsigned int nr)
{
	struct nvme_uring_cmd *cmd = fill_other(r, s, first, nvme_cmd_flush);

	cmd->cdw10 = cmd->cdw11 = cmd->cdw12 = 0;
	cmd->addr = cmd->data_len = 0;
}

/* Dataset Management, deallocate: one range a command, kept until it ends. */
static void fill_deallocate(struct ring *r, struct slot *s, unsigned int first,
			    unsigned int nr)
{
	const unsigned int shift = s->lba_shift;
	unsigned int i;

	for (i = first; i < first + nr; i++) {
		struct nvme_dsm_range *range =
			&r->dsm[(s - r->slots) * r->o->split + i];
		struct nvme_uring_cmd *cmd;
		const uint64_t at = s->io_u->offset + (uint64_t)i * s->len;

		range->cattr = 0;
		range->nlb = htole32(s->len >> shift);
		range->slba = htole64(at >> shift);
		cmd = fill_other(r, s, i, nvme_cmd_dsm);
		cmd->cdw10 = 0;			/* ranges, from 0 */
		cmd->cdw11 = NVME_DSMGMT_AD;
		cmd->cdw12 = 0;
		cmd->addr = (uintptr_t)range;
		cmd->data_len = sizeof(*range);
	}
}

static void prefill(struct ring *r)
{
	unsigned int i;

	memset(r->sqes, 0, (r->sq_mask + 1) * 2 * sizeof(*r->sqes));
	for (i = 0; i <= r->sq_mask; i++) {
		r->sqes[i << 1].opcode = IORING_OP_URING_CMD;
		/* cmd_op: the low half of off */
		r->sqes[i << 1].off = NVME_URING_CMD_IO;
	}
}

/* Positive: the device's status. Negative: the kernel refused the command. */
static bool bad_status(struct ring *r, struct slot *s,
		       const struct io_uring_cqe *cqe)
{
	struct io_u *io_u = s->io_u;

	if (cqe->res <= 0)
		return ring_bad_result(r, s, cqe);
	r->c.errors++;
	if (io_u->error)
		return false;
	s->status = cqe->res;
	io_u->error = nvme_errno(cqe->res);
#ifdef CONFIG_DEVICE_ERROR
	io_u_set(r->td, io_u, IO_U_F_DEVICE_ERROR);
#endif
	return false;
}

static void reap(struct ring *r)
{
	reap_loop(r, 1, false, bad_status);
}

static void reap_windowed(struct ring *r)
{
	reap_loop(r, 1, true, bad_status);
}

#define CMD_COMMAND(_fill, _reap) {					\
	.name = "cmd",							\
	.setup_flags = IORING_SETUP_SQE128 | IORING_SETUP_CQE32,	\
	.prefill = prefill, .fill_rw = _fill, .fill_sync = fill_flush,	\
	.fill_trim = fill_deallocate, .reap = _reap,			\
}

/* [random][some requests async][windowed] */
static const struct command cmd_commands[2][2][2] = {
	{ { CMD_COMMAND(fill_contiguous, reap),
	    CMD_COMMAND(fill_contiguous, reap_windowed) },
	  { CMD_COMMAND(fill_contiguous_async, reap),
	    CMD_COMMAND(fill_contiguous_async, reap_windowed) } },
	{ { CMD_COMMAND(fill_random, reap),
	    CMD_COMMAND(fill_random, reap_windowed) },
	  { CMD_COMMAND(fill_random_async, reap),
	    CMD_COMMAND(fill_random_async, reap_windowed) } },
};

const struct command *cmd_command(const struct ring *r)
{
	return &cmd_commands[r->random_offsets]
			    [r->async_every > 1][r->window < r->o->split];
}
