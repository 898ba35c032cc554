// SPDX-License-Identifier: GPL-2.0
/*
 * Setting up the io_uring: the path's flags or nothing.
 *
 * Required flags make the path; one that the kernel refuses ends the job with
 * its name. Optional flags change what a request costs, not which way it
 * goes; a kernel may lack them, and the report says which were granted.
 */
#include <sys/utsname.h>

#include "ring.h"
#include "flags.h"

#define OPTIONAL_FLAGS	(IORING_SETUP_NO_SQARRAY | IORING_SETUP_CQSIZE)

static int try_setup(unsigned int entries, unsigned int flags,
		     struct io_uring_params *p)
{
	memset(p, 0, sizeof(*p));
	p->flags = flags;
	if (flags & IORING_SETUP_CQSIZE)
		p->cq_entries = entries;
	return io_uring_setup(entries, p);
}

/* Would the kernel take these flags? A ring of one entry, for a moment. */
static bool flags_work(unsigned int flags)
{
	struct io_uring_params p;
	int fd = try_setup(1, flags, &p);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

/* The optional flags that this kernel knows, each tried on its own. */
static unsigned int optional_known(void)
{
	unsigned int known = 0, bit;

	for (bit = 1; bit && bit <= OPTIONAL_FLAGS; bit <<= 1)
		if ((OPTIONAL_FLAGS & bit) && flags_work(bit))
			known |= bit;
	return known;
}

/*
 * Which required flag is the kernel's trouble? They are added in the table's
 * order, in which none comes before one that it needs.
 */
static const struct setup_flag *refused_flag(unsigned int required)
{
	const struct setup_flag *f;
	unsigned int flags = 0;

	for (f = setup_flags; f->name; f++) {
		if (!(required & f->bit))
			continue;
		flags |= f->bit;
		/* HYBRID_IOPOLL and DEFER_TASKRUN are listed after their base */
		if (!flags_work(flags))
			return f;
	}
	return NULL;
}

static int setup_refused(struct ring *r, unsigned int entries, int ret,
			 unsigned int required)
{
	const struct setup_flag *f;
	struct utsname u;

	switch (ret) {
	case -EINVAL:
		f = refused_flag(required);
		if (f && !uname(&u))
			return refuse(r->td, EINVAL, "this kernel (%s) refuses IORING_SETUP_%s, which came with Linux %s: boot a newer one, there is no fallback",
				      u.release, f->name, f->since);
		return refuse(r->td, EINVAL, "the kernel refuses a ring of %u entries: lower iodepth or split, or set split_depth",
			      entries);
	case -ENOMEM:
		return refuse(r->td, ENOMEM, "no memory for a ring of %u entries: raise the locked-memory limit (ulimit -l), which counts per user over all jobs, or lower iodepth",
			      entries);
	case -EPERM:
		return refuse(r->td, EPERM, "io_uring is not permitted here: see sysctl kernel.io_uring_disabled, or the container's seccomp profile");
	case -ENOSYS:
		return refuse(r->td, ENOSYS, "io_uring is not there: blocked by a seccomp profile, or not built into this kernel (CONFIG_IO_URING)");
	default:
		return refuse(r->td, -ret, "io_uring_setup: %s", strerror(-ret));
	}
}

static int setup_fd(struct ring *r, unsigned int entries,
		    struct io_uring_params *p)
{
	const unsigned int required = r->asked_flags & ~OPTIONAL_FLAGS;
	int fd;

	fd = try_setup(entries, r->asked_flags, p);
	if (fd == -EINVAL)
		fd = try_setup(entries, required | optional_known(), p);
	if (fd < 0)
		return setup_refused(r, entries, fd, required);
	/* The kernel echoes what it granted; hold it to that. */
	if ((p->flags & required) != required) {
		close(fd);
		return refuse(r->td, EINVAL, "the kernel granted flags 0x%x of 0x%x",
			      p->flags & required, required);
	}
	return fd;
}

/*
 * Without NO_SQARRAY the kernel finds SQEs through an array of indices; ours
 * is the identity for good. io_uring_queue_mmap() leaves it to us, and does
 * not touch it in any liburing, as the init calls of some versions would.
 */
static void setup_sqarray(struct io_uring *u, const struct io_uring_params *p)
{
	unsigned int *array, i;

	if (p->flags & IORING_SETUP_NO_SQARRAY)
		return;
	array = (unsigned int *)((char *)u->sq.ring_ptr + p->sq_off.array);
	for (i = 0; i < p->sq_entries; i++)
		array[i] = i;
}

static unsigned int taskrun_flags(const struct ring *r)
{
	switch (r->o->taskrun) {
	case TASKRUN_COOP:
		return IORING_SETUP_COOP_TASKRUN;
	case TASKRUN_DEFER:
		return IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN;
	default:
		return 0;
	}
}

static void setup_registered_fd(struct ring *r)
{
	/* Optional (5.18): spares the kernel a file lookup per enter. */
	if (io_uring_register_ring_fd(&r->uring) == 1) {
		r->registered_fd = true;
		r->enter_flags |= IORING_ENTER_REGISTERED_RING;
	}
	r->enter_fd = r->uring.enter_ring_fd;
}

/*
 * The ring, of at least sq_entries; it belongs to the calling thread, which
 * must be the one that submits. -errno, said.
 */
int ring_setup(struct ring *r, unsigned int sq_entries)
{
	struct io_uring_params *p = &r->params;
	int fd, ret;

	r->asked_flags = r->engine->required_flags | taskrun_flags(r) |
		r->cmd->setup_flags | OPTIONAL_FLAGS;
	fd = setup_fd(r, sq_entries, p);
	if (fd < 0)
		return fd;
	ret = io_uring_queue_mmap(fd, p, &r->uring);
	if (ret) {
		close(fd);
		return refuse(r->td, -ret, "mapping the ring: %s", strerror(-ret));
	}
	r->exists = true;
	r->uring.features = p->features;
	setup_sqarray(&r->uring, p);
	setup_registered_fd(r);

	r->sqes = r->uring.sq.sqes;
	r->sq_ktail = r->uring.sq.ktail;
	r->sq_mask = p->sq_entries - 1;
	r->cqes = r->uring.cq.cqes;
	r->cq_khead = r->uring.cq.khead;
	r->cq_ktail = r->uring.cq.ktail;
	r->cq_mask = p->cq_entries - 1;
	/* Polled and deferred completions come only from inside the kernel. */
	r->wait_enters = p->flags & (IORING_SETUP_IOPOLL |
		IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_COOP_TASKRUN);
	if (p->features & IORING_FEAT_NO_IOWAIT)
		r->enter_flags |= IORING_ENTER_NO_IOWAIT;
	return 0;
}
