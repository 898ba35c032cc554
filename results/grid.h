/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FIO_IOU_GRID_H
#define FIO_IOU_GRID_H

#include "util.h"

/* A table of texts, to be written in one of three ways. */
struct grid {
	size_t	ncols;
	size_t	ncells;
	char	**cell;
};

/* The next cell, in reading order. */
void grid_add(struct grid *grid, const char *fmt, ...) PRINTF(2, 3);
/*
 * Columns for a terminal: the first and the last to the left, the others to
 * the right. Where a line would not fit in @width, a long first cell gets a
 * line of its own.
 */
void grid_text(const struct grid *grid, size_t width, FILE *out);
void grid_markdown(const struct grid *grid, FILE *out);
void grid_csv(const struct grid *grid, FILE *out);
void grid_free(struct grid *grid);

/* Lines of any length as lines that fit, the further ones indented. */
void text_wrap(const char *text, size_t columns, FILE *out);
/* How many columns the text takes: UTF-8 has more bytes than that. */
size_t text_width(const char *s);

#endif
