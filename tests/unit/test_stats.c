// SPDX-License-Identifier: GPL-2.0
/*
 * The statistics against R 4.2.2 and SciPy 1.10.1. Each figure has the call
 * that made it beside it.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "stats.h"

#define N(a)	(sizeof(a) / sizeof((a)[0]))
/* The references are printed with twelve digits. */
#define near(got, want)	is_near(got, want, #got, __LINE__)

static void is_near(double got, double want, const char *what, int line)
{
	if (!(fabs(got - want) <= 1e-10 * (1 + fabs(want))))
		fail_msg("line %d: %s is %.14g, not %.14g", line, what, got, want);
}

static const double pre[] = { 5.112, 5.098, 5.131, 5.107, 5.120, 5.093 };
static const double post[] = { 5.171, 5.166, 5.128, 5.180, 5.159, 5.175 };
static const double x5[] = { 10.2, 11.7, 9.8, 10.9, 12.4 };
static const double y7[] = { 11.1, 12.9, 13.3, 10.5, 12.2, 14.0, 11.9 };

static void test_summary(void **state)
{
	static const double even[] = { 3, 1, 2, 10 };
	static const double three[] = { 55885, 59926, 57000 };

	(void)state;
	/* R: median(c(3,1,2,10)), sd(c(55885,59926,57000)) */
	near(stats_median(even, 4), 2.5);
	near(stats_median(even, 3), 2);
	near(stats_sd(three, 3), 2087.03865161);
	near(stats_mean(three, 3), 57603.6666666667);
	near(stats_sd(three, 1), 0);
	assert_true(isnan(stats_median(even, 0)));
}

static void test_mann_whitney_exact(void **state)
{
	static const double a[] = { 100, 103, 101 }, b[] = { 110, 112, 109 };
	double x[30], y[30];
	int i;

	(void)state;
	/* R: wilcox.test(post, pre)$p.value; SciPy's mannwhitneyu agrees */
	near(stats_mann_whitney(pre, 6, post, 6), 0.004329004329004329);
	near(stats_mann_whitney(post, 6, pre, 6), 0.004329004329004329);
	/* R: wilcox.test(a, b)$p.value */
	near(stats_mann_whitney(a, 3, b, 3), 0.1);
	near(stats_mann_whitney(x5, 5, y7, 7), 0.106060606061);

	/* R: i <- 0:29; x <- 1000 + 1.7*((i*7)%%30);
	 *    y <- 1004.37 + 1.9*((i*11)%%30); wilcox.test(x, y, exact=TRUE) */
	for (i = 0; i < 30; i++) {
		x[i] = 1000 + 1.7 * (i * 7 % 30);
		y[i] = 1004.37 + 1.9 * (i * 11 % 30);
	}
	near(stats_mann_whitney(x, 30, y, 30), 0.099504837296);
}

/*
 * SciPy: r = rankdata(concatenate([x, y])); permutation_test((r[:n], r[n:]),
 *	lambda a, b, axis: a.sum(axis=axis), vectorized=True,
 *	permutation_type='independent', n_resamples=inf).pvalue
 */
static void test_mann_whitney_ties(void **state)
{
	static const double a5[] = { 1, 2, 2, 3, 5 }, b5[] = { 2, 4, 5, 5, 6 };
	static const double a6[] = { 10, 10, 11, 11, 12, 12 };
	static const double b6[] = { 12, 12, 13, 13, 13, 14 };
	static const double a4[] = { 7, 7, 8, 9 }, c6[] = { 7, 8, 8, 8, 9, 9 };
	static const double same[] = { 7, 7, 7 };

	(void)state;
	near(stats_mann_whitney(a5, 5, b5, 5), 0.15079365079365079);
	near(stats_mann_whitney(a6, 6, b6, 6), 0.012987012987012988);
	near(stats_mann_whitney(a4, 4, c6, 6), 0.6952380952380952);
	near(stats_mann_whitney(same, 3, same, 3), 1);
}

