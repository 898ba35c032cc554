/* SPDX-License-Identifier: GPL-2.0 */
/* What the engines want of fio, and what tests want to know of it. */
#ifndef FIO_IOU_TEST_FIO_STUBS_H
#define FIO_IOU_TEST_FIO_STUBS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engines/ring.h"

/* log_err() since the last stub_log_clear(): all of it, and how many lines. */
extern char stub_log[4096];
unsigned int stub_log_lines(void);
void stub_log_clear(void);

extern unsigned int stub_queued;	/* calls of io_u_queued() */
extern unsigned int stub_submitted;	/* sum over io_u_mark_submit() */
extern bool stub_option_is_set;		/* every __fio_option_is_set() */

/* As assert_string_equal(), for a message's important part. */
#define assert_says(text)	assert_says_(text, __FILE__, __LINE__)
void assert_says_(const char *text, const char *file, int line);

#endif
