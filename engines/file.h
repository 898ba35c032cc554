/* SPDX-License-Identifier: GPL-2.0 */
/* Preflight: what a file is, and whether this path can be taken on it. */
#ifndef FIO_IOU_FILE_H
#define FIO_IOU_FILE_H

#include "engine.h"
#include "nvme.h"
#include "sysfs.h"

enum target_kind { TARGET_NONE, TARGET_BLOCK, TARGET_FILE, TARGET_CHAR };

struct target {
	char *name;			/* as the job has it; fio frees its own early */
	enum target_kind kind;
	char disk[DISK_NAME_LEN];	/* "": no disk below it is known */
	int io_poll;			/* queue/io_poll; -1: can't be read */
	struct nvme_identity id;
	struct nvme_namespace ns;
	bool ns_known;
};

/*
 * What the file is: its kind, its disk, its identity. -errno, said; in any
 * case it holds memory that target_free() frees.
 */
int target_find(struct thread_data *td, struct fio_file *f, struct target *t);

/* Can this job do what it asks on this file? -errno, said. */
int target_check(struct thread_data *td, const struct fio_file *f,
		 const struct target *t);

void target_free(struct target *t);

const char *target_kind_name(enum target_kind kind);

#endif
