// SPDX-License-Identifier: GPL-2.0
#include <json-c/json.h>

#include "flags.h"
#include "iowq.h"
#include "report.h"

static const char *const taskrun_names[] = {
	[TASKRUN_NORMAL] = "normal",
	[TASKRUN_COOP] = "coop",
	[TASKRUN_DEFER] = "defer",
};

static void add(struct json_object *o, const char *key, struct json_object *val)
{
	json_object_object_add(o, key, val);
}

static void add_str(struct json_object *o, const char *key, const char *val)
{
	add(o, key, val && *val ? json_object_new_string(val) : NULL);
}

static void add_num(struct json_object *o, const char *key, uint64_t val)
{
	add(o, key, json_object_new_int64(val));
}

static void add_bool(struct json_object *o, const char *key, bool val)
{
	add(o, key, json_object_new_boolean(val));
}

static void add_double(struct json_object *o, const char *key, double val)
{
	add(o, key, json_object_new_double(val));
}

static struct json_object *flag_names(const struct setup_flag *f,
				      unsigned int flags)
{
	struct json_object *names = json_object_new_array();

	for (; f->name; f++)
		if (flags & f->bit)
			json_object_array_add(names, json_object_new_string(f->name));
	return names;
}

/* What the ring took by itself or by taskrun=, not what may be refused. */
static unsigned int required_flags(const struct ring *r)
{
	return r->asked_flags & ~(IORING_SETUP_NO_SQARRAY | IORING_SETUP_CQSIZE);
}

static struct json_object *report_ring(const struct ring *r)
{
	const struct io_uring_params *p = &r->params;
	struct json_object *o = json_object_new_object();

	add_num(o, "sq_entries", p->sq_entries);
	add_num(o, "cq_entries", p->cq_entries);
	add(o, "required", flag_names(setup_flags, required_flags(r)));
	add(o, "asked", flag_names(setup_flags, r->asked_flags));
	add(o, "granted", flag_names(setup_flags, p->flags));
	add(o, "features", flag_names(feature_flags, p->features));
	add_bool(o, "registered_ring", r->registered_fd);
	add_num(o, "registered_buffers", r->nr_bufs);
	add_bool(o, "no_iowait", r->enter_flags & IORING_ENTER_NO_IOWAIT);
	return o;
}

static double ratio(uint64_t a, uint64_t b)
{
	return b ? (double)a / b : 0;
}

static struct json_object *report_reaps(const struct ring *r)
{
	struct json_object *o = json_object_new_object();
	struct json_object *log2 = json_object_new_array();
	unsigned int i;

	for (i = 0; i < RING_LOG2_BUCKETS; i++)
		json_object_array_add(log2, json_object_new_int64(r->c.log2[i]));
	add_double(o, "mean", ratio(r->c.completions, r->c.reaps));
	add(o, "log2", log2);
	return o;
}

/*
 * Workers serve requests of any path: those that would block, and those beyond
 * the depth of the device's queue, on a polled ring too. That is no longer the
 * path alone, so it is told.
 */
static struct json_object *report_iowq(const struct ring *r)
{
	const bool forced = r->engine->sqe_flags & IOSQE_ASYNC;
	struct json_object *o;

	if (!forced && !r->iowq_seen)
		return NULL;
	o = json_object_new_object();
	add_num(o, "workers_seen", r->iowq_seen);
	add(o, "bounded", forced ? json_object_new_int64(r->iowq_bounded) : NULL);
	add(o, "unbounded", forced ? json_object_new_int64(r->iowq_unbounded) : NULL);
	return o;
}

static struct json_object *report_file(const struct target *t)
{
	struct json_object *o = json_object_new_object();
	uint64_t val;

	add_str(o, "name", t->name);
	add_str(o, "kind", target_kind_name(t->kind));
	add_str(o, "device", t->disk);
	add_str(o, "model", t->id.model);
	add_str(o, "serial", t->id.serial);
	add_str(o, "firmware", t->id.firmware);
	add(o, "nsid", t->ns_known ? json_object_new_int64(t->ns.nsid) : NULL);
	add(o, "lba_size", t->ns.lba_shift ?
	    json_object_new_int64(1U << t->ns.lba_shift) : NULL);
	add(o, "metadata_size", t->ns_known ?
	    json_object_new_int64(t->ns.metadata) : NULL);
	add(o, "io_poll", t->io_poll >= 0 ? json_object_new_int(t->io_poll) : NULL);
	if (!strncmp(t->disk, "nvme", 4) &&
	    !sysfs_u64(&val, "", "/sys/module/nvme/parameters/poll_queues"))
		add_num(o, "poll_queues", val);
	else
		add(o, "poll_queues", NULL);
	return o;
}

