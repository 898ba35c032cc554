// SPDX-License-Identifier: GPL-2.0
/* How a job is refused: one line, once. */
#include "engine.h"

/*
 * Has an earlier clone of the job failed with the same? Clones are neighbours
 * in fio's table of threads, which lies in memory that forked jobs share.
 */
static bool clone_said(const struct thread_data *td, int err)
{
	unsigned int n = td->thread_number - 1;

	/* back to the one that was cloned, whose number is 0 */
	while (td->subjob_number) {
		td = tnumber_to_td(--n);
		if (td->error == err)
			return true;
	}
	return false;
}

int refuse(struct thread_data *td, int err, const char *fmt, ...)
{
	char line[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	/* the cause first: of clones that fail at once, one at least must speak */
	if (!td->error)
		td_vmsg(td, err, strerror(err), td->io_ops->name);
	if (!clone_said(td, err))
		log_err("%s: %s\n", td->io_ops->name, line);
	return -err;
}
