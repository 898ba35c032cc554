// SPDX-License-Identifier: GPL-2.0
/*
 * The six built engines, loaded as fio loads them into a program that has
 * fio's symbols: each is what its page says, and nothing of it is missing.
 */
#include <dlfcn.h>
#include <libgen.h>

#include "fio-stubs.h"

#define DEFER	(IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN)

static const struct {
	const char *name;
	unsigned int required, sqe_flags;
	bool no_file, ring_ready;
} engines[] = {
	{ "plain",  0, 0, false, false },
	{ "iopoll", IORING_SETUP_IOPOLL, 0, false, false },
	{ "hybrid", IORING_SETUP_IOPOLL | IORING_SETUP_HYBRID_IOPOLL, 0, false, false },
	{ "defer",  DEFER, 0, false, false },
	{ "iowq",   0, IOSQE_ASYNC, false, true },
	{ "nop",    0, 0, true, true },
};
#define NR_ENGINES	(sizeof(engines) / sizeof(engines[0]))

static struct ring_engine *loaded[NR_ENGINES];

static int load(void **state)
{
	char self[PATH_MAX], path[PATH_MAX + 64];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	unsigned int i;
	const char *dir;

	stub_log_clear();	/* and so fio's symbols are in this program */
	if (n < 0)
		return -1;
	self[n] = '\0';
	dir = dirname(dirname(self));
	for (i = 0; i < NR_ENGINES; i++) {
		void *so;

		snprintf(path, sizeof(path), "%s/fio-iou_%s.so", dir, engines[i].name);
		so = dlopen(path, RTLD_LAZY);
		if (!so) {
			print_error("%s\n", dlerror());
			return -1;
		}
		loaded[i] = dlsym(so, "ioengine");
		if (!loaded[i])
			return -1;
	}
	return 0;
}

static void test_identity(void **state)
{
	char name[32];
	unsigned int i, k;

	for (i = 0; i < NR_ENGINES; i++) {
		const struct ring_engine *e = loaded[i];

		snprintf(name, sizeof(name), "iou_%s", engines[i].name);
		assert_string_equal(e->ops.name, name);
		/* this is the fio it was built for, so its number stays */
		assert_int_equal(e->ops.version, FIO_IOOPS_VERSION);
		assert_int_equal(e->required_flags, engines[i].required);
		assert_int_equal(e->sqe_flags, engines[i].sqe_flags);
		assert_int_equal(e->no_file, engines[i].no_file);
		assert_int_equal(!!e->ring_ready, engines[i].ring_ready);
		/* loaded together, none is another's */
		for (k = 0; k < i; k++)
			assert_ptr_not_equal(e, loaded[k]);
	}
}

/* Offloaded submission would use a ring outside its thread. */
static void test_flags(void **state)
{
	unsigned int i;

	for (i = 0; i < NR_ENGINES; i++) {
		const unsigned int flags = loaded[i]->ops.flags;

		assert_true(flags & FIO_NO_OFFLOAD);
		assert_true(flags & FIO_ASYNCIO_SETS_ISSUE_TIME);
		assert_false(flags & (FIO_SYNCIO | FIO_RAWIO));
		assert_int_equal(!!(flags & FIO_DISKLESSIO), engines[i].no_file);
	}
}

static void test_callbacks(void **state)
{
	unsigned int i;

	for (i = 0; i < NR_ENGINES; i++) {
		const struct ioengine_ops *ops = &loaded[i]->ops;

		assert_non_null(ops->setup);
		assert_non_null(ops->init);
		assert_non_null(ops->io_u_init);
		assert_non_null(ops->post_init);
		assert_non_null(ops->open_file);
		assert_non_null(ops->close_file);
		assert_non_null(ops->queue);
		assert_non_null(ops->commit);
		assert_non_null(ops->getevents);
		assert_non_null(ops->event);
		assert_non_null(ops->errdetails);
		assert_non_null(ops->cleanup);
		if (!engines[i].no_file)
			assert_non_null(ops->get_file_size);
	}
}

/* Every row: a place inside the struct, help, a category; no name twice. */
static void test_options(void **state)
{
	unsigned int i;

	for (i = 0; i < NR_ENGINES; i++) {
		const struct ioengine_ops *ops = &loaded[i]->ops;
		const struct fio_option *o, *p;

		assert_int_equal(ops->option_struct_size, sizeof(struct ring_options));
		for (o = ops->options; o->name; o++) {
			/* the first word is fio's: the thread it parses for */
			assert_in_range(o->off1, sizeof(void *),
					ops->option_struct_size - sizeof(int));
			assert_non_null(o->lname);
			assert_non_null(o->help);
			assert_in_range(strlen(o->help), 10, 100);
			assert_int_equal(o->category, FIO_OPT_C_ENGINE);
			for (p = ops->options; p < o; p++) {
				assert_string_not_equal(p->name, o->name);
				assert_int_not_equal(p->off1, o->off1);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_identity),
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_callbacks),
		cmocka_unit_test(test_options),
	};

	return cmocka_run_group_tests_name("engines", tests, load, NULL);
}
