/* SPDX-License-Identifier: GPL-2.0 */
/* A /sys and a /proc of one's own, below a folder that goes with the test. */
#ifndef FIO_IOU_TEST_FAKE_ROOT_H
#define FIO_IOU_TEST_FAKE_ROOT_H

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[64];

/* cmocka's fixtures: a new root for every test. */
static int root_setup(void **state)
{
	(void)state;
	strcpy(root, "/tmp/fio-iou-test.XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int root_unlink(const char *path, const struct stat *st, int type,
		       struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static int root_teardown(void **state)
{
	(void)state;
	return nftw(root, root_unlink, 16, FTW_DEPTH | FTW_PHYS);
}

/* The path below the root, and its folder made. */
static inline char *root_path(char path[PATH_MAX], const char *name)
{
	char *p;

	snprintf(path, PATH_MAX, "%s%s", root, name);
	for (p = path + strlen(root) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(path, 0755);
		*p = '/';
	}
	return path;
}

static inline void root_file(const char *name, const char *text)
{
	char path[PATH_MAX];
	FILE *f = fopen(root_path(path, name), "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static inline void root_dir(const char *name)
{
	char path[PATH_MAX];

	assert_int_equal(mkdir(root_path(path, name), 0755), 0);
}

static inline void root_link(const char *name, const char *to)
{
	char path[PATH_MAX];

	assert_int_equal(symlink(to, root_path(path, name)), 0);
}

/*
 * A disk with its number and a partition pN, where sysfs has them; dev is
 * major:minor, and the partition's minor is one more.
 */
static inline void root_disk(const char *disk, unsigned int major,
			     unsigned int minor, const char *partition)
{
	char name[PATH_MAX / 4], to[PATH_MAX / 4], text[32];

	snprintf(name, sizeof(name), "/sys/devices/block/%s/dev", disk);
	snprintf(text, sizeof(text), "%u:%u\n", major, minor);
	root_file(name, text);
	snprintf(name, sizeof(name), "/sys/devices/block/%s/holders", disk);
	root_dir(name);
	snprintf(name, sizeof(name), "/sys/class/block/%s", disk);
	snprintf(to, sizeof(to), "../../devices/block/%s", disk);
	root_link(name, to);
	snprintf(name, sizeof(name), "/sys/dev/block/%u:%u", major, minor);
	root_link(name, to);
	if (!partition)
		return;
	snprintf(name, sizeof(name), "/sys/devices/block/%s/%s/dev", disk, partition);
	snprintf(text, sizeof(text), "%u:%u\n", major, minor + 1);
	root_file(name, text);
	snprintf(name, sizeof(name), "/sys/devices/block/%s/%s/partition", disk, partition);
	root_file(name, "1\n");
	snprintf(name, sizeof(name), "/sys/devices/block/%s/%s/holders", disk, partition);
	root_dir(name);
	snprintf(to, sizeof(to), "../../devices/block/%s/%s", disk, partition);
	snprintf(name, sizeof(name), "/sys/dev/block/%u:%u", major, minor + 1);
	root_link(name, to);
}

#endif
