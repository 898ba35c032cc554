// SPDX-License-Identifier: GPL-2.0
/* The proof that a run took its path. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "proof.h"

/*
 * A polled run may see some interrupts of its device: the admin queue's, or a
 * reader from elsewhere. A run that was not polled sees one for every batch of
 * completions, which at the deepest queues is one in some hundred requests.
 */
#define IRQS_SPARE		16
#define REQUESTS_PER_SPARE_IRQ	1000

static bool has_flag(struct json_object *list, const char *flag)
{
	size_t i, n = list ? json_object_array_length(list) : 0;

	for (i = 0; i < n; i++) {
		if (!strcmp(flag, json_object_get_string(json_object_array_get_idx(list, i))))
			return true;
	}
	return false;
}

static int check_granted(struct json_object *required,
			 struct json_object *granted, struct err *err)
{
	size_t i, n = required ? json_object_array_length(required) : 0;
	const char *flag;

	for (i = 0; i < n; i++) {
		flag = json_object_get_string(json_object_array_get_idx(required, i));
		if (!granted)
			return err_set(err, -EPROTO,
				       "needs the ring flag %.40s, and nothing says it was granted",
				       flag);
		if (!has_flag(granted, flag))
			return err_set(err, -EPROTO,
				       "the ring flag %.40s was required and not granted",
				       flag);
	}
	return 0;
}

static int check_flags(const struct run *run, struct err *err)
{
	struct json_object *reports = json_at(run->json, "reports"), *report;
	size_t i, n = reports ? json_object_array_length(reports) : 0;
	int ret;

	ret = check_granted(json_at(run->json, "proof.flags_required"),
			    json_at(run->json, "proof.flags_granted"), err);
	for (i = 0; i < n && !ret; i++) {
		report = json_object_array_get_idx(reports, i);
		ret = check_granted(json_at(report, "ring.required"),
				    json_at(report, "ring.granted"), err);
	}
	return ret;
}

static bool is_polled(const struct run *run)
{
	return !strcmp(run->engine, "iou_iopoll") ||
		!strcmp(run->engine, "iou_hybrid") ||
		has_flag(json_at(run->json, "proof.flags_required"), "IOPOLL");
}

/* By the path reports; where there are none, by the rate. */
static double requests_of(const struct run *run)
{
	double ms = json_number_at(run->json, "runtime_ms");

	if (!isnan(run->requests))
		return run->requests;
	return isnan(ms) ? 0 : run->value[M_IOPS] * ms / 1000;
}

static int check_polled(const struct run *run, struct err *err)
{
	double io_poll = json_number_at(run->json, "proof.io_poll");
	double irqs = json_number_at(run->json, "proof.nvme_irqs.after") -
		      json_number_at(run->json, "proof.nvme_irqs.before");
	double workers = json_number_at(run->json, "proof.iowq_workers");
	double requests = requests_of(run);

	if (!json_at(run->json, "proof.flags_granted") &&
	    !json_at(run->json, "reports"))
		return err_set(err, -EPROTO,
			       "a polled run without a path report: nothing says it was polled");
	if (io_poll == 0)
		return err_set(err, -EPROTO,
			       "a polled run on a device without poll queues (io_poll is 0)");
	if (irqs > IRQS_SPARE + requests / REQUESTS_PER_SPARE_IRQ)
		return err_set(err, -EPROTO,
			       "a polled run, but NVMe interrupts rose by %.0f in %.0f requests",
			       irqs, requests);
	/* beyond the tags of the device's queue a request waits in a worker */
	if (workers > 0)
		return err_set(err, -EPROTO,
			       "a polled run, but %.0f io-wq workers served requests: more were in flight than the device's queue holds",
			       workers);
	if (isnan(io_poll) && isnan(irqs))
		return err_set(err, -EPROTO,
			       "a polled run with neither io_poll nor NVMe interrupts recorded");
	return 0;
}

static int check_iowq(const struct run *run, struct err *err)
{
	double workers = json_number_at(run->json, "proof.iowq_workers");

	if (isnan(workers))
		return err_set(err, -EPROTO,
			       "an io-wq run whose workers were not counted");
	if (workers == 0)
		return err_set(err, -EPROTO, "an io-wq run without an io-wq worker");
	return 0;
}

int proof_check(const struct run *run, struct err *err)
{
	int ret = check_flags(run, err);

	if (!ret && is_polled(run))
		ret = check_polled(run, err);
	if (!ret && !strcmp(run->engine, "iou_iowq"))
		ret = check_iowq(run, err);
	return ret;
}
