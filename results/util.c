// SPDX-License-Identifier: GPL-2.0
/* Errors of one line, and memory that is there. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"

void text_clean(char *s)
{
	for (; *s; s++) {
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			*s = '?';
	}
}

int err_set(struct err *err, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	text_clean(err->text);
	return code;
}

void err_prefix(struct err *err, const char *prefix)
{
	struct err was = *err;

	/* Cut the older half first: the prefix says which file it is. */
	err_set(err, 0, "%.300s: %.400s", prefix, was.text);
}

static void *need(void *p)
{
	if (p)
		return p;
	fprintf(stderr, "fio-iou compare: out of memory: compare fewer records at a time\n");
	exit(2);
}

void *xcalloc(size_t n, size_t size)
{
	return need(calloc(n ? n : 1, size ? size : 1));
}

char *xstrdup(const char *s)
{
	return need(strdup(s));
}

char *xprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		s = NULL;
	va_end(ap);
	return need(s);
}

FILE *text_open(char **text, size_t *len)
{
	return need(open_memstream(text, len));
}

void *xgrow(void *array, size_t n, size_t size)
{
	/* Full at every power of two. */
	if (!(n & (n - 1)))
		array = need(reallocarray(array, n ? 2 * n : 1, size));
	memset((char *)array + n * size, 0, size);
	return array;
}
