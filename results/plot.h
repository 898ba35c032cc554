/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FIO_IOU_PLOT_H
#define FIO_IOU_PLOT_H

#include "judge.h"

/*
 * Draw every compared row into the SVG file @path: each boot as a point, in
 * percent of the first side's median, and the shift with its interval.
 * 0, or -errno with what is wrong in @err; then @path is as it was.
 */
int plot_write(const struct comparison *cmp, const char *path, struct err *err);

#endif
