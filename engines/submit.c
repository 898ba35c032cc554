// SPDX-License-Identifier: GPL-2.0
/*
 * The way of a fio I/O: queue writes its requests, commit hands them over,
 * getevents waits and collects. With submit_wait, commit does nothing and
 * getevents does both with one io_uring_enter(2), as t/io_uring does.
 */
#include "ring.h"
#include "reap.h"

/*
 * So many enters between looks at the clock that they are some milliseconds
 * apart, whatever an enter takes: where there is no vDSO the clock is a system
 * call, and must not be seen.
 */
static void window_pace(struct ring_window *w, uint64_t now)
{
	const uint64_t since = now - w->looked_ns;

	if (since < 4000000 && w->enters < 1U << 20)
		w->enters *= 2;
	else if (since > 32000000 && w->enters > 1)
		w->enters /= 2;
	w->looked_ns = now;
	w->countdown = w->enters;
}

static void window_update(struct ring *r)
{
	struct ring_window *w = &r->best;
	struct timespec ts;
	uint64_t now;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	now = ts.tv_sec * 1000000000ULL + ts.tv_nsec;
	window_pace(w, now);
	if (w->start_ns && now - w->start_ns < 1000000000ULL)
		return;
	if (w->start_ns) {
		double rate = (r->c.completions - w->requests) * 1e9 /
			(now - w->start_ns);

		if (rate > w->best)
			w->best = rate;
	}
	w->start_ns = now;
	w->requests = r->c.completions;
}

/*
 * The system call itself; through fio's own inline one where it has that, as
 * t/io_uring does: for one request per call, a library's call is seen.
 */
static inline int enter_syscall(const struct ring *r, unsigned int submit,
				unsigned int wait, unsigned int flags)
{
#ifdef FIO_ARCH_HAS_SYSCALL
	return __do_syscall6(__NR_io_uring_enter, r->enter_fd, submit, wait,
			     flags, r->arg, r->arg_size);
#else
	return io_uring_enter2(r->enter_fd, submit, wait, flags,
			       (sigset_t *)r->arg, r->arg_size);
#endif
}

/* Before the last of several batches there is no look at completions. */
static inline unsigned int ring_flags(const struct ring *r, unsigned int submit,
				      unsigned int wait)
{
	if (wait)
		return r->flags_wait;
	return submit < ring_pending(r) ? r->enter_flags : r->flags_peek;
}

static inline int enter(struct ring *r, unsigned int wait)
{
	const unsigned int submit = ring_next_batch(r);
	int ret;

	io_uring_smp_store_release(r->sq_ktail, r->tail);
	ret = enter_syscall(r, submit, wait, ring_flags(r, submit, wait));
	r->c.enters++;
	if (unlikely(!--r->best.countdown))
		window_update(r);
	if (likely(ret > 0)) {
		r->submitted += ret;
		r->inflight += ret;
		r->c.requests += ret;
	}
	return ret;
}

/*
 * One io_uring_enter(2): submit the next batch, wait for that many
 * completions. Returns the requests taken; -errno as the kernel gave it.
 */
int ring_enter(struct ring *r, unsigned int wait)
{
	return enter(r, wait);
}

/*
 * Is an enter's error one to go on after? 0: try again; else -errno, said.
 * EINTR and ETIME took nothing. EAGAIN and EBUSY (io_uring_enter(2)) ask for
 * completions to be reaped before more goes in.
 */
int ring_enter_error(struct ring *r, int ret)
{
	switch (ret) {
	case -EINTR:
	case -ETIME:
		return 0;
	case -EAGAIN:
	case -EBUSY:
		r->c.eagain++;
		r->cmd->reap(r);
		return 0;
	case -EEXIST:
		return refuse(r->td, EEXIST, "ring used outside its thread: a SINGLE_ISSUER ring belongs to the one that made it");
	default:
		/* fio goes on to ask for what is in flight, and asks again */
		if (r->gave_up)
			return ret;
		r->gave_up = true;
		return refuse(r->td, -ret, "io_uring_enter: %s", strerror(-ret));
	}
}

/* The I/Os queued since the last submission are now the kernel's. */
static void ring_stamp(struct ring *r)
{
	struct thread_data *td = r->td;
	struct timespec now;
	unsigned int i;

	if (r->stamp) {
		fio_gettime(&now, NULL);
		for (i = 0; i < r->nr_queued; i++) {
			struct io_u *io_u = r->queued[i]->io_u;

			io_u->issue_time = now;
			io_u_queued(td, io_u);
		}
		if (td->o.read_iolog_file)
			td->last_issue = now;
	}
	io_u_mark_submit(td, r->nr_queued);
	r->nr_queued = 0;
}

