/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FIO_IOU_UTIL_H
#define FIO_IOU_UTIL_H

#include <stddef.h>
#include <stdio.h>

/* One line for a human: what, why, what to do. */
struct err {
	char	text[768];
};

#define PRINTF(f, a) __attribute__((format(printf, f, a)))

/* Fill @err and return @code, so that a caller can "return err_set(...)". */
int err_set(struct err *err, int code, const char *fmt, ...) PRINTF(3, 4);
/* Put "PREFIX: " before what @err says. */
void err_prefix(struct err *err, const char *prefix);

/* Also of an array that is not there, as long as it has no elements. */
#define for_each(p, array, n) \
	for ((p) = (array); (size_t)((p) - (array)) < (n); (p)++)

/* Records are written by others: no control character of theirs gets out. */
void text_clean(char *s);

/* Memory, or the program ends with one line: there is nothing to unwind to. */
void *xcalloc(size_t n, size_t size);
char *xprintf(const char *fmt, ...) PRINTF(1, 2);
char *xstrdup(const char *s);
/* A stream whose text is in *@text once it is closed. */
FILE *text_open(char **text, size_t *len);
/* Room for one more after @n elements; the new one is zeroed. */
void *xgrow(void *array, size_t n, size_t size);

#endif
