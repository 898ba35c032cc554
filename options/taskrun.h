/* SPDX-License-Identifier: GPL-2.0 */
/* taskrun=: how the kernel runs a completion's task work. */
#ifndef FIO_IOU_OPTIONS_TASKRUN_H
#define FIO_IOU_OPTIONS_TASKRUN_H

#define TASKRUN_VALUE_NORMAL						\
	{ .ival = "normal", .oval = TASKRUN_NORMAL,			\
	  .help = "At once, interrupting the task" }
#define TASKRUN_VALUE_COOP						\
	{ .ival = "coop", .oval = TASKRUN_COOP,				\
	  .help = "At the task's next kernel entry (COOP_TASKRUN, 5.19)" }
#define TASKRUN_VALUE_DEFER						\
	{ .ival = "defer", .oval = TASKRUN_DEFER,			\
	  .help = "When the issuer asks (SINGLE_ISSUER, DEFER_TASKRUN, 6.1)" }

/* TASKRUN_OPTION("default", values...) */
#define TASKRUN_OPTION(_def, ...)					\
	{								\
		.name	= "taskrun",					\
		.lname	= "Task work",					\
		.type	= FIO_OPT_STR,					\
		RING_OPT(taskrun),					\
		.def	= _def,						\
		.posval	= { __VA_ARGS__ },				\
		.help	= "When the kernel runs the task work of completions", \
		RING_OPT_GROUP,						\
	}

#endif