/* Hand over all that is pending, without waiting for completions. */
int ring_submit(struct ring *r)
{
	while (ring_pending(r)) {
		int ret = enter(r, 0);

		if (unlikely(ret < 0)) {
			ret = ring_enter_error(r, ret);
			if (ret)
				return ret;
		}
	}
	return 0;
}

static void slot_fill(struct ring *r, struct slot *s, unsigned int first,
		      unsigned int nr)
{
	if (likely(s->ddir == DDIR_READ || s->ddir == DDIR_WRITE))
		r->cmd->fill_rw(r, s, first, nr);
	else if (s->ddir == DDIR_TRIM)
		r->cmd->fill_trim(r, s, first, nr);
	else
		r->cmd->fill_sync(r, s, first, nr);
}

void ring_refill(struct ring *r, struct slot *s, unsigned int nr)
{
	const unsigned int first = s->issued;

	nr = min(nr, s->nr - first);
	s->issued += nr;
	slot_fill(r, s, first, nr);
}

void ring_retry(struct ring *r, struct slot *s, uint64_t id)
{
	r->c.eagain++;
	slot_fill(r, s, request_index(id), 1);
}

void ring_failed(struct ring *r, struct slot *s, int res)
{
	r->c.errors++;
	/* the first of an I/O's errors is the I/O's */
	if (!s->io_u->error)
		s->io_u->error = res < 0 ? -res : EIO;
}

bool ring_bad_result(struct ring *r, struct slot *s,
		     const struct io_uring_cqe *cqe)
{
	if (cqe->res == -EAGAIN) {
		ring_retry(r, s, cqe->user_data);
		return true;
	}
	/* none at all is an end of file that fio does not know of */
	if (cqe->res > 0 && cqe->res < s->expect && s->nr == 1) {
		/* fio goes on where it stopped */
		s->io_u->resid = s->expect - cqe->res;
		return false;
	}
	ring_failed(r, s, cqe->res);
	return false;
}

/* How many requests is this I/O? 0: it cannot be cut that way. */
static unsigned int io_u_requests(const struct ring *r, const struct io_u *io_u)
{
	if (!ddir_rw(io_u->ddir))
		return 1;
	if (io_u->xfer_buflen % r->o->split)
		return 0;
	return r->o->split;
}

static bool command_has(const struct command *c, enum fio_ddir ddir)
{
	switch (ddir) {
	case DDIR_READ:
	case DDIR_WRITE:
		return true;
	case DDIR_TRIM:
		return c->fill_trim;
	case DDIR_SYNC:
	case DDIR_DATASYNC:
		return c->fill_sync;
	default:
		return false;
	}
}

/* How many requests fit into the job's region of the file, and into the file. */
static uint64_t region_requests(const struct fio_file *f, uint32_t len)
{
	return len ? min(f->io_size, f->real_file_size - f->file_offset) / len : 0;
}

/* The file's fd, or its index among the registered ones. */
static int request_fd(const struct ring *r, const struct io_u *io_u)
{
	return r->fixed_files ? io_u->file->fileno : io_u->file->fd;
}

/* What its requests have in common. */
static inline void slot_begin(const struct ring *r, struct slot *s, uint32_t len)
{
	const struct io_u *io_u = s->io_u;
	const struct fio_file *f = io_u->file;

	s->ddir = io_u->ddir;
	s->len = len;
	s->expect = s->status = 0;
	if (r->engine->no_file)
		return;
	s->fd = request_fd(r, io_u);
	if (r->cmd->setup_flags) {
		s->nsid = r->targets[f->fileno].ns.nsid;
		s->lba_shift = r->targets[f->fileno].ns.lba_shift;
	} else {
		s->ioprio = io_u->ioprio;
	}
	if (io_u->ddir != DDIR_READ && io_u->ddir != DDIR_WRITE)
		return;
	s->buf = io_u->xfer_buf;
	s->start = io_u->offset;
	if (r->random_offsets) {
		s->start = f->file_offset;
		s->places = region_requests(f, len);
	}
	/* READ and WRITE return bytes; a command, 0 */
	if (r->cmd->setup_flags == 0)
		s->expect = len;
}

/* Of what is refused here fio says "Invalid argument", and no more. */
static enum fio_q_status io_u_refuse(const struct ring *r, struct io_u *io_u)
{
	const char *name = io_u->file ? io_u->file->file_name : "";

