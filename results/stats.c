// SPDX-License-Identifier: GPL-2.0
/* Rank statistics for two small samples. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"
#include "util.h"

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double *sorted(const double *x, size_t n)
{
	double *s = xcalloc(n, sizeof(*s));

	if (n)
		memcpy(s, x, n * sizeof(*s));
	qsort(s, n, sizeof(*s), by_value);
	return s;
}

static double middle(const double *s, size_t n)
{
	return n % 2 ? s[n / 2] : (s[n / 2 - 1] + s[n / 2]) / 2;
}

double stats_median(const double *x, size_t n)
{
	double *s, m;

	if (!n)
		return NAN;
	s = sorted(x, n);
	m = middle(s, n);
	free(s);
	return m;
}

double stats_mean(const double *x, size_t n)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += x[i];
	return n ? sum / n : NAN;
}

double stats_sd(const double *x, size_t n)
{
	double mean = stats_mean(x, n), sum = 0;
	size_t i;

	if (n < 2)
		return 0;
	for (i = 0; i < n; i++)
		sum += (x[i] - mean) * (x[i] - mean);
	return sqrt(sum / (n - 1));
}

/*
 * In how many ways can @n of the @total ranks be drawn so that they sum to s?
 * The answer is ways[s], s up to *max. Ranks come doubled, so that the mean
 * rank of a tie is a whole number.
 */
static double *rank_sums(const unsigned int *rank2, size_t total, size_t n,
			 size_t *max)
{
	size_t i, k, s, sum = 0;
	double *ways, *row, *less;

	for (i = 0; i < total; i++)
		sum += rank2[i];

	/* One row of sums per number of ranks drawn so far. */
	ways = xcalloc((n + 1) * (sum + 1), sizeof(*ways));
	ways[0] = 1;
	for (i = 0; i < total; i++) {
		for (k = (i + 1 < n ? i + 1 : n); k > 0; k--) {
			row = ways + k * (sum + 1);
			less = row - (sum + 1);
			for (s = rank2[i]; s <= sum; s++)
				row[s] += less[s - rank2[i]];
		}
	}
	memmove(ways, ways + n * (sum + 1), (sum + 1) * sizeof(*ways));
	*max = sum;
	return ways;
}

/*
 * The doubled rank of each value of x, then of y; a tie shares its mean rank.
 * @ties becomes the sum of t^3 - t over the ties.
 */
static unsigned int *rank_both(const double *x, size_t nx, const double *y,
			       size_t ny, double *ties)
{
	size_t n = nx + ny, i, below, same;
	unsigned int *rank2 = xcalloc(n, sizeof(*rank2));
	double *all = xcalloc(n, sizeof(*all)), *s, *at;

	memcpy(all, x, nx * sizeof(*x));
	memcpy(all + nx, y, ny * sizeof(*y));
	s = sorted(all, n);

	*ties = 0;
	for (i = 0; i < n; i++) {
		at = bsearch(&all[i], s, n, sizeof(*s), by_value);
		while (at > s && at[-1] == all[i])
			at--;
		below = at - s;
		for (same = 0; below + same < n && at[same] == all[i]; same++)
			;
		rank2[i] = 2 * below + same + 1;
		/* Each of the t members adds its share of t^3 - t. */
		*ties += (double)same * same - 1;
	}
	free(s);
	free(all);
	return rank2;
}

static double p_exact(const unsigned int *rank2, size_t nx, size_t ny)
{
	size_t max, s, seen = 0, i;
	double *ways, below = 0, above = 0, all = 0;

	for (i = 0; i < nx; i++)
		seen += rank2[i];
	ways = rank_sums(rank2, nx + ny, nx, &max);
	for (s = 0; s <= max; s++) {
		all += ways[s];
		if (s <= seen)
			below += ways[s];
		if (s >= seen)
			above += ways[s];
	}
	free(ways);
	return fmin(1, 2 * fmin(below, above) / all);
}

static double p_normal(const unsigned int *rank2, size_t nx, size_t ny,
		       double ties)
{
	double n = (double)nx + ny, u = 0, var, z;
	size_t i;

	for (i = 0; i < nx; i++)
		u += rank2[i] / 2.0;
	u -= nx * (nx + 1) / 2.0;

	var = nx * (double)ny / 12 * (n + 1 - ties / (n * (n - 1)));
	if (var <= 0)
		return 1;
	z = fmax(0, fabs(u - nx * (double)ny / 2) - 0.5) / sqrt(var);
	return fmin(1, erfc(z / sqrt(2)));
}

double stats_mann_whitney(const double *x, size_t nx, const double *y, size_t ny)
{
	unsigned int *rank2;
	double p, ties;

	if (!nx || !ny)
		return NAN;
	rank2 = rank_both(x, nx, y, ny, &ties);
	if (nx + ny <= STATS_EXACT_MAX)
		p = p_exact(rank2, nx, ny);
	else
		p = p_normal(rank2, nx, ny, ties);
	free(rank2);
	return p;
}

double stats_least_p(size_t nx, size_t ny)
{
	double ways = 1;
	size_t i;

	for (i = 1; i <= nx; i++)
		ways = ways * (ny + i) / i;
	return fmin(1, 2 / ways);
}

size_t stats_least_n(double alpha, size_t tests)
{
	size_t n = 2;

	while (stats_least_p(n, n) * (tests ? tests : 1) >= alpha && n < 1000)
		n++;
	return n;
}