static void test_mann_whitney_normal(void **state)
{
	double x[40], y[40];
	int i;

	(void)state;
	/* R: as above with i <- 0:30 and %% 31, exact=FALSE, correct=TRUE */
	for (i = 0; i < 31; i++) {
		x[i] = 1000 + 1.7 * (i * 7 % 31);
		y[i] = 1004.37 + 1.9 * (i * 11 % 31);
	}
	near(stats_mann_whitney(x, 31, y, 31), 0.0995183601996);

	/* SciPy: i = arange(40); mannwhitneyu(100 + (i*37)%40//4,
	 *	102 + (i*23)%40//4, method='asymptotic') */
	for (i = 0; i < 40; i++) {
		x[i] = 100 + i * 37 % 40 / 4;
		y[i] = 102 + i * 23 % 40 / 4;
	}
	near(stats_mann_whitney(x, 40, y, 40), 0.005468015007400773);
	for (i = 0; i < 40; i++)
		x[i] = 1;
	near(stats_mann_whitney(x, 40, x, 40), 1);
}

/* R: w <- wilcox.test(log(y), log(x), conf.int=TRUE);
 *    100*expm1(c(w$estimate, w$conf.int)), and for the level
 *    1 - 2*pwilcox(qwilcox(0.025, nx, ny) - 1, nx, ny) */
static void test_shift(void **state)
{
	double x[30], y[30];
	struct shift s;
	int i;

	(void)state;
	stats_shift(pre, 6, post, 6, 0.05, &s);
	near(s.percent, 1.114175029743);
	near(s.lo, 0.588466065124);
	near(s.hi, 1.433339878264);
	near(s.level, 0.958874458874);

	stats_shift(x5, 5, y7, 7, 0.05, &s);
	near(s.percent, 11.92660550459);
	near(s.lo, -3.66972477064);
	near(s.hi, 28.44036697248);
	near(s.level, 0.95202020202);

	/* conf.level=0.99, qwilcox(0.005, …) */
	stats_shift(x5, 5, y7, 7, 0.01, &s);
	near(s.lo, -10.4838709677);
	near(s.hi, 37.2549019608);
	near(s.level, 0.994949494949);

	for (i = 0; i < 30; i++) {
		x[i] = 1000 + 1.7 * (i * 7 % 30);
		y[i] = 1004.37 + 1.9 * (i * 11 % 30);
	}
	stats_shift(x, 30, y, 30, 0.05, &s);
	near(s.percent, 0.709385562144);
	near(s.lo, -0.140845070423);
	near(s.hi, 1.577);
}

/* R warns that 95 % can't be had here, and its conf.level attribute is 0.9. */
static void test_shift_too_few(void **state)
{
	static const double a[] = { 100, 103, 101 }, b[] = { 110, 112, 109 };
	struct shift s;

	(void)state;
	stats_shift(a, 3, b, 3, 0.05, &s);
	near(s.percent, 8.91089108911);
	near(s.lo, 5.82524271845);
	near(s.hi, 12);
	near(s.level, 0.9);

	/* One against one: no interval at all, and it says so. */
	stats_shift(a, 1, b, 1, 0.05, &s);
	near(s.percent, 10);
	near(s.lo, 10);
	near(s.hi, 10);
	near(s.level, 0);
}

/* Above the exact limit the interval and the test must still agree. */
static void test_shift_large(void **state)
{
	double x[40], y[40];
	struct shift s;
	int i;

	(void)state;
	for (i = 0; i < 40; i++) {
		x[i] = 1000 + i * 37 % 40;
		y[i] = (1000 + i * 23 % 40) * 1.012;
	}
	stats_shift(x, 40, y, 40, 0.05, &s);
	near(s.level, 0.95);
	assert_true(s.lo > 0 && s.lo < 1.2 && s.hi > 1.2);
	assert_true(stats_mann_whitney(x, 40, y, 40) < 0.05);

	stats_shift(x, 1, y, 40, 0.0001, &s);
	assert_true(s.lo <= s.percent && s.percent <= s.hi);
}

static void test_holm(void **state)
{
	double p[] = { 0.01, 0.04, 0.03, 0.005, 0.9 };
	double q[] = { 0.02, 0.02, 0.5 };

	(void)state;
	/* R: p.adjust(c(0.01,0.04,0.03,0.005,0.9), "holm") */
	stats_holm(p, N(p));
	near(p[0], 0.04);
	near(p[1], 0.09);
	near(p[2], 0.09);
	near(p[3], 0.025);
	near(p[4], 0.9);
	/* R: p.adjust(c(0.02,0.02,0.5), "holm") */
	stats_holm(q, N(q));
	near(q[0], 0.06);
	near(q[1], 0.06);
	near(q[2], 0.5);
	stats_holm(q, 0);
}

