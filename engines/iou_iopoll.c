// SPDX-License-Identifier: GPL-2.0
/*
 * iou_iopoll: classic polling. The issuer spins on the device's poll queue
 * inside io_uring_enter(2) until enough has completed; no interrupt is raised.
 *
 * IORING_SETUP_IOPOLL, Linux 5.1. The device must have poll queues: setup
 * succeeds without them.
 */
#include "options/common.h"
#include "options/taskrun.h"
#include "engine.h"

static struct fio_option options[] = {
	SPLIT_OPTIONS,
	FILE_OPTIONS,
	TASKRUN_OPTION("normal", TASKRUN_VALUE_NORMAL, TASKRUN_VALUE_COOP,
		       TASKRUN_VALUE_DEFER),
	END_OPTIONS,
};

struct ring_engine ioengine = {
	.ops = {
		.name			= "iou_iopoll",
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
	.required_flags = IORING_SETUP_IOPOLL,
};
