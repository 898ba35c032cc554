// SPDX-License-Identifier: GPL-2.0
/*
 * io-wq has bounded workers, for block devices and regular files, and unbound
 * ones, for what may block for ever (io_uring/io_uring.c,
 * io_prep_async_work()). But a request that is forced there is sorted before
 * its file is looked up: on 6.18 all of them are served by unbound workers. So
 * workers= is a cap on both kinds.
 */
#include <dirent.h>
#include <sched.h>

#include "cpulist.h"
#include "iowq.h"

unsigned int iowq_count(void)
{
	char path[64], comm[32], name[32];
	unsigned int n = 0;
	struct dirent *d;
	DIR *dir;
	FILE *f;

	snprintf(name, sizeof(name), "iou-wrk-%d\n", gettid());
	dir = opendir("/proc/self/task");
	if (!dir)
		return 0;
	while ((d = readdir(dir))) {
		snprintf(path, sizeof(path), "/proc/self/task/%.16s/comm", d->d_name);
		f = fopen(path, "re");
		if (!f)
			continue;
		if (fgets(comm, sizeof(comm), f) && !strcmp(comm, name))
			n++;
		fclose(f);
	}
	closedir(dir);
	return n;
}

void iowq_look(struct ring *r)
{
	unsigned int n = iowq_count();

	if (n > r->iowq_seen)
		r->iowq_seen = n;
}

/*
 * Workers inherit their creator's CPUs since 6.12; on every kernel they are
 * told. CPUs that are not online are refused, not dropped.
 */
static int setup_cpus(struct ring *r)
{
	cpu_set_t mask;
	int ret;

	if (r->o->worker_cpus) {
		if (cpulist_parse(&mask, r->o->worker_cpus) ||
		    !cpulist_online(&mask))
			return refuse(r->td, EINVAL, "worker_cpus=%s: not a list of CPUs that are online, such as 0,2-3",
				      r->o->worker_cpus);
	} else if (fio_option_is_set(&r->td->o, cpumask)) {
		if (sched_getaffinity(0, sizeof(mask), &mask))
			return refuse(r->td, errno, "sched_getaffinity: %s",
				      strerror(errno));
	} else {
		return 0;
	}
	ret = io_uring_register_iowq_aff(&r->uring, sizeof(mask), &mask);
	if (ret)
		return refuse(r->td, -ret, "the kernel does not take the CPUs of io-wq workers (%s): check worker_cpus and cpus_allowed (Linux 5.14)",
			      strerror(-ret));
	return 0;
}

int iowq_setup(struct ring *r)
{
	const unsigned int bounded = r->o->workers;
	const unsigned int unbound = r->o->unbound_workers ?
					r->o->unbound_workers : bounded;
	unsigned int limits[2] = { bounded, unbound };
	int ret;

	ret = setup_cpus(r);
	if (ret)
		return ret;
	ret = io_uring_register_iowq_max_workers(&r->uring, limits);
	if (ret)
		return refuse(r->td, -ret, "the kernel does not take a limit on io-wq workers: %s (Linux 5.15)",
			      strerror(-ret));
	/* what comes back was in force before: where 0 was asked, it still is */
	r->iowq_bounded = bounded ? bounded : limits[0];
	r->iowq_unbounded = unbound ? unbound : limits[1];
	return 0;
}