static void test_least(void **state)
{
	(void)state;
	/* R: 2/choose(6,3), 2/choose(8,4), 2/choose(12,6), 2/choose(10,3) */
	near(stats_least_p(3, 3), 0.1);
	near(stats_least_p(4, 4), 0.02857142857143);
	near(stats_least_p(6, 6), 0.00216450216450);
	near(stats_least_p(3, 7), 0.01666666666667);
	near(stats_least_p(1, 1), 1);
	/* So 4 against 4 for one test at 0.05; ten tests want p < 0.005. */
	assert_int_equal(stats_least_n(0.05, 1), 4);
	assert_int_equal(stats_least_n(0.05, 10), 6);
	assert_int_equal(stats_least_n(0.1, 1), 4);
	assert_int_equal(stats_least_n(0.11, 1), 3);
}

/* Python: for c in itertools.combinations(range(n), n // 2): append
 * abs(median of log(p/q), p in the half, q outside); sort; then
 * 100*expm1(d[ceil(.95*len(d)) - 1]) */
static void test_floor(void **state)
{
	static const double x[] = { 100, 101, 99.5, 100.7, 102, 99.9 };
	double many[40];
	int i;

	(void)state;
	near(stats_floor(x, 6), 1.2060301507537716);
	near(stats_floor(x, 5), 1.3991926512672126);
	assert_true(isnan(stats_floor(x, 3)));

	for (i = 0; i < 40; i++)
		many[i] = 1000 + i * 17 % 40;
	/* Drawn, not all: the same each time, and of the right size. */
	near(stats_floor(many, 40), stats_floor(many, 40));
	assert_true(stats_floor(many, 40) > 0.3 && stats_floor(many, 40) < 1.5);
}

/* xorshift and Box-Muller: the same trials on every machine. */
static double normal(uint64_t *seed)
{
	double u[2];
	int i;

	for (i = 0; i < 2; i++) {
		*seed ^= *seed << 13;
		*seed ^= *seed >> 7;
		*seed ^= *seed << 17;
		u[i] = ((*seed >> 11) + 0.5) / 9007199254740992.0;
	}
	return sqrt(-2 * log(u[0])) * cos(2 * M_PI * u[1]);
}

struct tally {
	int	found;		/* a difference was called */
	int	held;		/* the interval held the truth */
};

static struct tally trials(int times, int n, double shift, double sd)
{
	uint64_t seed = 20240229;
	struct tally t = { 0, 0 };
	double x[16], y[16], p;
	struct shift s;
	int i, k;

	for (k = 0; k < times; k++) {
		for (i = 0; i < n; i++) {
			x[i] = 1e6 * exp(sd * normal(&seed));
			y[i] = 1e6 * (1 + shift) * exp(sd * normal(&seed));
		}
		p = stats_mann_whitney(x, n, y, n);
		stats_holm(&p, 1);
		stats_shift(x, n, y, n, 0.05, &s);
		/* Where there is a 95 % interval, the test says the same. */
		if (s.level >= 0.95)
			assert_int_equal(p < 0.05, s.lo > 0 || s.hi < 0);
		t.found += p < 0.05;
		t.held += s.lo <= 100 * shift && 100 * shift <= s.hi;
	}
	return t;
}

static void test_equal_sides(void **state)
{
	struct tally t = trials(2000, 6, 0, 0.003);

	(void)state;
	/* 6 against 6 can be wrong 4.1 % of the time: 2 * 19 / 924 */
	assert_in_range(t.found, 40, 100);
	assert_in_range(t.held, 1900, 1960);
}

static void test_one_percent(void **state)
{
	struct tally t = trials(2000, 6, 0.01, 0.003);

	(void)state;
	assert_in_range(t.found, 1800, 2000);
	assert_in_range(t.held, 1900, 2000);
}

/* Three a side can't show anything at 0.05, however far apart they are. */
static void test_three_boots(void **state)
{
	(void)state;
	assert_int_equal(trials(200, 3, 0.5, 0.003).found, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_summary),
		cmocka_unit_test(test_mann_whitney_exact),
		cmocka_unit_test(test_mann_whitney_ties),
		cmocka_unit_test(test_mann_whitney_normal),
		cmocka_unit_test(test_shift),
		cmocka_unit_test(test_shift_too_few),
		cmocka_unit_test(test_shift_large),
		cmocka_unit_test(test_holm),
		cmocka_unit_test(test_least),
		cmocka_unit_test(test_floor),
		cmocka_unit_test(test_equal_sides),
		cmocka_unit_test(test_one_percent),
		cmocka_unit_test(test_three_boots),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
