// SPDX-License-Identifier: GPL-2.0
/* Tables of texts. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"

size_t text_width(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += (*s & 0xc0) != 0x80;
	return n;
}

void grid_add(struct grid *grid, const char *fmt, ...)
{
	va_list ap;
	size_t len;
	char *text;
	FILE *f = text_open(&text, &len);

	va_start(ap, fmt);
	vfprintf(f, fmt, ap);
	va_end(ap);
	fclose(f);
	grid->cell = xgrow(grid->cell, grid->ncells, sizeof(*grid->cell));
	grid->cell[grid->ncells++] = text;
}

static void pad(size_t n, FILE *out)
{
	while (n--)
		fputc(' ', out);
}

/* The width of a column, not counting cells wider than @most. */
static size_t column_width(const struct grid *grid, size_t col, size_t most)
{
	size_t i, w, widest = 0;

	for (i = col; i < grid->ncells; i += grid->ncols) {
		w = text_width(grid->cell[i]);
		if (w > widest && w <= most)
			widest = w;
	}
	return widest;
}

static void line_text(char *const *cell, const size_t *width, size_t ncols,
		      FILE *out)
{
	size_t i, w = text_width(cell[0]);

	fputs(cell[0], out);
	if (w > width[0]) {
		fputc('\n', out);
		w = 0;
	}
	pad(width[0] - w, out);
	for (i = 1; i < ncols; i++) {
		pad(2, out);
		if (i < ncols - 1)
			pad(width[i] - text_width(cell[i]), out);
		fputs(cell[i], out);
	}
	fputc('\n', out);
}

void grid_text(const struct grid *grid, size_t width, FILE *out)
{
	size_t *w = xcalloc(grid->ncols, sizeof(*w)), i, rest = 0;

	for (i = 1; i < grid->ncols; i++) {
		w[i] = column_width(grid, i, SIZE_MAX);
		rest += w[i] + 2;
	}
	/* A dozen columns for the name even where there is no room. */
	w[0] = column_width(grid, 0, width > rest + 12 ? width - rest : 12);
	for (i = 0; i < grid->ncells; i += grid->ncols)
		line_text(grid->cell + i, w, grid->ncols, out);
	free(w);
}

void grid_markdown(const struct grid *grid, FILE *out)
{
	const char *s;
	size_t i;

	for (i = 0; i < grid->ncells; i++) {
		fputs(i % grid->ncols ? " " : "| ", out);
		for (s = grid->cell[i]; *s; s++) {
			/* Nothing in a name may become markup. */
			if (strchr("|\\`*_<>[]", *s))
				fputc('\\', out);
			fputc(*s, out);
		}
		fputs(" |", out);
		if ((i + 1) % grid->ncols)
			continue;
		fputc('\n', out);
		if (i + 1 == grid->ncols) {
			for (size_t c = 0; c < grid->ncols; c++)
				fputs(c == 0 || c == grid->ncols - 1 ?
				      "|:---" : "|---:", out);
			fputs("|\n", out);
		}
	}
}

void grid_csv(const struct grid *grid, FILE *out)
{
	const char *s;
	size_t i;

	for (i = 0; i < grid->ncells; i++) {
		s = grid->cell[i];
		if (!strpbrk(s, ",\"\r\n")) {
			fputs(s, out);
		} else {
			fputc('"', out);
			for (; *s; s++) {
				if (*s == '"')
					fputc('"', out);
				fputc(*s, out);
			}
			fputc('"', out);
		}
		fputc((i + 1) % grid->ncols ? ',' : '\n', out);
	}
}

void grid_free(struct grid *grid)
{
	size_t i;

	for (i = 0; i < grid->ncells; i++)
		free(grid->cell[i]);
	free(grid->cell);
	memset(grid, 0, sizeof(*grid));
}

void text_wrap(const char *text, size_t columns, FILE *out)
{
	size_t column = 0, len;

	for (; *text; text += len + strspn(text + len, " \n")) {
		len = strcspn(text, " \n");
		if (column && column + 1 + len > columns) {
			fputs("\n  ", out);
			column = 2;
		} else if (column) {
			fputc(' ', out);
			column++;
		}
		/* A path can be longer than a line. */
		while (len + column > columns) {
			fwrite(text, 1, columns - column, out);
			text += columns - column;
			len -= columns - column;
			fputc('\n', out);
			column = 0;
		}
		fwrite(text, 1, len, out);
		column += len;
		if (text[len] == '\n') {
			fputc('\n', out);
			column = 0;
		}
	}
}
