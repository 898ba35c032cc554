/* SPDX-License-Identifier: GPL-2.0 */
/* What iou_nop alone has. */
#ifndef FIO_IOU_OPTIONS_NOP_H
#define FIO_IOU_OPTIONS_NOP_H

#define NOP_TW_OPTION							\
	{								\
		.name	= "tw",						\
		.lname	= "Complete through task work",			\
		.type	= FIO_OPT_BOOL,					\
		RING_OPT(tw),						\
		.def	= "0",						\
		.help	= "Complete each no-op through task work (IORING_NOP_TW, 6.15)", \
		RING_OPT_GROUP,						\
	}

#endif
