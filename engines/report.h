/* SPDX-License-Identifier: GPL-2.0 */
/* The path report: the proof of which path a job thread took. */
#ifndef FIO_IOU_REPORT_H
#define FIO_IOU_REPORT_H

#include "ring.h"

/*
 * One line to the log of a normal run, and one JSON line appended to report=
 * (or $FIO_IOU_REPORT) with a single write, so that threads don't mix.
 */
void report_write(struct ring *r);

#endif
