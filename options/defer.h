/* SPDX-License-Identifier: GPL-2.0 */
/* What iou_defer alone has. */
#ifndef FIO_IOU_OPTIONS_DEFER_H
#define FIO_IOU_OPTIONS_DEFER_H

#define MIN_WAIT_OPTION							\
	{								\
		.name	= "min_wait",					\
		.lname	= "Minimum wait",				\
		.type	= FIO_OPT_INT,					\
		RING_OPT(min_wait),					\
		.def	= "0",						\
		.help	= "Wait for the full batch, or for this many usec and then for what fio needs (6.12)", \
		RING_OPT_GROUP,						\
	}

#endif