/* z with @tail above it under the normal curve; halving is quick enough. */
static double normal_tail(double tail)
{
	double lo = 0, hi = 40, z;
	int i;

	for (i = 0; i < 100; i++) {
		z = (lo + hi) / 2;
		if (erfc(z / sqrt(2)) / 2 > tail)
			lo = z;
		else
			hi = z;
	}
	return lo;
}

/*
 * How many of the ordered ratios to leave out at each end: the largest k with
 * P(U < k) < alpha / 2. @level becomes the coverage of what is between.
 */
static size_t leave_out(size_t nx, size_t ny, double alpha, double *level)
{
	size_t n = nx + ny, max, least = nx * (nx + 1), i, k;
	double all = 0, below = 0, *ways, z;
	unsigned int *rank2;

	if (n > STATS_EXACT_MAX) {
		z = normal_tail(alpha / 2);
		*level = 1 - alpha;
		return fmax(0, nx * (double)ny / 2 -
			    z * sqrt(nx * (double)ny * (n + 1) / 12));
	}

	rank2 = xcalloc(n, sizeof(*rank2));
	for (i = 0; i < n; i++)
		rank2[i] = 2 * (i + 1);
	ways = rank_sums(rank2, n, nx, &max);
	for (i = 0; i <= max; i++)
		all += ways[i];
	/* U is the rank sum less the least there is; two steps of ways[] each. */
	for (k = 0; 2 * (below + ways[least + 2 * k]) < alpha * all; k++)
		below += ways[least + 2 * k];
	free(ways);
	free(rank2);
	*level = 1 - 2 * below / all;
	return k;
}

static double percent(double log_ratio)
{
	return 100 * expm1(log_ratio);
}

void stats_shift(const double *x, size_t nx, const double *y, size_t ny,
		 double alpha, struct shift *shift)
{
	size_t n = nx * ny, i, k;
	double *ratio = xcalloc(n, sizeof(*ratio));

	for (i = 0; i < n; i++)
		ratio[i] = log(y[i % ny] / x[i / ny]);
	qsort(ratio, n, sizeof(*ratio), by_value);

	k = leave_out(nx, ny, alpha, &shift->level);
	if (k == 0) {
		/* Even the extremes leave out more than alpha. */
		shift->level = 1 - stats_least_p(nx, ny);
		k = 1;
	}
	shift->percent = percent(middle(ratio, n));
	shift->lo = percent(ratio[k - 1]);
	shift->hi = percent(ratio[n - k]);
	free(ratio);
}

void stats_holm(double *p, size_t n)
{
	bool *done = xcalloc(n, sizeof(*done));
	double worst = 0;
	size_t i, k, least;

	for (k = 0; k < n; k++) {
		least = n;
		for (i = 0; i < n; i++) {
			if (!done[i] && (least == n || p[i] < p[least]))
				least = i;
		}
		if (least == n)
			break;
		done[least] = true;
		worst = fmax(worst, fmin(1, p[least] * (n - k)));
		p[least] = worst;
	}
	free(done);
}

/* |log shift| between the values whose bit in @half is set and the others. */
static double split_distance(const double *x, size_t n, const bool *half)
{
	double *ratio = xcalloc(n * n, sizeof(*ratio)), d;
	size_t i, j, m = 0;

	for (i = 0; i < n; i++) {
		for (j = 0; j < n; j++) {
			if (half[i] && !half[j])
				ratio[m++] = log(x[i] / x[j]);
		}
	}
	qsort(ratio, m, sizeof(*ratio), by_value);
	d = fabs(middle(ratio, m));
	free(ratio);
	return d;
}

/* The next way to choose as many as are chosen now; false after the last. */
static bool next_half(bool *half, size_t n)
{
	size_t i, ones = 0;

	/* Move the last one that can move, and pull those behind it close. */
	for (i = n; i-- > 0; ones += half[i]) {
		if (half[i] && i + 1 < n && !half[i + 1])
			break;
	}
	if (i == (size_t)-1)
		return false;
	half[i] = false;
	memset(half + i + 1, 0, n - i - 1);
	memset(half + i + 1, 1, ones + 1);
	return true;
}

/* A shuffle with a generator of its own: the same floor every time. */
static void shuffle(bool *half, size_t n, uint64_t *seed)
{
	size_t i, j;
	bool t;

	for (i = n - 1; i > 0; i--) {
		*seed = *seed * 6364136223846793005u + 1442695040888963407u;
		j = (*seed >> 33) % (i + 1);
		t = half[i];
		half[i] = half[j];
		half[j] = t;
	}
}

double stats_floor(const double *x, size_t n)
{
	enum { ALL_UP_TO = 12, DRAWN = 1000 };
	double *d = xcalloc(DRAWN, sizeof(*d)), floor;
	bool *half = xcalloc(n, sizeof(*half)), more;
	uint64_t seed = 1;
	size_t m = 0;

	if (n < 4) {
		floor = NAN;
		goto out;
	}
	/* Twelve boots have 924 halves; above that, draw some. */
	memset(half, 1, n / 2);
	do {
		d[m++] = split_distance(x, n, half);
		if (n <= ALL_UP_TO) {
			more = next_half(half, n);
		} else {
			shuffle(half, n, &seed);
			more = m < DRAWN;
		}
	} while (more);

	qsort(d, m, sizeof(*d), by_value);
	floor = percent(d[(size_t)ceil(0.95 * m) - 1]);
out:
	free(half);
	free(d);
	return floor;
}
