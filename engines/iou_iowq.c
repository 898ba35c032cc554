// SPDX-License-Identifier: GPL-2.0
/*
 * iou_iowq: every request is forced to an io-wq worker (IOSQE_ASYNC), a kernel
 * thread that issues it and may block. The completion travels back to the
 * issuer's ring; with taskrun=normal, as the thread on batched free work
 * measured it, through the task's shared list.
 */
#include "options/common.h"
#include "options/iowq.h"
#include "options/taskrun.h"
#include "engine.h"
#include "iowq.h"

static struct fio_option options[] = {
	SPLIT_OPTIONS,
	FILE_OPTIONS,
	TASKRUN_OPTION("normal", TASKRUN_VALUE_NORMAL, TASKRUN_VALUE_COOP,
		       TASKRUN_VALUE_DEFER),
	IOWQ_OPTIONS,
	END_OPTIONS,
};

struct ring_engine ioengine = {
	.ops = {
		.name			= "iou_iowq",
		.version		= FIO_IOOPS_VERSION,
		.flags			= FIO_NO_OFFLOAD | FIO_ASYNCIO_SETS_ISSUE_TIME,
		.setup			= iou_setup,
		.init			= iou_init,
		.io_u_init		= iou_io_u_init,
		.post_init		= iou_post_init,
		.open_file		= iou_open_file,
		.close_file		= iou_close_file,
		.get_file_size		= iou_get_file_size,
		.queue			= iou_queue,
		.commit			= iou_commit,
		.getevents		= iou_getevents,
		.event			= iou_event,
		.errdetails		= iou_errdetails,
		.cleanup		= iou_cleanup,
		.options		= options,
		.option_struct_size	= sizeof(struct ring_options),
	},
	.sqe_flags = IOSQE_ASYNC,
	.ring_ready = iowq_setup,
};
