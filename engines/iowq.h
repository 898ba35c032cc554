/* SPDX-License-Identifier: GPL-2.0 */
/* io-wq: the kernel's workers of this thread. */
#ifndef FIO_IOU_IOWQ_H
#define FIO_IOU_IOWQ_H

#include "ring.h"

/* Set workers=, unbound_workers= and worker_cpus=. -errno, said. */
int iowq_setup(struct ring *r);
/* Workers that live now, of this thread: iou-wrk-TID in /proc/self/task. */
unsigned int iowq_count(void);
/* Keep the most that were seen. */
void iowq_look(struct ring *r);

#endif
