/* SPDX-License-Identifier: GPL-2.0 */
/* What iou_iowq alone has: limits and affinity of the io-wq workers. */
#ifndef FIO_IOU_OPTIONS_IOWQ_H
#define FIO_IOU_OPTIONS_IOWQ_H

#define IOWQ_OPTIONS							\
	{								\
		.name	= "workers",					\
		.lname	= "io-wq workers",			\
		.type	= FIO_OPT_INT,					\
		RING_OPT(workers),					\
		.def	= "0",						\
		.help	= "Most io-wq workers of each kind, bounded and unbound (0: the kernel's default)", \
		RING_OPT_GROUP,						\
	},								\
	{								\
		.name	= "unbound_workers",				\
		.lname	= "Unbound io-wq workers",			\
		.type	= FIO_OPT_INT,					\
		RING_OPT(unbound_workers),				\
		.def	= "0",						\
		.help	= "Most unbound io-wq workers (0: as workers)", \
		RING_OPT_GROUP,						\
	},								\
	{								\
		.name	= "worker_cpus",				\
		.lname	= "CPUs of the io-wq workers",			\
		.type	= FIO_OPT_STR_STORE,				\
		RING_OPT(worker_cpus),					\
		.help	= "CPUs the workers may use, as in cpus_allowed (default: the job's)", \
		RING_OPT_GROUP,						\
	},								\
	{								\
		.name	= "async_every",				\
		.lname	= "Force async every",				\
		.type	= FIO_OPT_INT,					\
		RING_OPT(async_every),					\
		.minval	= 1,						\
		.def	= "1",						\
		.help	= "Force every Nth request to a worker, issue the others inline", \
		RING_OPT_GROUP,						\
	}

#endif
