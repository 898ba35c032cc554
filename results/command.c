// SPDX-License-Identifier: GPL-2.0
/* A job's command line, to be read in a mail and pasted into a shell. */
#include <stdlib.h>
#include <string.h>

#include "table.h"

#define PLAIN	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,:@%"

/* A word's part as a shell reads it back. */
static char *quoted(const char *text, size_t len)
{
	size_t i, unused;
	char *out;
	FILE *f;

	if (len && strspn(text, PLAIN "=") >= len)
		return xprintf("%.*s", (int)len, text);
	f = text_open(&out, &unused);
	fputc('\'', f);
	for (i = 0; i < len; i++) {
		if (text[i] == '\'')
			fputs("'\\''", f);
		else
			fputc(text[i], f);
	}
	fputc('\'', f);
	fclose(f);
	return out;
}

struct line {
	FILE	*out;
	size_t	column, columns;
};

/* A word too long for a line: a backslash joins its pieces again. */
static void pieces_print(struct line *l, const char *text)
{
	size_t len;
	char *q;

	for (; *text; text += len) {
		for (len = 0; text[len] && (len < 12 || (text[len] & 0xc0) == 0x80); len++)
			;
		q = quoted(text, len);
		if (l->column + strlen(q) + 1 > l->columns) {
			fputs("\\\n", l->out);
			l->column = 0;
		}
		l->column += fprintf(l->out, "%s", q);
		free(q);
	}
}

static void word_print(struct line *l, const char *word)
{
	/* NAME= stays outside the quotes, or it would be no assignment. */
	size_t lead = strspn(word, PLAIN), room = l->columns - 2;
	char *q;

	lead = word[lead] == '=' ? lead + 1 : 0;
	q = lead && !word[lead] ? xstrdup("") : quoted(word + lead, strlen(word + lead));
	if (l->column && l->column + 1 + lead + strlen(q) > room) {
		fputs(" \\\n", l->out);
		l->column = 0;
	}
	l->column += fprintf(l->out, "%s", l->column ? " " : "    ");
	if (l->column + lead + strlen(q) <= room) {
		l->column += fprintf(l->out, "%.*s%s", (int)lead, word, q);
	} else if (l->column + lead <= room) {
		l->column += fprintf(l->out, "%.*s", (int)lead, word);
		pieces_print(l, word + lead);
	} else {
		pieces_print(l, word);
	}
	free(q);
}

void command_print(const struct record *rec, size_t columns, FILE *out)
{
	struct json_object *env = json_at(rec->json, "job.env");
	struct json_object *argv = json_at(rec->json, "job.argv");
	struct line l = { .out = out, .columns = columns };
	char *word;
	size_t i;

	word = xprintf("%.60s", rec->job);
	text_clean(word);
	fprintf(out, "%s is:\n\n", word);
	free(word);
	if (env) {
		json_object_object_foreach(env, key, v) {
			if (!v)
				continue;
			word = xprintf("%s=%s", key, json_object_get_string(v));
			text_clean(word);
			word_print(&l, word);
			free(word);
		}
	}
	for (i = 0; i < json_object_array_length(argv); i++) {
		word = xstrdup(json_object_get_string(json_object_array_get_idx(argv, i)));
		text_clean(word);
		word_print(&l, word);
		free(word);
	}
	fputs("\n\n", out);
}
