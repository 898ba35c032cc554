// SPDX-License-Identifier: GPL-2.0
/* The comparison as a drawing, by gnuplot, with no shell between. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plot.h"
#include "table.h"

extern char **environ;

static bool is_drawn(const struct pair *p)
{
	return p->verdict != V_REFUSED && p->verdict != V_NO_VALUE;
}

/* A text within gnuplot's double quotes, where it would run a backquote. */
static void text(FILE *f, const char *s)
{
	for (; *s; s++)
		fputc(strchr("\"\\`$", *s) || (unsigned char)*s < ' ' ? '_' : *s, f);
}

static double percent(const struct pair *p, double v)
{
	return 100 * (v / p->median_a - 1);
}

struct range {
	double	lo, hi;
};

static void widen(struct range *r, double v)
{
	r->lo = fmin(r->lo, v);
	r->hi = fmax(r->hi, v);
}

static struct range range_of(const struct comparison *cmp, double pad)
{
	struct range r = { -0.05, 0.05 };
	const struct pair *p;
	size_t i;

	for_each(p, cmp->pair, cmp->npairs) {
		if (!is_drawn(p))
			continue;
		for (i = 0; i < p->na; i++)
			widen(&r, percent(p, p->va[i]));
		for (i = 0; i < p->nb; i++)
			widen(&r, percent(p, p->vb[i]));
		widen(&r, p->shift.percent);
		if (!isnan(p->p)) {
			widen(&r, p->shift.lo);
			widen(&r, p->shift.hi);
		}
	}
	pad *= r.hi - r.lo;
	return (struct range){ r.lo - pad, r.hi + pad };
}

/*
 * One named block of lines "x y …" per kind of mark. Row number i is at
 * y = -i: the first side's boots above it, the other's on it, the shift below.
 */
enum mark { BOOTS_A, BOOTS_B, MEDIANS, SHIFTS, INTERVALS, MARKS };

static const char *const block[MARKS] = {
	"boots_a", "boots_b", "medians", "shifts", "intervals",
};

#define ROW_A	0.26
#define ROW_B	0.0
#define ROW_S	-0.26

/* Equal values would hide each other. */
static double spread(size_t i)
{
	return 0.04 * ((double)(i % 3) - 1);
}

static void pair_marks(FILE *f, const struct pair *p, double y, enum mark mark)
{
	size_t i;

	switch (mark) {
	case BOOTS_A:
		for (i = 0; i < p->na; i++)
			fprintf(f, "%.6f %.2f\n", percent(p, p->va[i]), y + ROW_A + spread(i));
		break;
	case BOOTS_B:
		for (i = 0; i < p->nb; i++)
			fprintf(f, "%.6f %.2f\n", percent(p, p->vb[i]), y + ROW_B + spread(i));
		break;
	case MEDIANS:
		fprintf(f, "%.6f %.2f\n", 0.0, y + ROW_A);
		fprintf(f, "%.6f %.2f\n", percent(p, p->median_b), y + ROW_B);
		break;
	case SHIFTS:
		fprintf(f, "%.6f %.2f\n", p->shift.percent, y + ROW_S);
		break;
	case INTERVALS:
		if (!isnan(p->p))
			fprintf(f, "%.6f %.2f %.6f %.6f\n", p->shift.percent,
				y + ROW_S, p->shift.lo, p->shift.hi);
		break;
	case MARKS:
		break;
	}
}

/* Returns whether there is anything in it: gnuplot refuses an empty block. */
static bool data_block(FILE *f, const struct comparison *cmp, enum mark mark)
{
	const struct pair *p;
	size_t len;
	double y = 0;
	char *lines;
	FILE *data = text_open(&lines, &len);

	for_each(p, cmp->pair, cmp->npairs) {
		if (is_drawn(p))
			pair_marks(data, p, y--, mark);
	}
	fclose(data);
	if (len)
		fprintf(f, "$%s << EOD\n%sEOD\n", block[mark], lines);
	free(lines);
	return len > 0;
}

/* At the left what was measured, at the right what it says. */
static void pair_labels(FILE *f, const struct pair *p, bool many_sides, double y)
{
	const struct metric *m = &metrics[p->metric];
	char a[32], b[32];

	fputs("set ytics add (\"", f);
	text(f, p->a->name);
	if (*p->a->rec->devices) {
		fputs(" on ", f);
		text(f, p->a->rec->devices);
	}
	fprintf(f, "\\n%s → %s %s", metric_print(a, sizeof(a), m->unit, p->median_a),
		metric_print(b, sizeof(b), m->unit, p->median_b), m->title);
	if (many_sides)
		fprintf(f, " (%s → %s)", p->sa->label, p->sb->label);
	fprintf(f, "\" %.2f)\n", y);
	fprintf(f, "set label \"%+.2f %%\\n%s\" at graph 1.015, first %.2f left\n",
		p->shift.percent, verdict_word(p), y + 0.1);
}

static void pair_margin_box(FILE *f, const struct pair *p,
			    const struct rules *rules, struct range r, double y)
{
	double margin = pair_margin(p, rules);

	if (isnan(margin))
		return;
	fprintf(f, "set object rectangle from first %.6f, first %.2f to first %.6f, first %.2f "
		"behind fillcolor rgb '#e8e8e8' fillstyle solid noborder\n",
		fmax(-margin, r.lo), y - 0.46, fmin(margin, r.hi), y + 0.46);
}

static size_t drawn_pairs(const struct comparison *cmp)
{
	size_t i, n = 0;

	for (i = 0; i < cmp->npairs; i++)
		n += is_drawn(&cmp->pair[i]);
	return n;
}

