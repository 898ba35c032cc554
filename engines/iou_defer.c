// SPDX-License-Identifier: GPL-2.0
/*
 * iou_defer: one issuer, and completions run when it asks. The interrupt only
 * notes the completion; its task work runs when the issuer waits for events,
 * many at a time and without waking it for each.
 *
 * IORING_SETUP_SINGLE_ISSUER (6.0) and DEFER_TASKRUN (6.1). A completion is
 * invisible to a look at the CQ until the kernel is entered.
 */
#include "options/common.h"
#include "options/defer.h"
#include "engine.h"

static struct fio_option options[] = {
	SPLIT_OPTIONS,
	FILE_OPTIONS,
	MIN_WAIT_OPTION,
	END_OPTIONS,
};

struct ring_engine ioengine = {
	.ops = {
		.name			= "iou_defer",
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
	.required_flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
};
