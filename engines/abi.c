// SPDX-License-Identifier: GPL-2.0
#include "abi.h"

static bool same_fio(void)
{
	return !strcmp(fio_version_string, CONFIG_FIO_VERSION);
}

/*
 * At dlopen, before fio looks at the engine at all: say which fio it wants,
 * then let fio's own check refuse it, whatever the numbers are.
 */
static void __attribute__((constructor)) abi_check_load(void)
{
	if (same_fio())
		return;
	fprintf(stderr, "%s: built for %s, loaded by %s: use that fio, or ./configure --with-fio=DIR and make for this one\n",
		ioengine.ops.name, CONFIG_FIO_VERSION, fio_version_string);
	ioengine.ops.version = 0;
}

static int mismatch(const char *what)
{
	/* td may not be what we think it is: nothing of it is touched */
	fprintf(stderr, "%s: this %s has another %s than the %s the engine was built for: use the fio of the configured tree\n",
		ioengine.ops.name, fio_version_string, what, CONFIG_FIO_VERSION);
	return -EINVAL;
}

int abi_check_thread(struct thread_data *td)
{
	if (td->io_ops != &ioengine.ops || !td->eo)
		return mismatch("struct thread_data");
	return 0;
}

int abi_check_io_u(struct thread_data *td, const struct io_u *io_u,
		   unsigned int n)
{
	if (n >= td->o.iodepth || io_u->index != n || io_u->flags != IO_U_F_FREE)
		return mismatch("struct io_u");
	return 0;
}
