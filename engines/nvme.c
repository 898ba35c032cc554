// SPDX-License-Identifier: GPL-2.0
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libnvme.h>

#include "nvme.h"
#include "sysfs.h"

/* sysfs pads the fields of Identify Controller with blanks. */
static void trim(char *s)
{
	size_t n = strlen(s);

	while (n && s[n - 1] == ' ')
		s[--n] = '\0';
}

static bool attribute(char *buf, size_t len, const char *root, const char *disk,
		      const char *name)
{
	buf[0] = '\0';
	if (sysfs_line(buf, len, root, "/sys/class/block/%s/device/%s", disk, name))
		return false;
	trim(buf);
	return true;
}

void nvme_disk_identity(struct nvme_identity *id, const char *disk, const char *root)
{
	memset(id, 0, sizeof(*id));
	id->known = attribute(id->model, sizeof(id->model), root, disk, "model");
	/* a multipath head has its serial in the subsystem, all others here */
	id->known &= attribute(id->serial, sizeof(id->serial), root, disk, "serial");
	attribute(id->firmware, sizeof(id->firmware), root, disk, "firmware_rev");
}

unsigned int nvme_lbaf_index(uint8_t flbas)
{
	return (flbas & NVME_NS_FLBAS_LOWER_MASK) |
		(flbas & NVME_NS_FLBAS_HIGHER_MASK) >> 1;
}

bool nvme_lba_extended(uint8_t flbas)
{
	return flbas & NVME_NS_FLBAS_META_EXT;
}

int nvme_read_namespace(int fd, struct nvme_namespace *ns)
{
	struct nvme_id_ns *id;
	struct nvme_lbaf *lbaf;
	int ret;

	ret = nvme_get_nsid(fd, &ns->nsid);
	if (ret)
		return -errno;
	/* the controller writes a page */
	id = aligned_alloc(4096, 4096);
	if (!id)
		return -ENOMEM;
	ret = nvme_identify_ns(fd, ns->nsid, id);
	if (ret) {
		ret = ret < 0 ? -errno : -nvme_errno(ret);
		goto out_free;
	}
	lbaf = &id->lbaf[nvme_lbaf_index(id->flbas)];
	ns->blocks = le64toh(id->nsze);
	ns->lba_shift = lbaf->ds;
	ns->metadata = le16toh(lbaf->ms);
	ns->extended = nvme_lba_extended(id->flbas);
	/* a format that is not there has no size; 2^9 is the least there is */
	if (ns->lba_shift < 9 || ns->lba_shift > 16)
		ret = -EMEDIUMTYPE;
out_free:
	free(id);
	return ret;
}

int nvme_errno(unsigned int status)
{
	int err = nvme_status_to_errno(status, false);

	return err ? err : EIO;
}

char *nvme_status_text(unsigned int status)
{
	char *text;

	if (asprintf(&text, "NVMe status 0x%x (sct 0x%x, sc 0x%02x): %s", status,
		     status >> 8 & 0x7, status & 0xff,
		     nvme_status_to_string(status, false)) < 0)
		return NULL;
	return text;
}
