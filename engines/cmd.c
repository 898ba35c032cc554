// SPDX-License-Identifier: GPL-2.0
/*
 * NVMe passthrough: URING_CMD on /dev/ngXnY (5.19; polled from 6.1 on). The
 * command travels in the second half of a 128-byte SQE; its completion is the
 * command's status, 0 when it went well: there is no byte count.
 */
#include <linux/nvme_ioctl.h>
#include <nvme/types.h>

#include "command.h"
#include "reap.h"

static inline struct nvme_uring_cmd *sqe_cmd(struct io_uring_sqe *sqe)
{
	return (struct nvme_uring_cmd *)sqe->cmd;
}

static inline const struct target *slot_target(const struct ring *r,
					       const struct slot *s)
{
	return &r->targets[s->io_u->file->fileno];
}

/* What every command writes; the rest is zero for good, see prefill(). */
static inline struct nvme_uring_cmd *
fill_common(const struct ring *r, const struct slot *s, struct io_uring_sqe *sqe,
	    unsigned int i, unsigned char flags, uint8_t opcode, uint32_t nsid)
{
	struct nvme_uring_cmd *cmd = sqe_cmd(sqe);

	sqe->flags = flags;
	sqe->fd = request_fd(r, s->io_u);
	sqe->uring_cmd_flags = 0;
	sqe->buf_index = 0;
	sqe->user_data = request_id(r, s, i);
	cmd->opcode = opcode;
	cmd->nsid = nsid;
	return cmd;
}

static inline __attribute__((always_inline)) void
fill_rw(struct ring *r, struct slot *s, unsigned int first, unsigned int nr,
	const bool random, const bool some_async)
{
	const struct io_u *io_u = s->io_u;
	const struct fio_file *f = io_u->file;
	const struct target *t = slot_target(r, s);
	const unsigned int shift = t->ns.lba_shift;
	const uint64_t blocks = random ? region_requests(f, s->len) : 0;
	const uint32_t nlb = (s->len >> shift) - 1;
	const uint8_t opcode = io_u->ddir == DDIR_READ ? nvme_cmd_read :
							 nvme_cmd_write;
	unsigned char flags = r->sqe_flags;
	struct filler next = ring_fill_begin(r);
	uint64_t rand_state = r->random;
	unsigned int i, place = random ? first_place(r, first) : first;

	for (i = first; i < first + nr; i++) {
		struct io_uring_sqe *sqe = filler_next(&next, 1);
		struct nvme_uring_cmd *cmd;
		const uint64_t at = (uint64_t)place * s->len;
		uint64_t slba;

		if (some_async)
			flags = r->sqe_flags | async_flag(r);
		cmd = fill_common(r, s, sqe, i, flags, opcode, t->ns.nsid);
		if (random)
			slba = (f->file_offset +
				rand_below(&rand_state, blocks) * s->len) >> shift;
		else
			slba = (io_u->offset + at) >> shift;
		cmd->cdw10 = slba;
		cmd->cdw11 = slba >> 32;
		cmd->cdw12 = nlb;
		cmd->addr = (uintptr_t)io_u->xfer_buf + at;
		cmd->data_len = s->len;
		if (r->fixed_bufs) {
			sqe->uring_cmd_flags = IORING_URING_CMD_FIXED;
			sqe->buf_index = request_buffer(r, s, place);
		}
		place = random ? next_place(r, place) : place + 1;
	}
	r->random = rand_state;
	ring_fill_end(r, &next);
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

/* The namespace's volatile cache to its media; there is no lesser flush. */
static void fill_flush(struct ring *r, struct slot *s, unsigned int first,
		       unsigned int nr)
{
	struct filler next = ring_fill_begin(r);
	struct nvme_uring_cmd *cmd;

	cmd = fill_common(r, s, filler_next(&next, 1), first, request_flags(r),
			  nvme_cmd_flush, slot_target(r, s)->ns.nsid);
	cmd->cdw10 = cmd->cdw11 = cmd->cdw12 = 0;
	cmd->addr = cmd->data_len = 0;
	ring_fill_end(r, &next);
}

/* Dataset Management, deallocate: one range a command, kept until it ends. */
static void fill_deallocate(struct ring *r, struct slot *s, unsigned int first,
			    unsigned int nr)
{
	const struct target *t = slot_target(r, s);
	struct filler next = ring_fill_begin(r);
	unsigned int i;

	for (i = first; i < first + nr; i++) {
		struct nvme_dsm_range *range =
			&r->dsm[(s - r->slots) * r->o->split + i];
		struct nvme_uring_cmd *cmd;
		const uint64_t at = s->io_u->offset + (uint64_t)i * s->len;

		range->cattr = 0;
		range->nlb = htole32(s->len >> t->ns.lba_shift);
		range->slba = htole64(at >> t->ns.lba_shift);
		cmd = fill_common(r, s, filler_next(&next, 1), i,
				  request_flags(r), nvme_cmd_dsm, t->ns.nsid);
		cmd->cdw10 = 0;			/* ranges, from 0 */
		cmd->cdw11 = NVME_DSMGMT_AD;
		cmd->cdw12 = 0;
		cmd->addr = (uintptr_t)range;
		cmd->data_len = sizeof(*range);
	}
	ring_fill_end(r, &next);
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
	return &cmd_commands[r->o->split_offset == SPLIT_RANDOM]
			    [r->async_every > 1][r->window < r->o->split];
}
