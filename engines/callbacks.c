// SPDX-License-Identifier: GPL-2.0
/*
 * fio's edge: the callbacks that are not on the I/O's way (submit.c has
 * those), in the order in which fio calls them, and the one place where an
 * -errno of ours becomes fio's 1.
 */
#include "verify.h"
#include "abi.h"
#include "report.h"
#include "ring.h"

static bool rate_limited(const struct thread_options *o)
{
	unsigned int ddir;

	for (ddir = 0; ddir < DDIR_RWDIR_CNT; ddir++)
		if (o->rate[ddir] || o->rate_iops[ddir])
			return true;
	return o->thinktime || o->latency_target;
}

static int check_options(struct thread_data *td)
{
	const struct ring_options *o = td->eo;
	const unsigned int window = o->split_depth ? o->split_depth : o->split;
	const unsigned long long all =
		(unsigned long long)td->o.iodepth * window;

	if (o->split_depth > o->split)
		return refuse(td, EINVAL, "split_depth=%u is more than split=%u",
			      o->split_depth, o->split);
	if (all > RING_MAX_ENTRIES)
		return refuse(td, EINVAL, "iodepth=%u of %u requests is a ring of %llu entries and the kernel's most is %u: lower iodepth or split, or set split_depth",
			      td->o.iodepth, window, all, RING_MAX_ENTRIES);
	if (o->split > 1 && (td->o.bs_unaligned || td->o.bssplit_nr[DDIR_READ] ||
			     td->o.bssplit_nr[DDIR_WRITE]))
		return refuse(td, EINVAL, "split=%u needs sizes that are multiples of the least one: leave bssplit and bs_unaligned out",
			      o->split);
	if (o->split_offset == SPLIT_RANDOM &&
	    (td_write(td) || td_trim(td) || td->o.verify != VERIFY_NONE))
		return refuse(td, EINVAL, "split_offset=random reads where it likes: it goes with reads only, and without verify");
	if (o->submit_wait && rate_limited(&td->o))
		return refuse(td, EINVAL, "submit_wait holds requests back until fio waits: it does not go with rate, thinktime or latency_target");
	return 0;
}

static int target_size(struct fio_file *f, const struct target *t)
{
	f->real_file_size = t->ns.blocks << t->ns.lba_shift;
	f->filetype = FIO_TYPE_CHAR;
	fio_file_set_size_known(f);
	return 0;
}

/* Preflight of one file, and its size; the kind, so that none are mixed. */
static int setup_file(struct thread_data *td, struct fio_file *f,
		      enum target_kind *kind)
{
	struct target t;
	int ret;

	ret = target_find(td, f, &t);
	if (!ret)
		ret = target_check(td, f, &t);
	target_free(&t);
	if (ret)
		return ret;
	*kind = t.kind;
	if (t.kind == TARGET_CHAR)
		return target_size(f, &t);
	if (t.kind == TARGET_NONE || !generic_get_file_size(td, f))
		return 0;
	if (!td->error)		/* so fio treats a block device of no size */
		return refuse(td, EINVAL, "%s has no size: an empty drive, or an LBA format that the kernel cannot use",
			      f->file_name);
	if (td->error != ENOENT)
		return -td->error;
	td_clear_error(td);	/* fio will make the file */
	return 0;
}

/* fio does nothing past the end of a device, and ends well. */
static int check_offset(struct thread_data *td, struct fio_file *f)
{
	unsigned long long offset;

	if (f->filetype != FIO_TYPE_BLOCK && f->filetype != FIO_TYPE_CHAR)
		return 0;
	offset = get_start_offset(td, f);
	if (offset < f->real_file_size)
		return 0;
	return refuse(td, EINVAL, "%s: offset=%llu is not before its end, at %llu: lower offset or offset_increment",
		      f->file_name, offset, (unsigned long long)f->real_file_size);
}

/*
 * In fio's main process, before a job is started: what can be refused without
 * a ring is refused here, once.
 */
int iou_setup(struct thread_data *td)
{
	enum target_kind kind = TARGET_NONE, first = TARGET_NONE;
	struct fio_file *f;
	unsigned int i;

	if (check_options(td))
		return 1;
	for_each_file(td, f, i) {
		if (setup_file(td, f, &kind) || check_offset(td, f))
			return 1;
		if (!i)
			first = kind;
		if ((kind == TARGET_CHAR) != (first == TARGET_CHAR)) {
			refuse(td, EINVAL, "%s: a job is either passthrough or block I/O: give /dev/ngXnY devices a job of their own",
			       f->file_name);
			return 1;
		}
		if (f->real_file_size == -1ULL && td->o.size)
			f->real_file_size = td->o.size / td->o.nr_files;
	}
	return 0;
}

