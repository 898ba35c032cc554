/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What sysfs and /proc say of a device. Every function takes the root of the
 * tree it reads ("" on a real system), so that tests can bring their own.
 */
#ifndef FIO_IOU_SYSFS_H
#define FIO_IOU_SYSFS_H

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

#define DISK_NAME_LEN	64

/* One value of a file: a line without its end, or a number. -errno. */
int sysfs_line(char *buf, size_t len, const char *root, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
int sysfs_u64(uint64_t *val, const char *root, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * The disk that a block device number belongs to: itself, or the disk of
 * which it is a partition. -ENODEV when there is none (btrfs, overlay, tmpfs
 * and others number their files without one).
 */
int sysfs_disk(char disk[DISK_NAME_LEN], const char *root, unsigned int major,
	       unsigned int minor);

/* The block twin's name of an NVMe character device: ng0n1 -> nvme0n1. */
int nvme_block_twin(char disk[DISK_NAME_LEN], const char *name);

/*
 * Is the disk, or a partition of it, in use: mounted, held by another device
 * (dm, md), swapped on? What, in words, in how. 1 if so, 0 if not, -errno.
 */
int disk_in_use(const char *disk, char *how, size_t len, const char *root);

/*
 * The kernel's own answer: whoever mounts or builds on a disk claims it, and
 * a claimed one does not open with O_EXCL (open(2)). Neither does one that
 * another job is looking at in the same way: that passes, so it is looked at
 * again for half a second. 1, 0, or -errno: it cannot be asked.
 */
int disk_claimed(const char *disk, const char *root);

#endif
