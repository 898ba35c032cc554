// SPDX-License-Identifier: GPL-2.0
/*
 * A ring's life. It is made in post_init: there the buffers exist, and there
 * runs the thread that submits, as SINGLE_ISSUER wants it.
 */
#include <nvme/types.h>

#include "command.h"
#include "iowq.h"

#define MAX_BUFFERS	16384	/* IORING_MAX_REG_BUFFERS of the kernel */
#define OP_PIPE		62	/* IORING_OP_PIPE, Linux 6.16 */

static unsigned int pow2_at_least(unsigned int n)
{
	return n <= 1 ? 1 : 1U << (32 - __builtin_clz(n - 1));
}

/* The size of all the job's I/Os, or 0: they differ. */
static unsigned long long one_size(const struct thread_options *o)
{
	unsigned long long bs = 0;
	unsigned int ddir;

	for (ddir = 0; ddir < DDIR_RWDIR_CNT; ddir++) {
		if (!(o->td_ddir & (1 << ddir)))
			continue;
		if (o->min_bs[ddir] != o->max_bs[ddir] ||
		    (bs && bs != o->min_bs[ddir]))
			return 0;
		bs = o->min_bs[ddir];
	}
	return bs;
}

/* What the kernel locks of the buffers, in bytes: whole pages of each. */
static unsigned long long locked_bytes(const struct iovec *iov, unsigned int n)
{
	const uintptr_t page = sysconf(_SC_PAGESIZE);
	unsigned long long bytes = 0;

	for (; n; n--, iov++) {
		const uintptr_t start = (uintptr_t)iov->iov_base;

		bytes += (start + iov->iov_len + page - 1) / page * page -
			start / page * page;
	}
	return bytes;
}

/*
 * Is a request anywhere in a large registered buffer as cheap as at its start? Since
 * Linux 6.16 the block layer is told of the request's own segments; up to 6.12 at
 * least, of all those behind it too (io_import_fixed()). Nothing says which it is but
 * what else came then: an opcode.
 */
static bool large_buffers(struct ring *r)
{
	struct io_uring_probe *probe = io_uring_get_probe_ring(&r->uring);
	bool yes = probe && probe->last_op >= OP_PIPE;

	io_uring_free_probe(probe);
	return yes;
}

/*
 * The kernel keeps lists and counts of each buffer, up to a KiB that it looks at for
 * every request, so there are not to be many: one an I/O. Where that is not cheap the
 * memory of an I/O, so many places of len bytes, is divided into a buffer per page,
 * or per request where that is the larger. (Older t/io_uring have a buffer per
 * request, the newest one for all.) Returns the bytes of a buffer, or 0: all.
 */
static unsigned long long divide_buffers(struct ring *r, unsigned long long len,
					 unsigned int places)
{
	const unsigned long long page = sysconf(_SC_PAGESIZE);
	unsigned int shift = 0;

	if (large_buffers(r))
		return 0;
	while (len << (shift + 1) <= page)
		shift++;
	places = (places + (1U << shift) - 1) >> shift;
	if (r->nr_slots * places > MAX_BUFFERS)
		return 0;
	r->bufs_per_slot = places;
	r->buf_shift = shift;
	return len << shift;
}

/*
 * Where sizes vary, requests would straddle such buffers; then, and where there
 * would be too many, a buffer per I/O.
 */
static int register_buffers(struct ring *r)
{
	/* td_max_bs() looks at directions too that the job does not have */
	const unsigned long long one = one_size(&r->td->o);
	const unsigned long long len = one / r->o->split;
	const unsigned int places = r->random_offsets ? r->window : r->o->split;
	unsigned long long all = len ? len * places : td_max_bs(r->td), each;
	struct iovec *iov;
	unsigned int i, n;
	int ret;

	r->bufs_per_slot = 1;
	each = len ? divide_buffers(r, len, places) : 0;
	if (!each)
		each = all;
	n = r->nr_slots * r->bufs_per_slot;
	iov = calloc(n, sizeof(*iov));
	if (!iov)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		const unsigned long long at = i % r->bufs_per_slot * each;

		iov[i].iov_len = min(each, all - at);
		iov[i].iov_base = (char *)r->slots[i / r->bufs_per_slot].io_u->buf + at;
	}
	ret = io_uring_register_buffers(&r->uring, iov, n);
	if (!ret) {
		r->nr_bufs = n;
	} else if (ret == -ENOMEM) {
		struct rlimit lim = { 0 };

		getrlimit(RLIMIT_MEMLOCK, &lim);
		ret = refuse(r->td, ENOMEM, "fixedbufs needs %llu bytes of locked memory and the limit is %llu per user, over all jobs: raise it (ulimit -l, limits.conf), or leave fixedbufs out",
			     locked_bytes(iov, n), (unsigned long long)lim.rlim_cur);
	} else {
		ret = refuse(r->td, -ret, "registering %u buffers: %s: lower iodepth or bs, or leave fixedbufs out",
			     n, strerror(-ret));
	}
	free(iov);
	return ret;
}

/*
 * A place for each file by its number; files come and go with open and close.
 * (f->engine_pos is not for that: fio clears it when it closes a file.)
 */
static int register_files(struct ring *r)
{
	const unsigned int n = r->td->o.nr_files;
	struct fio_file *f;
	unsigned int i;
	int *fds, ret;

	fds = malloc(n * sizeof(*fds));
	if (!fds)
		return -ENOMEM;
	for_each_file(r->td, f, i)
		fds[i] = fio_file_open(f) ? f->fd : -1;
	ret = io_uring_register_files(&r->uring, fds, n);
	free(fds);
	if (ret)
		return refuse(r->td, -ret, "registering %u files: %s: raise ulimit -n, or leave registerfiles out",
			      n, strerror(-ret));
	r->fixed_files = true;
	r->sqe_flags |= IOSQE_FIXED_FILE;
	return 0;
}

