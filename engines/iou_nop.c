// SPDX-License-Identifier: GPL-2.0
/*
 * iou_nop: IORING_OP_NOP, the ring alone: what io_uring costs per request when
 * there is no device. With tw=1 each completes through task work
 * (IORING_NOP_TW, 6.15), as an interrupt-driven request does; with fixedbufs and
 * registerfiles each looks up a registered buffer and file (6.13), as those of
 * t/io_uring -N1 do since fio 3.39.
 */
#include "options/common.h"
#include "options/nop.h"
#include "options/taskrun.h"
#include "engine.h"
#include "command.h"

static struct fio_option options[] = {
	SPLIT_OPTIONS,
	REGISTER_OPTIONS,
	NOP_TW_OPTION,
	TASKRUN_OPTION("defer", TASKRUN_VALUE_NORMAL, TASKRUN_VALUE_COOP,
		       TASKRUN_VALUE_DEFER),
	END_OPTIONS,
};

struct ring_engine ioengine = {
	.ops = {
		.name			= "iou_nop",
		.version		= FIO_IOOPS_VERSION,
		.flags			= FIO_NO_OFFLOAD | FIO_ASYNCIO_SETS_ISSUE_TIME | FIO_DISKLESSIO |
					  FIO_FAKEIO,
		.setup			= iou_setup,
		.init			= iou_init,
		.io_u_init		= iou_io_u_init,
		.post_init		= iou_post_init,
		.open_file		= iou_nop_open_file,
		.close_file		= iou_nop_close_file,
		.queue			= iou_queue,
		.commit			= iou_commit,
		.getevents		= iou_getevents,
		.event			= iou_event,
		.errdetails		= iou_errdetails,
		.cleanup		= iou_cleanup,
		.options		= options,
		.option_struct_size	= sizeof(struct ring_options),
	},
	.no_file = true,
	.ring_ready = nop_ready,
};