static void frame(FILE *f, const struct comparison *cmp, struct range r)
{
	size_t n = drawn_pairs(cmp);
	const struct pair *p;
	bool margins = false;
	double y = 0;

	for_each(p, cmp->pair, cmp->npairs)
		margins = margins || !isnan(pair_margin(p, cmp->rules));
	fprintf(f, "set encoding utf8\n"
		"set terminal svg size 960,%zu noenhanced font 'Helvetica,13' background '#ffffff'\n"
		"set border 1 lc rgb '#606060'\n"
		"set tics nomirror scale 0.5 textcolor rgb '#202020'\nset ytics () scale 0\n"
		"set grid xtics lc rgb '#d8d8d8' lw 1 lt 1\n"
		"set rmargin 16\nset key at screen 0.5,0.995 center top horizontal maxrows 1 samplen 1.5\n"
		"set tmargin 3\n"
		"set xlabel \"difference from the median of %s, percent%s\"\n"
		"set xrange [%.6f:%.6f]\nset yrange [%.2f:0.5]\n"
		"set arrow from 0, graph 0 to 0, graph 1 nohead lc rgb '#606060' lw 1\n",
		120 + 74 * n, cmp->side->label,
		margins ? "; grey: no difference" : "", r.lo, r.hi, 0.5 - (double)n);
	for_each(p, cmp->pair, cmp->npairs) {
		if (!is_drawn(p))
			continue;
		pair_margin_box(f, p, cmp->rules, r, y);
		pair_labels(f, p, cmp->nsides > 2, y--);
	}
}

static void script(FILE *f, const struct comparison *cmp)
{
	const char *b = cmp->nsides > 2 ? "the other side" : cmp->side[1].label;
	bool intervals;

	frame(f, cmp, range_of(cmp, 0.06));
	data_block(f, cmp, BOOTS_A);
	data_block(f, cmp, BOOTS_B);
	data_block(f, cmp, MEDIANS);
	data_block(f, cmp, SHIFTS);
	intervals = data_block(f, cmp, INTERVALS);
	fprintf(f, "plot $boots_a using 1:2 with points pt 7 ps 0.6 lc rgb '#7a8794' title \"%s, a boot\", \\\n"
		" $boots_b using 1:2 with points pt 7 ps 0.6 lc rgb '#1f77b4' title \"%s, a boot\", \\\n"
		" $medians using 1:($2-0.11):(0):(0.22) with vectors nohead lw 2 lc rgb '#202020' title 'median', \\\n",
		cmp->side->label, b);
	if (intervals)
		fprintf(f, " $intervals using 1:2:3:4 with xerrorbars pt 0 lw 2.5 lc rgb '#d62728' notitle, \\\n");
	fprintf(f, " $shifts using 1:2 with points pt 13 ps 1.1 lc rgb '#d62728' title \"shift%s\"\n",
		intervals ? " and its interval" : "");
}

/* The first line that gnuplot complained with; "" for none. */
static void complaint(FILE *err_file, char *line, size_t size)
{
	size_t i;

	*line = '\0';
	rewind(err_file);
	while (fgets(line, size, err_file)) {
		line[strcspn(line, "\n")] = '\0';
		i = strspn(line, " \t^");
		if (line[i])
			return;
		*line = '\0';
	}
}

static int run_gnuplot(FILE *in, int out, FILE *complaints)
{
	char *argv[] = { "gnuplot", "-d", "-", NULL };
	posix_spawn_file_actions_t act;
	int status, ret;
	pid_t pid;

	posix_spawn_file_actions_init(&act);
	posix_spawn_file_actions_adddup2(&act, fileno(in), 0);
	posix_spawn_file_actions_adddup2(&act, out, 1);
	posix_spawn_file_actions_adddup2(&act, fileno(complaints), 2);
	ret = -posix_spawnp(&pid, argv[0], &act, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&act);
	if (ret)
		return ret;
	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	return status ? -EPROTO : 0;
}

static int draw(FILE *in, FILE *complaints, int fd, struct err *err)
{
	char why[200];
	struct stat st;
	int ret;

	rewind(in);
	ret = run_gnuplot(in, fd, complaints);
	if (ret == -ENOENT)
		return err_set(err, ret, "--plot needs gnuplot: apt-get install gnuplot-nox");
	complaint(complaints, why, sizeof(why));
	if (!ret && (fstat(fd, &st) || !st.st_size))
		ret = -EPROTO;
	if (ret)
		err_set(err, ret, "gnuplot drew nothing: %s",
			*why ? why : strerror(-ret));
	return ret;
}

int plot_write(const struct comparison *cmp, const char *path, struct err *err)
{
	char *tmp = xprintf("%s.XXXXXX", path);
	FILE *in = tmpfile(), *complaints = tmpfile();
	int fd = -1, ret;

	if (!drawn_pairs(cmp)) {
		ret = err_set(err, -ENODATA, "%s: no row to draw", path);
		goto out_close;
	}
	fd = mkstemp(tmp);
	if (fd < 0 || !in || !complaints) {
		ret = -errno;
		err_set(err, ret, "%s: %s", path, strerror(errno));
		goto out_close;
	}
	script(in, cmp);
	ret = draw(in, complaints, fd, err);
	/* mkstemp() makes a file for nobody else. */
	if (!ret && (fchmod(fd, 0644) || rename(tmp, path))) {
		ret = -errno;
		err_set(err, ret, "%s: %s", path, strerror(errno));
	}
	if (ret)
		unlink(tmp);
out_close:
	if (fd >= 0)
		close(fd);
	if (in)
		fclose(in);
	if (complaints)
		fclose(complaints);
	free(tmp);
	return ret;
}