	if (!command_has(r->cmd, io_u->ddir))
		io_u->error = -refuse(r->td, EOPNOTSUPP, "%s: %s is not on this path: leave it out, or use another engine",
				      name, io_ddir_name(io_u->ddir));
	else if (io_u->xfer_buflen % r->o->split)
		io_u->error = -refuse(r->td, EINVAL, "%s: an I/O of %llu bytes is not a multiple of split=%u: change split",
				      name, io_u->xfer_buflen, r->o->split);
	else
		io_u->error = -refuse(r->td, EINVAL, "%s: an I/O of %llu bytes at %llu is not in whole blocks of %u bytes, and passthrough would round it: change its size or place",
				      name, io_u->xfer_buflen, io_u->offset,
				      r->unaligned + 1);
	return FIO_Q_COMPLETED;
}

enum fio_q_status iou_queue(struct thread_data *td, struct io_u *io_u)
{
	struct ring *r = td_ring(td);
	struct slot *s = io_u->engine_data;
	unsigned int nr;
	uint32_t len = 0;

	fio_ro_check(td, io_u);
	nr = io_u_requests(r, io_u);
	if (likely(nr && ddir_rw(io_u->ddir)))
		len = io_u->xfer_buflen / nr;
	if (unlikely(!nr || !command_has(r->cmd, io_u->ddir) ||
		     (len && (io_u->offset | len) & r->unaligned)))
		return io_u_refuse(r, io_u);
	s->nr = s->left = nr;
	s->issued = min(nr, r->window);
	slot_begin(r, s, len);
	slot_fill(r, s, 0, s->issued);
	r->queued[r->nr_queued++] = s;
	return FIO_Q_QUEUED;
}

int iou_commit(struct thread_data *td)
{
	struct ring *r = td_ring(td);
	int ret;

	if (r->submit_wait || !ring_pending(r))
		return 0;
	ret = ring_submit(r);
	if (!ret && r->nr_queued)
		ring_stamp(r);
	return ret;
}

/*
 * The completions to wait for until that many more I/Os can be whole. Never
 * more than there can be, or the wait would not end; and none while there is
 * another whole batch to submit, or the depth that was asked for is never
 * reached. Less than one waits for its rest, as in t/io_uring.
 */
static inline unsigned int ring_wait_nr(const struct ring *r, unsigned int need,
					unsigned int max)
{
	const unsigned int submit = ring_next_batch(r);

	if (ring_pending(r) - submit >= r->batch)
		return 0;
	if (r->min_wait && max > need)
		need = max;
	return min(r->inflight + submit, need * r->window);
}

static void min_wait_set(struct ring *r, unsigned int usec)
{
	r->min_wait = usec;
	r->wait_arg.min_wait_usec = usec;
}

/*
 * Wait until min I/Os are whole, with as few enters as it takes: each waits
 * for what is still missing and brings all that there is. Of several, the
 * first alone has a least time (min_wait=).
 */
static inline int wait_for(struct ring *r, unsigned int min, unsigned int max)
{
	int ret;

	do {
		const unsigned int whole = ring_ready(r);

		ret = enter(r, whole < min ? ring_wait_nr(r, min - whole, max) : 0);
		ret = unlikely(ret < 0) ? ring_enter_error(r, ret) : 0;
		if (unlikely(ret))
			break;
		r->cmd->reap(r);
		if (unlikely(r->min_wait))
			min_wait_set(r, 0);
	} while (ring_ready(r) < min);
	if (unlikely(r->arg))
		min_wait_set(r, r->o->min_wait);
	return ret;
}

static int getevents(struct ring *r, unsigned int min, unsigned int max)
{
	int ret;

	r->ready_head += r->returned;
	r->returned = 0;
	if (!ring_pending(r))
		r->cmd->reap(r);
	else if (r->nr_queued)
		ring_stamp(r);
	if (ring_pending(r) || ring_ready(r) < min || (!min && r->wait_enters)) {
		ret = wait_for(r, min, max);
		if (ret)
			return ret;
	}
	if (!r->submit_wait && ring_pending(r)) {
		ret = ring_submit(r);
		if (ret)
			return ret;
	}
	r->returned = min(ring_ready(r), max);
	return r->returned;
}

#ifdef CONFIG_GETEVENTS_CONST
int iou_getevents(struct thread_data *td, unsigned int min, unsigned int max,
		  const struct timespec *t)
#else
int iou_getevents(struct thread_data *td, unsigned int min, unsigned int max,
		  struct timespec *t)
#endif
{
	/* t is only ever "don't wait", and then min is 0 */
	return getevents(td_ring(td), min, max);
}

struct io_u *iou_event(struct thread_data *td, int event)
{
	struct ring *r = td_ring(td);

	return r->ready[(r->ready_head + event) & r->ready_mask];
}
