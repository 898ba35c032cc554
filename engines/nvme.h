/* SPDX-License-Identifier: GPL-2.0 */
/* NVMe: what a namespace is, and what a status says. On libnvme. */
#ifndef FIO_IOU_NVME_H
#define FIO_IOU_NVME_H

#include <stdbool.h>
#include <stdint.h>

struct nvme_identity {
	char model[64];
	char serial[64];
	char firmware[32];
	bool known;
};

struct nvme_namespace {
	uint32_t nsid;
	uint64_t blocks;		/* in logical blocks */
	uint32_t lba_shift;
	uint16_t metadata;		/* bytes per block */
	bool extended;			/* metadata follows its block's data */
};

/* Model, serial and firmware of a disk (or its ng twin), from sysfs. */
void nvme_disk_identity(struct nvme_identity *id, const char *disk, const char *root);

/* NVME_IOCTL_ID and Identify Namespace (NVM command set 4.1.5.1). -errno. */
int nvme_read_namespace(int fd, struct nvme_namespace *ns);

/*
 * Index of the LBA format in use from FLBAS: bits 3:0, and bits 6:5 above
 * them; bit 4 says extended (NVM command set, figure 97).
 */
unsigned int nvme_lbaf_index(uint8_t flbas);
bool nvme_lba_extended(uint8_t flbas);

/* A completion's status as errno, and in words: sct, sc, libnvme's text. */
int nvme_errno(unsigned int status);
char *nvme_status_text(unsigned int status);	/* malloc'ed */

#endif
