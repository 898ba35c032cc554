// SPDX-License-Identifier: GPL-2.0
#include "fio-stubs.h"

const char fio_version_string[] = CONFIG_FIO_VERSION;
int output_format = FIO_OUTPUT_JSON;
/* some are in the headers' inline functions only */
struct thread_segment segments[REAL_MAX_SEG];
unsigned int thread_number;

char stub_log[4096];
unsigned int stub_queued;
unsigned int stub_submitted;
bool stub_option_is_set;

void stub_log_clear(void)
{
	stub_log[0] = '\0';
}

unsigned int stub_log_lines(void)
{
	unsigned int n = 0;
	const char *p;

	for (p = stub_log; *p; p++)
		n += *p == '\n';
	return n;
}

void assert_says_(const char *text, const char *file, int line)
{
	if (!strstr(stub_log, text))
		print_error("not in \"%s\"\n", stub_log);
	_assert_true(!!strstr(stub_log, text), text, file, line);
	_assert_true(!strstr(stub_log, "Success"), "no Success", file, line);
	_assert_true(stub_log_lines() == 1, "one line", file, line);
}

ssize_t log_err(const char *format, ...)
{
	const size_t used = strlen(stub_log);
	va_list ap;

	va_start(ap, format);
	vsnprintf(stub_log + used, sizeof(stub_log) - used, format, ap);
	va_end(ap);
	return 0;
}

ssize_t log_info(const char *format, ...)
{
	return 0;
}

void io_u_queued(struct thread_data *td, struct io_u *io_u)
{
	stub_queued++;
}

void io_u_mark_submit(struct thread_data *td, unsigned int nr)
{
	stub_submitted += nr;
}

uint64_t ntime_since(const struct timespec *since, const struct timespec *now)
{
	return 1000000000;
}

void fio_gettime(struct timespec *ts, void *caller)
{
	clock_gettime(CLOCK_MONOTONIC, ts);
}

bool __fio_option_is_set(struct thread_options *o, unsigned int off)
{
	return stub_option_is_set;
}

int generic_open_file(struct thread_data *td, struct fio_file *f)
{
	return 0;
}

/* As fio does: the descriptor and what an engine keeps there are gone. */
int generic_close_file(struct thread_data *td, struct fio_file *f)
{
	f->fd = -1;
	f->engine_pos = 0;
	return 0;
}

int generic_get_file_size(struct thread_data *td, struct fio_file *f)
{
	return 0;
}

uint64_t get_start_offset(struct thread_data *td, struct fio_file *f)
{
	return td->o.start_offset;
}
