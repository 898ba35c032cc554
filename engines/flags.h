/* SPDX-License-Identifier: GPL-2.0 */
/* The names of io_uring's flags, and the kernels that brought them. */
#ifndef FIO_IOU_FLAGS_H
#define FIO_IOU_FLAGS_H

#include <stdbool.h>

struct setup_flag {
	unsigned int bit;
	const char *name;	/* without IORING_SETUP_, _FEAT_ */
	const char *since;	/* Linux */
};

/* Both end with a NULL name; none comes before one that it needs. */
extern const struct setup_flag setup_flags[];
extern const struct setup_flag feature_flags[];

/* Is the running kernel at least this? By uname, for what cannot be probed. */
bool kernel_at_least(unsigned int major, unsigned int minor);

#endif
