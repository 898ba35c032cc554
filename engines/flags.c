// SPDX-License-Identifier: GPL-2.0
/* Versions: io_uring_setup(2), and include/uapi/linux/io_uring.h over time. */
#include <stdbool.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <liburing.h>

#include "build/config.h"
#include "flags.h"

const struct setup_flag setup_flags[] = {
	{ IORING_SETUP_IOPOLL,		"IOPOLL",		"5.1" },
	{ IORING_SETUP_HYBRID_IOPOLL,	"HYBRID_IOPOLL",	"6.13" },
	{ IORING_SETUP_CQSIZE,		"CQSIZE",		"5.5" },
	{ IORING_SETUP_COOP_TASKRUN,	"COOP_TASKRUN",		"5.19" },
	{ IORING_SETUP_SQE128,		"SQE128",		"5.19" },
	{ IORING_SETUP_CQE32,		"CQE32",		"5.19" },
	{ IORING_SETUP_SINGLE_ISSUER,	"SINGLE_ISSUER",	"6.0" },
	{ IORING_SETUP_DEFER_TASKRUN,	"DEFER_TASKRUN",	"6.1" },
	{ IORING_SETUP_NO_SQARRAY,	"NO_SQARRAY",		"6.6" },
	{ 0, NULL, NULL },
};

const struct setup_flag feature_flags[] = {
	{ IORING_FEAT_SINGLE_MMAP,	"SINGLE_MMAP",		"5.4" },
	{ IORING_FEAT_NODROP,		"NODROP",		"5.5" },
	{ IORING_FEAT_SUBMIT_STABLE,	"SUBMIT_STABLE",	"5.5" },
	{ IORING_FEAT_FAST_POLL,	"FAST_POLL",		"5.7" },
	{ IORING_FEAT_EXT_ARG,		"EXT_ARG",		"5.11" },
	{ IORING_FEAT_NATIVE_WORKERS,	"NATIVE_WORKERS",	"5.12" },
	{ IORING_FEAT_RSRC_TAGS,	"RSRC_TAGS",		"5.13" },
	{ IORING_FEAT_CQE_SKIP,		"CQE_SKIP",		"5.17" },
	{ IORING_FEAT_LINKED_FILE,	"LINKED_FILE",		"5.17" },
	{ IORING_FEAT_MIN_TIMEOUT,	"MIN_TIMEOUT",		"6.12" },
	{ IORING_FEAT_NO_IOWAIT,	"NO_IOWAIT",		"6.15" },
	{ 0, NULL, NULL },
};

bool kernel_at_least(unsigned int major, unsigned int minor)
{
	unsigned int a = 0, b = 0;
	struct utsname u;

	if (uname(&u) || sscanf(u.release, "%u.%u", &a, &b) != 2)
		return false;
	return a > major || (a == major && b >= minor);
}