static int alloc_slots(struct ring *r)
{
	const unsigned int n = r->nr_slots;

	r->ready_mask = pow2_at_least(n) - 1;
	r->ready = calloc(r->ready_mask + 1, sizeof(*r->ready));
	r->queued = calloc(n, sizeof(*r->queued));
	if (!r->ready || !r->queued)
		return -ENOMEM;
	/* trim_backlog= and replays trim without being trim jobs */
	if (r->targets[0].kind == TARGET_CHAR) {
		r->dsm = calloc((size_t)n * r->o->split, sizeof(*r->dsm));
		if (!r->dsm)
			return -ENOMEM;
	}
	return 0;
}

static int register_resources(struct ring *r)
{
	int ret;

	if (r->o->registerfiles && !r->engine->no_file) {
		ret = register_files(r);
		if (ret)
			return ret;
	}
	/* trims carry no data, and then fio allocates no buffers */
	if (r->o->fixedbufs && !r->engine->no_file &&
	    (td_read(r->td) || td_write(r->td))) {
		ret = register_buffers(r);
		if (ret)
			return ret;
	}
	return 0;
}

/* What an enter is called with, decided once. */
static int prepare_enter(struct ring *r)
{
	r->flags_wait = r->enter_flags | IORING_ENTER_GETEVENTS;
	r->flags_peek = r->wait_enters ? r->flags_wait : r->enter_flags;
	if (!r->o->min_wait)
		return 0;
	if (!(r->params.features & IORING_FEAT_MIN_TIMEOUT))
		return refuse(r->td, EINVAL, "this kernel has no minimum wait (IORING_FEAT_MIN_TIMEOUT, Linux 6.12): boot a newer one, or leave min_wait out");
	r->min_wait = true;
	r->wait_arg.min_wait_usec = r->o->min_wait;
	/* without a timeout the kernel comes back after min_wait with nothing */
	r->wait_most.tv_sec = 3600;
	r->wait_arg.ts = (uintptr_t)&r->wait_most;
	r->arg = &r->wait_arg;
	r->arg_size = sizeof(r->wait_arg);
	r->flags_wait |= IORING_ENTER_EXT_ARG;
	return 0;
}

/* The largest block of the devices' decides: the job's sizes fit them all. */
static uint32_t unaligned_bits(const struct ring *r)
{
	uint32_t bits = 0;
	unsigned int i;

	for (i = 0; i < r->nr_targets; i++)
		if (r->targets[i].kind == TARGET_CHAR)
			bits |= (1U << r->targets[i].ns.lba_shift) - 1;
	return bits;
}

static const struct command *choose_command(const struct ring *r)
{
	if (r->engine->no_file)
		return nop_command(r);
	if (r->targets[0].kind == TARGET_CHAR)
		return cmd_command(r);
	return rw_command(r);
}

/*
 * fio hands over no more than iodepth_batch= I/Os at once. Where the engine
 * writes requests of its own accord (split_depth=) it keeps to the same, or
 * whatever was reaped together would go in together from then on.
 */
static unsigned int batch_of(const struct ring *r)
{
	if (r->window == r->o->split)
		return UINT_MAX;
	return max(r->td->o.iodepth_batch, 1U) * r->window;
}

/*
 * The ring and all that is registered with it, for the calling thread.
 * Returns -errno; the reason has been said.
 */
int ring_create(struct ring *r)
{
	struct thread_data *td = r->td;
	int ret;

	r->async_every = r->async_left = max(r->o->async_every, 1U);
	r->sqe_flags = r->engine->sqe_flags;
	if (r->async_every > 1)
		r->sqe_flags &= ~IOSQE_ASYNC;
	r->window = r->o->split_depth ? min(r->o->split_depth, r->o->split) :
					r->o->split;
	r->batch = batch_of(r);
	r->unaligned = unaligned_bits(r);
	r->submit_wait = r->o->submit_wait;
	r->buf_shift = 31;
	r->random_offsets = r->o->split_offset == SPLIT_RANDOM;
	r->stamp = fio_fill_issue_time(td);
	r->random = td->rand_seeds[FIO_RAND_BLOCK_OFF] + td->thread_number;
	r->best.enters = r->best.countdown = 1;
	r->cmd = choose_command(r);

	ret = alloc_slots(r);
	if (ret)
		return refuse(td, -ret, "no memory for %u I/Os in flight",
			      r->nr_slots);
	ret = ring_setup(r, pow2_at_least(r->nr_slots * r->window));
	if (ret)
		return ret;
	ret = register_resources(r);
	if (ret)
		return ret;
	if (r->cmd->blocks) {
		r->owners = calloc(r->params.sq_entries / r->window,
				   sizeof(*r->owners));
		if (!r->owners)
			return refuse(td, ENOMEM, "no memory for the ring");
	}
	r->cmd->prefill(r);
	ret = prepare_enter(r);
	if (!ret && r->engine->ring_ready)
		ret = r->engine->ring_ready(r);
	return ret;
}

void ring_destroy(struct ring *r)
{
	unsigned int i;

	if (r->exists) {
		if (r->registered_fd)
			io_uring_unregister_ring_fd(&r->uring);
		io_uring_queue_exit(&r->uring);
	}
	free(r->owners);
	free(r->dsm);
	free(r->queued);
	free(r->ready);
	free(r->slots);
	for (i = 0; r->targets && i < r->nr_targets; i++)
		target_free(&r->targets[i]);
	free(r->targets);
	free(r);
}
