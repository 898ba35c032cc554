/* SPDX-License-Identifier: GPL-2.0 */
/* CPU lists as fio and the kernel write them: 0,2-3. */
#ifndef FIO_IOU_CPULIST_H
#define FIO_IOU_CPULIST_H

#include <sched.h>
#include <stdbool.h>

/* -EINVAL for anything but a list of CPUs that a cpu_set_t can hold. */
int cpulist_parse(cpu_set_t *set, const char *list);
/* Are they all online? */
bool cpulist_online(const cpu_set_t *set);

#endif
