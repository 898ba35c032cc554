/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The options of all engines: where fio's parser puts them, and the rows that
 * every engine has. A row that only some have is in a header of its own.
 *
 * Names are fio's own where the meaning is (fixedbufs, registerfiles).
 */
#ifndef FIO_IOU_OPTIONS_COMMON_H
#define FIO_IOU_OPTIONS_COMMON_H

#include "fio.h"
#include "optgroup.h"

enum split_offset { SPLIT_CONTIGUOUS, SPLIT_RANDOM };

/* When completions run: the kernel's choice, or ours. */
enum taskrun { TASKRUN_NORMAL, TASKRUN_COOP, TASKRUN_DEFER };

struct ring_options {
	struct thread_data *td;		/* fio writes this one while it parses */
	unsigned int fixedbufs;
	unsigned int registerfiles;
	unsigned int split;
	unsigned int split_offset;
	unsigned int split_depth;
	unsigned int submit_wait;
	char *report;

	unsigned int taskrun;		/* options/taskrun.h */
	unsigned int min_wait;		/* options/defer.h */
	unsigned int workers;		/* options/iowq.h */
	unsigned int unbound_workers;
	unsigned int async_every;
	char *worker_cpus;
	unsigned int tw;		/* options/nop.h */
};

#define RING_OPT(field)	.off1 = offsetof(struct ring_options, field)
#define RING_OPT_GROUP	.category = FIO_OPT_C_ENGINE, .group = FIO_OPT_G_INVALID

#define SPLIT_OPTIONS							\
	{								\
		.name	= "split",					\
		.lname	= "Requests per I/O",				\
		.type	= FIO_OPT_INT,					\
		RING_OPT(split),					\
		.minval	= 1,						\
		.maxval	= 32768,					\
		.def	= "1",						\
		.help	= "Issue each fio I/O as this many requests of bs/split bytes", \
		RING_OPT_GROUP,						\
	},								\
	{								\
		.name	= "split_depth",				\
		.lname	= "Requests of an I/O in flight",		\
		.type	= FIO_OPT_INT,					\
		RING_OPT(split_depth),					\
		.maxval	= 32768,					\
		.def	= "0",						\
		.help	= "At most this many of an I/O's requests in flight (0: all)", \
		RING_OPT_GROUP,						\
	},								\
	{								\
		.name	= "submit_wait",				\
		.lname	= "Submit and wait at once",			\
		.type	= FIO_OPT_STR_SET,				\
		RING_OPT(submit_wait),					\
		.help	= "Hold the batch; submit it and wait with one io_uring_enter", \
		RING_OPT_GROUP,						\
	},								\
	{								\
		.name	= "report",					\
		.lname	= "Path report",				\
		.type	= FIO_OPT_STR_STORE,				\
		RING_OPT(report),					\
		.help	= "Append one JSON line per job thread to this file (default: $FIO_IOU_REPORT)", \
		RING_OPT_GROUP,						\
	}

#define REGISTER_OPTIONS						\
	{								\
		.name	= "fixedbufs",					\
		.lname	= "Fixed (pre-mapped) IO buffers",		\
		.type	= FIO_OPT_STR_SET,				\
		RING_OPT(fixedbufs),					\
		.help	= "Register the I/O buffers with the ring",	\
		RING_OPT_GROUP,						\
	},								\
	{								\
		.name	= "registerfiles",				\
		.lname	= "Register file set",				\
		.type	= FIO_OPT_STR_SET,				\
		RING_OPT(registerfiles),				\
		.help	= "Register the files with the ring",		\
		RING_OPT_GROUP,						\
	}

#define FILE_OPTIONS							\
	{								\
		.name	= "split_offset",				\
		.lname	= "Offsets of an I/O's requests",		\
		.type	= FIO_OPT_STR,					\
		RING_OPT(split_offset),					\
		.def	= "contiguous",					\
		.posval	= {						\
			{ .ival = "contiguous",				\
			  .oval = SPLIT_CONTIGUOUS,			\
			  .help = "The requests cover the I/O's own range", }, \
			{ .ival = "random",				\
			  .oval = SPLIT_RANDOM,				\
			  .help = "Each request draws its offset over the job's region (reads only)", }, \
		},							\
		.help	= "Where the requests of a split I/O go",	\
		RING_OPT_GROUP,						\
	},								\
	REGISTER_OPTIONS

#define END_OPTIONS	{ .name = NULL }

#endif
