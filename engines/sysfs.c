// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sysfs.h"

static int vpath(char path[PATH_MAX], const char *root, const char *fmt,
		 va_list ap)
{
	int n = snprintf(path, PATH_MAX, "%s", root);
	int m = vsnprintf(path + n, PATH_MAX - n, fmt, ap);

	return n + m < PATH_MAX ? 0 : -ENAMETOOLONG;
}

static int read_line(char *buf, size_t len, const char *path)
{
	FILE *f = fopen(path, "re");
	int ret = 0;

	if (!f)
		return -errno;
	if (fgets(buf, len, f))
		buf[strcspn(buf, "\n")] = '\0';
	else
		ret = ferror(f) ? -EIO : -ENODATA;
	fclose(f);
	return ret;
}

int sysfs_line(char *buf, size_t len, const char *root, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;
	int ret;

	va_start(ap, fmt);
	ret = vpath(path, root, fmt, ap);
	va_end(ap);
	return ret ? ret : read_line(buf, len, path);
}

int sysfs_u64(uint64_t *val, const char *root, const char *fmt, ...)
{
	char path[PATH_MAX], line[64], *end;
	va_list ap;
	int ret;

	va_start(ap, fmt);
	ret = vpath(path, root, fmt, ap);
	va_end(ap);
	if (!ret)
		ret = read_line(line, sizeof(line), path);
	if (ret)
		return ret;
	if (!isdigit((unsigned char)line[0]))
		return -EINVAL;
	errno = 0;
	*val = strtoull(line, &end, 10);
	return errno || *end ? -EINVAL : 0;
}

int sysfs_disk(char disk[DISK_NAME_LEN], const char *root, unsigned int major,
	       unsigned int minor)
{
	char path[PATH_MAX], real[PATH_MAX], *name;
	bool partition;

	snprintf(path, sizeof(path), "%s/sys/dev/block/%u:%u", root, major, minor);
	if (!realpath(path, real))
		return errno == ENOENT ? -ENODEV : -errno;
	/* .../block/nvme0n1/nvme0n1p1: a partition is a folder of its disk */
	partition = snprintf(path, sizeof(path), "%s/partition", real) <
		(int)sizeof(path) && !access(path, F_OK);
	name = strrchr(real, '/');
	if (partition) {
		*name = '\0';
		name = strrchr(real, '/');
	}
	if (!name || strlen(name + 1) >= DISK_NAME_LEN)
		return -ENODEV;
	strcpy(disk, name + 1);
	return 0;
}

static const char *skip_digits(const char *p)
{
	while (isdigit((unsigned char)*p))
		p++;
	return p;
}

int nvme_block_twin(char disk[DISK_NAME_LEN], const char *name)
{
	const char *ctrl = name + 2, *ns, *end;

	if (strncmp(name, "ng", 2) || strlen(name) + 2 >= DISK_NAME_LEN)
		return -EINVAL;
	ns = skip_digits(ctrl);
	if (ns == ctrl || *ns++ != 'n')
		return -EINVAL;
	end = skip_digits(ns);
	if (end == ns || *end)
		return -EINVAL;
	snprintf(disk, DISK_NAME_LEN, "nvme%s", ctrl);
	return 0;
}

/* Does this folder hold an entry? Its first name in entry. */
static bool first_entry(char entry[NAME_MAX + 1], const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *d;

	if (!dir)
		return false;
	while ((d = readdir(dir)) && d->d_name[0] == '.')
		;
	if (d)
		snprintf(entry, NAME_MAX + 1, "%s", d->d_name);
	closedir(dir);
	return d;
}

/* A line of /proc/self/mountinfo or /proc/swaps that names the device. */
static bool mounted(const char *root, const char *devno, char *how, size_t len)
{
	char path[PATH_MAX], line[4096], no[32], where[1024];
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/self/mountinfo", root);
	f = fopen(path, "re");
	if (!f)
		return false;
	while (!found && fgets(line, sizeof(line), f))
		found = sscanf(line, "%*s %*s %31s %*s %1023s", no, where) == 2 &&
			!strcmp(no, devno);
	fclose(f);
	if (found)
		snprintf(how, len, "mounted on %s", where);
	return found;
}

static bool swapped_on(const char *root, const char *name, char *how, size_t len)
{
	char path[PATH_MAX], line[4096], *end;
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/swaps", root);
	f = fopen(path, "re");
	if (!f)
		return false;
	while (!found && fgets(line, sizeof(line), f)) {
		line[strcspn(line, " \t\n")] = '\0';
		end = strrchr(line, '/');
		found = end && !strcmp(end + 1, name);
	}
	fclose(f);
	if (found)
		snprintf(how, len, "swapped on");
	return found;
}

/* One block device: dir is its folder in sysfs, name its own. */
static bool device_in_use(const char *dir, const char *name, char *how,
			  size_t len, const char *root)
{
	char path[PATH_MAX], entry[NAME_MAX + 1], devno[32];

	snprintf(path, sizeof(path), "%s/holders", dir);
	if (first_entry(entry, path)) {
		snprintf(how, len, "held by %s", entry);
		return true;
	}
	snprintf(path, sizeof(path), "%s/dev", dir);
	if (!read_line(devno, sizeof(devno), path) &&
	    mounted(root, devno, how, len))
		return true;
	return swapped_on(root, name, how, len);
}

int disk_in_use(const char *disk, char *how, size_t len, const char *root)
{
	char dir[PATH_MAX / 2], part[PATH_MAX];
	struct dirent *d;
	int ret = 0;
	DIR *sys;

	snprintf(dir, sizeof(dir), "%s/sys/class/block/%s", root, disk);
	if (device_in_use(dir, disk, how, len, root))
		return 1;
	sys = opendir(dir);
	if (!sys)
		return -errno;
	while (!ret && (d = readdir(sys))) {
		snprintf(part, sizeof(part), "%s/%s/partition", dir, d->d_name);
		if (access(part, F_OK))
			continue;
		snprintf(part, sizeof(part), "%s/%s", dir, d->d_name);
		ret = device_in_use(part, d->d_name, how, len, root);
	}
	closedir(sys);
	return ret;
}

int disk_claimed(const char *disk, const char *root)
{
	char path[PATH_MAX];
	unsigned int tries;
	int fd;

	snprintf(path, sizeof(path), "%s/dev/%s", root, disk);
	for (tries = 0; tries < 50; tries++) {
		fd = open(path, O_RDONLY | O_EXCL | O_CLOEXEC);
		if (fd >= 0) {
			close(fd);
			return 0;
		}
		if (errno != EBUSY)
			return -errno;
		usleep(10000);
	}
	return 1;
}
