// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "cpulist.h"
#include "sysfs.h"

static int parse_cpu(const char **p, unsigned long *cpu)
{
	char *end;

	if (!isdigit((unsigned char)**p))
		return -EINVAL;
	*cpu = strtoul(*p, &end, 10);
	*p = end;
	return *cpu < CPU_SETSIZE ? 0 : -EINVAL;
}

int cpulist_parse(cpu_set_t *set, const char *list)
{
	unsigned long first, last;

	CPU_ZERO(set);
	for (;;) {
		if (parse_cpu(&list, &first))
			return -EINVAL;
		last = first;
		if (*list == '-' && (list++, parse_cpu(&list, &last)))
			return -EINVAL;
		if (last < first)
			return -EINVAL;
		for (; first <= last; first++)
			CPU_SET(first, set);
		if (!*list)
			return 0;
		if (*list++ != ',')
			return -EINVAL;
	}
}

bool cpulist_online(const cpu_set_t *set)
{
	char line[4096];
	cpu_set_t online, both;

	if (sysfs_line(line, sizeof(line), "", "/sys/devices/system/cpu/online") ||
	    cpulist_parse(&online, line))
		return false;
	CPU_AND(&both, &online, set);
	return CPU_EQUAL(&both, set);
}
