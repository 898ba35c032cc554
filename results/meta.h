/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FIO_IOU_META_H
#define FIO_IOU_META_H

#include <stdbool.h>

#include "record.h"

/*
 * What a record says of its circumstances, as one sorted list of keys and
 * values: all of it but the runs and what schema.json marks x-volatile.
 * Keys are dotted; a device's begin with device[SERIAL/NSID].
 */
struct fact {
	char	*key;
	char	*value;
};

struct meta {
	struct fact	*fact;
	size_t		n;
};

void meta_read(struct meta *meta, const struct record *rec);
void meta_free(struct meta *meta);

/* The keys that may differ, as --vary names them. */
struct vary {
	const char	**key;
	size_t		n;
};

/*
 * KEY covers KEY and everything below it: kernel covers kernel.release. Not
 * covered by kernel are kernel.cmdline and kernel.debug: they are how a kernel
 * was set up, not which one it is, and must be named.
 */
bool vary_covers(const struct vary *vary, const char *key);
/* There is no such key in the schema nor in @meta: a slip of the pen. */
bool vary_unknown(const char *key, const struct meta *meta);

/* One difference between two records. Values are cut to fit a line. */
struct difference {
	char	*key;
	char	*a, *b;
	bool	declared;
	/* Whose it is; set by who keeps it. */
	const char *job, *side;
};

struct differences {
	struct difference	*diff;
	size_t			n;
};

/* Append what differs. */
void meta_compare(struct differences *out, const struct meta *a,
		  const struct meta *b, const struct vary *vary);
void differences_free(struct differences *d);

#endif
