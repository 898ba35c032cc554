/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FIO_IOU_STATS_H
#define FIO_IOU_STATS_H

#include <stddef.h>

/*
 * Two independent samples, one value per boot. Nothing here assumes a
 * distribution: with six boots a side there is no telling which it is.
 */

/* Above this many values in both samples together, p is the normal one. */
#define STATS_EXACT_MAX	60

double stats_median(const double *x, size_t n);
double stats_mean(const double *x, size_t n);
/* Of a sample (n - 1); 0 for less than two values. */
double stats_sd(const double *x, size_t n);

/*
 * Two-sided p of the Mann-Whitney test. Exact, ties included: every way to
 * deal the ranks to the two sides is counted. Twice the smaller tail, at most
 * 1. Above STATS_EXACT_MAX the normal approximation, corrected for ties and
 * continuity.
 */
double stats_mann_whitney(const double *x, size_t nx, const double *y, size_t ny);

/* What p can't go below with so many values on each side. */
double stats_least_p(size_t nx, size_t ny);

/*
 * The least number of values per side that can show a difference below
 * @alpha when @tests are made and Holm corrects for them.
 */
size_t stats_least_n(double alpha, size_t tests);

/*
 * How far y is from x, in percent of x: the median of all ratios y/x, taken
 * on the logarithm, with the interval that the Mann-Whitney test with the
 * same @alpha doesn't refuse. All values must be above zero.
 *
 * @level is the interval's real coverage and never below 1 - alpha, except
 * when there are too few values for that: then the interval is the widest
 * there is, from the smallest ratio to the largest, and @level is what that
 * is worth (0.9 for three against three).
 */
struct shift {
	double	percent;
	double	lo, hi;
	double	level;
};

void stats_shift(const double *x, size_t nx, const double *y, size_t ny,
		 double alpha, struct shift *shift);

/* Holm's step-down: @p becomes the adjusted p, in place and in its order. */
void stats_holm(double *p, size_t n);

/*
 * How far the halves of one sample are apart, in percent: of all ways to
 * split @x in two halves, 95 % are closer than this. NAN below four values.
 */
double stats_floor(const double *x, size_t n);

#endif
