/* SPDX-License-Identifier: GPL-2.0 */
/* A job thread as fio would have made it, on this program's own file. */
#ifndef FIO_IOU_TEST_FAKE_JOB_H
#define FIO_IOU_TEST_FAKE_JOB_H

#include "fake-kernel.h"

struct ring_engine ioengine;	/* each test makes of it what it needs */

#define JOB_DEPTH	64	/* the most */
#define JOB_BS		4096
#define JOB_MAX_BS	(8 * JOB_BS)

static struct job {
	struct thread_data *td;
	struct ring_options o;
	struct io_u io_u[JOB_DEPTH];
	struct fio_file file[2], *files[2];
	char *buf;
	const struct nvme_namespace *ns;	/* if any, the file is /dev/ngXnY */
} job;

/* All as it is by default: plain, depth 4, 4 KiB reads and writes. */
static int job_setup(void **state)
{
	unsigned int i;

	memset(&kernel, 0, sizeof(kernel));
	memset(&job, 0, sizeof(job));
	memset(&ioengine, 0, sizeof(ioengine));
	ioengine.ops.name = "iou_test";
	stub_log_clear();
	stub_queued = stub_submitted = 0;
	stub_option_is_set = false;
	job.o.split = job.o.async_every = 1;
	job.td = calloc(1, sizeof(*job.td));
	job.buf = aligned_alloc(4096, JOB_DEPTH * JOB_MAX_BS);
	if (!job.td || !job.buf)
		return -1;
	job.td->io_ops = &ioengine.ops;
	job.td->eo = &job.o;
	job.td->files = job.files;
	job.td->thread_number = 1;
	job.td->o.iodepth = 4;
	job.td->o.td_ddir = TD_DDIR_RW;
	job.td->o.nr_files = job.td->files_index = 1;
	for (i = 0; i < DDIR_RWDIR_CNT; i++)
		job.td->o.min_bs[i] = job.td->o.max_bs[i] = JOB_BS;
	for (i = 0; i < 2; i++) {
		job.files[i] = &job.file[i];
		job.file[i].file_name = "/proc/self/exe";
		job.file[i].fd = 100 + i;
		job.file[i].fileno = i;
		job.file[i].io_size = 1 << 20;
		job.file[i].real_file_size = 1 << 20;
		fio_file_set_open(&job.file[i]);
	}
	for (i = 0; i < JOB_DEPTH; i++) {
		job.io_u[i].index = i;
		job.io_u[i].flags = IO_U_F_FREE;
		job.io_u[i].buf = job.buf + i * JOB_MAX_BS;
	}
	return 0;
}

static int job_teardown(void **state)
{
	iou_cleanup(job.td);
	free(job.td);
	free(job.buf);
	return kernel.rings ? -1 : 0;
}

static inline void job_set_bs(unsigned int bs)
{
	unsigned int i;

	for (i = 0; i < DDIR_RWDIR_CNT; i++)
		job.td->o.min_bs[i] = job.td->o.max_bs[i] = bs;
}

static inline struct ring *job_ring(void)
{
	return td_ring(job.td);
}

/* 0, or 1 where fio would give the job up. */
static inline int job_start(void)
{
	unsigned int i;

	if (iou_init(job.td))
		return 1;
	if (job.ns) {
		job_ring()->targets[0].kind = TARGET_CHAR;
		job_ring()->targets[0].ns = *job.ns;
	}
	for (i = 0; i < job.td->o.iodepth; i++)
		if (iou_io_u_init(job.td, &job.io_u[i]))
			return 1;
	return iou_post_init(job.td);
}

static inline enum fio_q_status job_queue(unsigned int i, enum fio_ddir ddir,
					  uint64_t offset, unsigned int len)
{
	struct io_u *io_u = &job.io_u[i];

	io_u->ddir = ddir;
	io_u->file = &job.file[0];
	io_u->offset = offset;
	io_u->xfer_buf = io_u->buf;
	io_u->buflen = io_u->xfer_buflen = len;
	io_u->error = 0;
	io_u->resid = 0;
	return iou_queue(job.td, io_u);
}

static inline void job_read(unsigned int i, uint64_t offset)
{
	assert_int_equal(job_queue(i, DDIR_READ, offset, JOB_BS), FIO_Q_QUEUED);
}

static inline int job_getevents(unsigned int min, unsigned int max)
{
	return iou_getevents(job.td, min, max, NULL);
}

/* Which of the I/Os an event is; engine_data has taken the place of its index. */
static inline unsigned int job_event(int event)
{
	return iou_event(job.td, event) - job.io_u;
}

/* What fio would print of an I/O's error; "" for nothing. */
static inline const char *job_errdetails(unsigned int i)
{
	static char text[256];
#ifdef CONFIG_ERRDETAILS_TD
	char *details = iou_errdetails(job.td, &job.io_u[i]);
#else
	char *details = iou_errdetails(&job.io_u[i]);
#endif

	snprintf(text, sizeof(text), "%s", details ? details : "");
	free(details);
	return text;
}

#endif
