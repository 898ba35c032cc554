/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Is the fio that loads this engine the one it was built for?
 *
 * fio compares its ioops number only, and that is not the ABI: releases share
 * a number, and one configure option moves struct io_u by tens of bytes.
 */
#ifndef FIO_IOU_ABI_H
#define FIO_IOU_ABI_H

#include "engine.h"

/* -EINVAL, said: the thread is not laid out as ours is. */
int abi_check_thread(struct thread_data *td);
/* The same for an io_u, of which this is the nth. */
int abi_check_io_u(struct thread_data *td, const struct io_u *io_u,
		   unsigned int n);

#endif
