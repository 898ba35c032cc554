/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FIO_IOU_TABLE_H
#define FIO_IOU_TABLE_H

#include <stdio.h>

#include "judge.h"

enum format { F_TEXT, F_LIST, F_MD, F_CSV, F_JSON };

void table_print(const struct comparison *cmp, enum format format, FILE *out);
/* How far apart the halves of one side are, row by row. */
void floor_print(const struct side *side, const struct rules *rules,
		 enum format format, FILE *out);

/* The parts of it, one file each. */
void list_print(const struct comparison *cmp, FILE *out);
void json_print(const struct comparison *cmp, FILE *out);
/* The command of a record's job, wrapped so that a shell still reads it. */
void command_print(const struct record *rec, size_t columns, FILE *out);
/* Which sides they are, and what was declared to differ. */
void sides_print(const struct comparison *cmp, const char *bullet, FILE *out);
/* What is not in a row: refused, unpaired, failed; @bullet begins each line. */
void notes_print(const struct comparison *cmp, const char *bullet, FILE *out);

/* What doesn't forbid to compare a row, and should be known of it. */
void cautions_print(const struct comparison *cmp, const char *bullet, FILE *out);

/* The verdict in words, with its margin. At least 64 bytes of @buf. */
const char *verdict_text(char *buf, size_t size, const struct pair *pair,
			 const struct rules *rules);
/* The verdict as one of a fixed set of words, for programs. */
const char *verdict_word(const struct pair *pair);
/* The row's name, with its devices where another row has the same name. */
char *row_label(const struct side *side, const struct row *row);

#endif