static struct json_object *report_files(const struct ring *r)
{
	struct json_object *files = json_object_new_array();
	unsigned int i;

	for (i = 0; i < r->nr_targets; i++)
		if (r->targets[i].kind != TARGET_NONE)
			json_object_array_add(files, report_file(&r->targets[i]));
	return files;
}

static void report_options(const struct ring *r, struct json_object *o)
{
	add_str(o, "taskrun", r->params.flags & IORING_SETUP_DEFER_TASKRUN ?
		taskrun_names[TASKRUN_DEFER] : taskrun_names[r->o->taskrun]);
	add_num(o, "split", r->o->split);
	add_num(o, "split_depth", r->window);
	add_str(o, "split_offset", r->o->split_offset == SPLIT_RANDOM ?
		"random" : "contiguous");
	add_bool(o, "submit_wait", r->submit_wait);
	add_bool(o, "fixedbufs", r->nr_bufs);
	add_bool(o, "registerfiles", r->fixed_files);
	add_num(o, "min_wait", r->o->min_wait);
	add_num(o, "async_every", r->async_every);
	add_bool(o, "tw", r->o->tw);
}

static void report_counters(const struct ring *r, struct json_object *o)
{
	const struct ring_counters *c = &r->c;

	add_num(o, "requests", c->requests);
	add_num(o, "completions", c->completions);
	add_num(o, "errors", c->errors);
	add_num(o, "bytes", ddir_rw_sum(r->td->io_bytes));
	add_num(o, "enters", c->enters);
	add_double(o, "requests_per_enter", ratio(c->requests, c->enters));
	add_num(o, "reaps", c->reaps);
	add(o, "completions_per_reap", report_reaps(r));
	add_num(o, "eagain", c->eagain);
	add_num(o, "cq_overflow", *r->uring.cq.koverflow);
	add(o, "best_second", r->best.best > 0 ?
	    json_object_new_double(r->best.best) : NULL);
}

static struct json_object *report_object(struct ring *r)
{
	struct json_object *o = json_object_new_object();
	struct thread_data *td = r->td;

	add_num(o, "schema", 1);
	add_str(o, "engine", td->io_ops->name);
	add_str(o, "job", td->o.name);
	add_num(o, "groupid", td->groupid);
	add_num(o, "thread", td->thread_number);
	add_num(o, "pid", gettid());
	add_str(o, "fio", fio_version_string);
	add_str(o, "version", FIO_IOU_VERSION);
	add_num(o, "error", td->error);
	add_str(o, "command", r->cmd->name);
	report_options(r, o);
	add(o, "ring", report_ring(r));
	report_counters(r, o);
	/* fio rounds it to milliseconds: too much for counted instructions */
	add_num(o, "elapsed_ns", ntime_since(&td->epoch, &td->start));
	add(o, "iowq", report_iowq(r));
	add(o, "files", report_files(r));
	return o;
}

/* One write of a whole line; a short one would be half a report. */
static int append_line(const char *path, const char *json)
{
	const size_t len = strlen(json);
	char *line;
	int fd, ret = 0;

	line = malloc(len + 1);
	if (!line)
		return -ENOMEM;
	memcpy(line, json, len);
	line[len] = '\n';
	fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0) {
		ret = -errno;
		goto out_free;
	}
	if (write(fd, line, len + 1) != (ssize_t)len + 1)
		ret = errno ? -errno : -EIO;
	close(fd);
out_free:
	free(line);
	return ret;
}

static void report_line(const struct ring *r)
{
	const struct ring_counters *c = &r->c;
	char workers[32] = "";

	if (!(output_format & FIO_OUTPUT_NORMAL) || (output_format & FIO_OUTPUT_JSON))
		return;
	if (r->iowq_seen)
		snprintf(workers, sizeof(workers), "%u io-wq workers, ",
			 r->iowq_seen);
	log_info("%s: %s: %llu requests, %.1f per enter, %.1f completions per reap, %s%llu errors\n",
		 r->td->o.name, r->td->io_ops->name,
		 (unsigned long long)c->requests, ratio(c->requests, c->enters),
		 ratio(c->completions, c->reaps), workers,
		 (unsigned long long)c->errors);
}

void report_write(struct ring *r)
{
	const char *path = r->o->report ? r->o->report : getenv("FIO_IOU_REPORT");
	struct json_object *o;
	int ret;

	/* idle workers live on for seconds: one look sees them */
	iowq_look(r);
	report_line(r);
	if (!path || !*path)
		return;
	o = report_object(r);
	errno = 0;
	ret = append_line(path, json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN));
	if (ret)
		refuse(r->td, -ret, "report=%s: %s: the path report is lost",
		       path, strerror(-ret));
	json_object_put(o);
}
