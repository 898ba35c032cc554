// SPDX-License-Identifier: GPL-2.0
/* CPU lists, and the generator of random offsets. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "engines/cpulist.h"
#include "engines/rand.h"

static void test_lists(void **state)
{
	cpu_set_t set;

	(void)state;
	assert_int_equal(cpulist_parse(&set, "0"), 0);
	assert_int_equal(CPU_COUNT(&set), 1);
	assert_true(CPU_ISSET(0, &set));
	assert_int_equal(cpulist_parse(&set, "0,2-4,9"), 0);
	assert_int_equal(CPU_COUNT(&set), 5);
	assert_true(CPU_ISSET(2, &set) && CPU_ISSET(3, &set) && CPU_ISSET(4, &set));
	assert_false(CPU_ISSET(1, &set));
	/* what overlaps counts once, and any order will do */
	assert_int_equal(cpulist_parse(&set, "5,1-3,2"), 0);
	assert_int_equal(CPU_COUNT(&set), 4);
	assert_int_equal(cpulist_parse(&set, "1023"), 0);
	assert_true(CPU_ISSET(1023, &set));
}

static void test_not_lists(void **state)
{
	static const char *const bad[] = {
		"", ",", "0,", ",0", "0,,1", "a", "0x1", "-1", "1-", "3-1",
		"0-1-2", "0 1", " 0", "0 ", "+1", "1024", "0-1024",
		"99999999999999999999", "0\n", "1.5", "all",
	};
	cpu_set_t set;
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (cpulist_parse(&set, bad[i]) != -EINVAL)
			fail_msg("\"%s\" is taken for a list", bad[i]);
}

/* On the machine that runs the test: CPU 0 is online, the last possible is not. */
static void test_online(void **state)
{
	cpu_set_t set;

	(void)state;
	CPU_ZERO(&set);
	CPU_SET(0, &set);
	assert_true(cpulist_online(&set));
	CPU_SET(CPU_SETSIZE - 1, &set);
	assert_false(cpulist_online(&set));
}

static void test_rand_range(void **state)
{
	static const uint64_t limits[] = { 1, 2, 3, 7, 1000, 1ULL << 40, UINT64_MAX };
	uint64_t seed = 1;
	unsigned int i, k;

	(void)state;
	for (i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		for (k = 0; k < 10000; k++)
			assert_true(rand_below(&seed, limits[i]) < limits[i]);
	/* a region smaller than a request: its start */
	assert_int_equal(rand_below(&seed, 0), 0);
}

/* Even: 16 buckets of 1/16 each, 5 sigma of a million draws aside. */
static void test_rand_even(void **state)
{
	unsigned int bucket[16] = { 0 }, i;
	uint64_t seed = 42;

	(void)state;
	for (i = 0; i < 1000000; i++)
		bucket[rand_below(&seed, 16)]++;
	for (i = 0; i < 16; i++)
		assert_in_range(bucket[i], 62500 - 1210, 62500 + 1210);
}

static void test_rand_repeats(void **state)
{
	uint64_t a = 7, b = 7, c = 8;
	unsigned int i, same = 0;

	(void)state;
	for (i = 0; i < 1000; i++) {
		uint64_t x = rand_next(&a);

		assert_true(x == rand_next(&b));
		same += x == rand_next(&c);
	}
	assert_int_equal(same, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_not_lists),
		cmocka_unit_test(test_online),
		cmocka_unit_test(test_rand_range),
		cmocka_unit_test(test_rand_even),
		cmocka_unit_test(test_rand_repeats),
	};

	return cmocka_run_group_tests_name("cpulist", tests, NULL, NULL);
}