int iou_get_file_size(struct thread_data *td, struct fio_file *f)
{
	enum target_kind kind;

	return setup_file(td, f, &kind) ? 1 : 0;
}

int iou_init(struct thread_data *td)
{
	struct ring *r;
	struct fio_file *f;
	unsigned int i;

	if (abi_check_thread(td))
		return 1;
	/* all of it is zero until it is something: cleanup takes any state */
	r = aligned_alloc(64, (sizeof(*r) + 63) & ~63UL);
	if (!r)
		goto out_nomem;
	memset(r, 0, sizeof(*r));
	td->io_ops_data = r;
	r->td = td;
	r->o = td->eo;
	r->engine = ring_engine(td);
	r->slots = calloc(td->o.iodepth, sizeof(*r->slots));
	r->nr_targets = max(td->o.nr_files, 1U);
	r->targets = calloc(r->nr_targets, sizeof(*r->targets));
	if (!r->slots || !r->targets)
		goto out_nomem;
	/* again, in the job itself: an hour may have passed since setup */
	for_each_file(td, f, i)
		if (target_find(td, f, &r->targets[i]) ||
		    target_check(td, f, &r->targets[i]))
			return 1;
	return 0;

out_nomem:
	refuse(td, ENOMEM, "no memory for %u I/Os in flight", td->o.iodepth);
	return 1;
}

int iou_io_u_init(struct thread_data *td, struct io_u *io_u)
{
	struct ring *r = td_ring(td);

	if (abi_check_io_u(td, io_u, r->nr_slots))
		return 1;
	r->slots[r->nr_slots].io_u = io_u;
	io_u->engine_data = &r->slots[r->nr_slots++];
	return 0;
}

int iou_post_init(struct thread_data *td)
{
	return ring_create(td_ring(td)) ? 1 : 0;
}

static int open_char(struct thread_data *td, struct fio_file *f)
{
	/* no O_DIRECT: a character device does not know it */
	const int mode = td_write(td) || td_trim(td) ? O_RDWR : O_RDONLY;

	f->fd = open(f->file_name, mode | O_CLOEXEC);
	if (f->fd >= 0)
		return 0;
	refuse(td, errno, "%s: open: %s", f->file_name, strerror(errno));
	f->fd = -1;
	return 1;
}

/* Tell the ring of a registered file that came or went. */
static int update_registered(struct thread_data *td, struct fio_file *f, int fd)
{
	struct ring *r = td_ring(td);
	int ret;

	if (!r || !r->fixed_files)
		return 0;
	ret = io_uring_register_files_update(&r->uring, f->fileno, &fd, 1);
	if (ret == 1)
		return 0;
	refuse(td, ret < 0 ? -ret : EIO, "%s: registering it with the ring failed",
	       f->file_name);
	return 1;
}

int iou_open_file(struct thread_data *td, struct fio_file *f)
{
	int ret;

	if (f->filetype == FIO_TYPE_CHAR)
		ret = open_char(td, f);
	else
		ret = generic_open_file(td, f);
	if (ret)
		return ret;
	ret = update_registered(td, f, f->fd);
	if (ret) {
		int fio_unused err = generic_close_file(td, f);
	}
	return ret;
}

int iou_close_file(struct thread_data *td, struct fio_file *f)
{
	int ret = update_registered(td, f, -1);

	return generic_close_file(td, f) ? 1 : ret;
}

int iou_nop_open_file(struct thread_data *td, struct fio_file *f)
{
	return 0;
}

int iou_nop_close_file(struct thread_data *td, struct fio_file *f)
{
	return 0;
}

static char *errdetails(struct io_u *io_u)
{
	struct slot *s = io_u->engine_data;
	unsigned int status = s->status;

	s->status = 0;
	return status ? nvme_status_text(status) : NULL;
}

#ifdef CONFIG_ERRDETAILS_TD
char *iou_errdetails(struct thread_data *td, struct io_u *io_u)
{
#ifdef CONFIG_DEVICE_ERROR
	io_u_clear(td, io_u, IO_U_F_DEVICE_ERROR);
#endif
	return errdetails(io_u);
}
#else
char *iou_errdetails(struct io_u *io_u)
{
	char *text = errdetails(io_u);

	/* fio 3.33 prints what it gets, NULL or not */
	return text ? text : strdup(strerror(io_u->error));
}
#endif

/* fio calls this after a failed init too, and with nothing made. */
void iou_cleanup(struct thread_data *td)
{
	struct ring *r = td_ring(td);

	if (!r)
		return;
	/* a refused job took no path */
	if (r->exists && (r->c.requests || !td->error))
		report_write(r);
	ring_destroy(r);
	td->io_ops_data = NULL;
}
