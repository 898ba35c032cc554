// SPDX-License-Identifier: GPL-2.0
/*
 * Anything as a record: read it, and what is one, compare with itself in every
 * format. See tests/fuzz/README.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

enum { BOOTS = 4 };

/* The same record as of several boots, each a little faster. */
static int make_side(struct side *side, const char *text, size_t len,
		     const char *label, double faster)
{
	static const char *const name[BOOTS] = { "b0", "b1", "b2", "b3" };
	struct record *recs = xcalloc(BOOTS, sizeof(*recs));
	struct err err;
	size_t i, j, m;

	memset(side, 0, sizeof(*side));
	side->path = "fuzz";
	snprintf(side->label, sizeof(side->label), "%s", label);
	for (i = 0; i < BOOTS; i++) {
		if (record_parse(&recs[i], text, len, "fuzz", &err)) {
			records_free(recs, i);
			return -1;
		}
		recs[i].id = recs[i].boot_id = name[i];
		for (j = 0; j < recs[i].nruns; j++) {
			for (m = 0; m < M_COUNT; m++)
				recs[i].run[j].value[m] *= faster + i / 1000.0;
		}
	}
	return side_init(side, recs, BOOTS, &err);
}

static void print_all(const struct comparison *cmp)
{
	enum format format;
	size_t len;
	char *text;
	FILE *f;

	for (format = F_TEXT; format <= F_JSON; format++) {
		f = text_open(&text, &len);
		table_print(cmp, format, f);
		fclose(f);
		free(text);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rules rules = { .metric = size % (M_COUNT + 1), .alpha = 0.05,
			       .equiv = NAN, .gate = NAN };
	struct differences invalid;
	struct comparison cmp;
	struct side side[2];

	if (!make_side(&side[0], (const char *)data, size, "pre", 1)) {
		if (!make_side(&side[1], (const char *)data, size, "post", 1.01)) {
			/* What is compared with itself can't be INVALID. */
			if (compare_sides(&cmp, &rules, side, 2, NULL, &invalid))
				abort();
			print_all(&cmp);
			comparison_free(&cmp);
			differences_free(&invalid);
		}
		side_free(&side[1]);
	}
	side_free(&side[0]);
	return 0;
}
