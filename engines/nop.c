// SPDX-License-Identifier: GPL-2.0
/* No-ops: what a request costs when there is nothing to do. */
#include "command.h"
#include "reap.h"

#define TW_CANARY	0x1e57

static void prefill(struct ring *r)
{
	unsigned int i;

	memset(r->sqes, 0, (r->sq_mask + 1) * sizeof(*r->sqes));
	for (i = 0; i <= r->sq_mask; i++) {
		r->sqes[i].opcode = IORING_OP_NOP;
		r->sqes[i].flags = r->sqe_flags;
		/* nop_flags, where every opcode has its own */
		if (r->o->tw)
			r->sqes[i].rw_flags = IORING_NOP_TW;
	}
}

/* All else was prefilled. */
static void fill(struct ring *r, struct slot *s, unsigned int first,
		 unsigned int nr)
{
	unsigned int i;

	for (i = first; i < first + nr; i++)
		ring_next_sqe(r)->user_data = request_id(r, s, i);
}

static void reap(struct ring *r)
{
	reap_loop(r, 0, false, ring_bad_result);
}

static void reap_windowed(struct ring *r)
{
	reap_loop(r, 0, true, ring_bad_result);
}

#define NOP_COMMAND(_reap) {						\
	.name = "nop", .prefill = prefill, .fill_rw = fill, .reap = _reap, \
}

static const struct command nop_commands[2] = {
	NOP_COMMAND(reap), NOP_COMMAND(reap_windowed),
};

const struct command *nop_command(const struct ring *r)
{
	return &nop_commands[r->window < r->o->split];
}

/*
 * Kernels before 6.10 take any nop_flags and do nothing about them; from
 * 6.10 on an unknown one is EINVAL. So ask for a result with it: only a
 * kernel that reads the flags gives it back.
 */
int nop_check_tw(struct ring *r)
{
	struct io_uring_sqe *sqe = ring_next_sqe(r);
	const struct io_uring_sqe saved = *sqe;
	struct io_uring_cqe *cqe;
	int ret, res;

	sqe->rw_flags = IORING_NOP_TW | IORING_NOP_INJECT_RESULT;
	sqe->len = TW_CANARY;
	ret = ring_enter(r, 1);
	if (ret < 0)
		return ring_enter_error(r, ret);
	*sqe = saved;
	cqe = &r->cqes[*r->cq_khead & r->cq_mask];
	res = cqe->res;
	io_uring_smp_store_release(r->cq_khead, *r->cq_khead + 1);
	r->inflight--;
	memset(&r->c, 0, sizeof(r->c));
	if (res != TW_CANARY)
		return refuse(r->td, EINVAL, "this kernel does not complete no-ops through task work (IORING_NOP_TW, Linux 6.15): boot a newer one, or leave tw out");
	return 0;
}
