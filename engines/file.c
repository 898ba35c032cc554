// SPDX-License-Identifier: GPL-2.0
/*
 * Preflight. Each check is here because the kernel does not make it, or too
 * late: IOPOLL rings are set up on any device; then, from 6.14 on, each
 * request fails with EOPNOTSUPP, and on older kernels it silently completes
 * by interrupt. So queue/io_poll is read on every kernel.
 */
#include <libgen.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "file.h"
#include "flags.h"

static const char *const kind_names[] = {
	[TARGET_NONE]	= "none",
	[TARGET_BLOCK]	= "block",
	[TARGET_FILE]	= "file",
	[TARGET_CHAR]	= "char",
};

const char *target_kind_name(enum target_kind kind)
{
	return kind_names[kind];
}

/* Where devices are, a name that is missing is a mistake, not a new file. */
static bool device_name(const char *name)
{
	return !strncmp(name, "/dev/", 5) && strncmp(name, "/dev/shm/", 9);
}

/* A file that fio is yet to create is where its folder is. */
static int stat_or_parent(const char *name, struct stat *st)
{
	char *dir;
	int ret;

	if (!stat(name, st))
		return 0;
	if (errno != ENOENT)
		return -errno;
	if (device_name(name))
		return -ENODEV;
	dir = strdup(name);
	if (!dir)
		return -ENOMEM;
	ret = stat(dirname(dir), st) ? -errno : 0;
	st->st_mode = S_IFREG;
	free(dir);
	return ret;
}

static int read_poll(const char *disk)
{
	uint64_t val;

	if (sysfs_u64(&val, "", "/sys/class/block/%s/queue/io_poll", disk))
		return -1;
	return !!val;
}

/* The name that sysfs has for a character device. */
static int char_name(const struct stat *st, char name[DISK_NAME_LEN])
{
	char path[PATH_MAX], real[PATH_MAX], *base;

	snprintf(path, sizeof(path), "/sys/dev/char/%u:%u", major(st->st_rdev),
		 minor(st->st_rdev));
	if (!realpath(path, real))
		return -errno;
	base = strrchr(real, '/') + 1;
	if (strlen(base) >= DISK_NAME_LEN)
		return -ENAMETOOLONG;
	strcpy(name, base);
	return 0;
}

static int open_for_ioctl(struct thread_data *td, const char *name, int *fd)
{
	struct stat st;
	int err;

	*fd = open(name, O_RDONLY | O_CLOEXEC);
	if (*fd >= 0)
		return 0;
	err = errno;
	if (err == EACCES && !stat(name, &st))
		return refuse(td, err, "%s: not permitted to open it (owner %u:%u, mode %o): run as root, or give the node to your group",
			      name, st.st_uid, st.st_gid, st.st_mode & 07777);
	return refuse(td, err, "%s: open: %s", name, strerror(err));
}

static int find_char(struct thread_data *td, const char *file,
		     const struct stat *st, struct target *t)
{
	char name[DISK_NAME_LEN];
	int fd, ret;

	t->kind = TARGET_CHAR;
	if (char_name(st, name) || nvme_block_twin(t->disk, name))
		return refuse(td, EINVAL, "%s is a character device without namespace commands: use /dev/nvmeXnY, or /dev/ngXnY for passthrough",
			      file);
	ret = open_for_ioctl(td, file, &fd);
	if (ret)
		return ret;
	ret = nvme_read_namespace(fd, &t->ns);
	close(fd);
	if (ret)
		return refuse(td, -ret, "%s: Identify Namespace: %s", file,
			      strerror(-ret));
	t->ns_known = true;
	return 0;
}

/* Facts for the report only: what can't be read is left unknown. */
static void block_facts(struct target *t)
{
	uint64_t val;

	if (!sysfs_u64(&val, "", "/sys/class/block/%s/queue/logical_block_size",
		       t->disk) && val)
		t->ns.lba_shift = __builtin_ctzll(val);
	if (sysfs_u64(&val, "", "/sys/class/block/%s/nsid", t->disk))
		return;
	t->ns.nsid = val;
	if (!sysfs_u64(&val, "", "/sys/class/block/%s/metadata_bytes", t->disk))
		t->ns.metadata = val;
	t->ns_known = true;
}

void target_free(struct target *t)
{
	free(t->name);
	t->name = NULL;
}

int target_find(struct thread_data *td, struct fio_file *f, struct target *t)
{
	struct stat st;
	dev_t dev;
	int ret;

	memset(t, 0, sizeof(*t));
	t->io_poll = -1;
	t->name = strdup(f->file_name);
	if (!t->name)
		return refuse(td, ENOMEM, "no memory");
	if (ring_engine(td)->no_file)
		return 0;
	ret = stat_or_parent(f->file_name, &st);
	if (ret == -ENODEV)
		return refuse(td, ENOENT, "%s: no such device: fio would make a file of that name and measure it",
			      f->file_name);
	if (ret)
		return refuse(td, -ret, "%s: %s", f->file_name, strerror(-ret));
	if (S_ISDIR(st.st_mode))
		return refuse(td, EISDIR, "%s is a directory: name a device or a file",
			      f->file_name);
	if (S_ISCHR(st.st_mode)) {
		ret = find_char(td, f->file_name, &st, t);
		if (ret)
			return ret;
	} else {
		t->kind = S_ISBLK(st.st_mode) ? TARGET_BLOCK : TARGET_FILE;
		dev = S_ISBLK(st.st_mode) ? st.st_rdev : st.st_dev;
		if (sysfs_disk(t->disk, "", major(dev), minor(dev)))
			t->disk[0] = '\0';
		else
			block_facts(t);
	}
	if (t->disk[0]) {
		t->io_poll = read_poll(t->disk);
		nvme_disk_identity(&t->id, t->disk, "");
	}
	return 0;
}

/* Bytes of a request, at most. */
static unsigned long long max_request(struct thread_data *td)
{
	const struct ring_options *o = td->eo;
	unsigned long long size = 0;

	if (td_read(td))
		size = td->o.max_bs[DDIR_READ];
	if (td_write(td))
		size = max(size, td->o.max_bs[DDIR_WRITE]);
	return size / o->split;
}

/* A limit of the queue in bytes, or no limit. */
static unsigned long long queue_limit(const struct target *t, const char *name,
				      unsigned int shift)
{
	uint64_t val;

	if (sysfs_u64(&val, "", "/sys/class/block/%s/queue/%s", t->disk, name) ||
	    !val)
		return ULLONG_MAX;
	return val << shift;
}

/*
 * What the block layer cuts in two, it completes by interrupt, on a polled
 * ring too (cc29e1bf0d63, 5.11). A page is a segment, unless pages are huge.
 */
static int check_uncut(struct thread_data *td, const struct fio_file *f,
		       const struct target *t)
{
	const bool huge = td->o.mem_type == MEM_MMAPHUGE ||
		td->o.mem_type == MEM_SHMHUGE;
	const unsigned long long size = max_request(td),
		chunk = queue_limit(t, "chunk_sectors", 9);
	const char *limit = NULL;

	/* nobody cuts a command, see check_transfer() */
	if (t->kind == TARGET_CHAR)
		return 0;
	if (size > queue_limit(t, "max_sectors_kb", 10))
		limit = "max_sectors_kb";
	else if (!huge && size > queue_limit(t, "max_segments", 12))
		limit = "max_segments";
	else if (size && chunk != ULLONG_MAX && chunk % size)
		limit = "chunk_sectors";
	if (!limit)
		return 0;
	return refuse(td, EINVAL, "%s: a request of %llu bytes is cut in two (queue/%s) and then completes by interrupt: lower bs or raise split",
		      f->file_name, size, limit);
}

/* iomap polls for no write that has yet to make its blocks. */
static int check_written(struct thread_data *td, const struct fio_file *f,
			 const struct target *t)
{
	if (t->kind != TARGET_FILE || !td_write(td) || td->o.overwrite)
		return 0;
	return refuse(td, EINVAL, "%s: a write to blocks that a file does not have yet completes by interrupt: overwrite=1 makes them first",
		      f->file_name);
}

static int check_polled(struct thread_data *td, const struct fio_file *f,
			const struct target *t)
{
	if (t->kind != TARGET_CHAR && !td->o.odirect)
		return refuse(td, EINVAL, "%s: a polled ring needs direct=1: buffered I/O cannot be polled for",
			      f->file_name);
	if (!t->disk[0])
		return refuse(td, EOPNOTSUPP, "%s: no disk is known below its file system, so nothing can be polled: use a file on a plain disk, or the device itself",
			      f->file_name);
	if (t->io_poll == 1)
		return 0;
	if (t->io_poll < 0)
		return refuse(td, EOPNOTSUPP, "%s: /sys/class/block/%s/queue/io_poll cannot be read, so nothing says that it can be polled: is /sys mounted?",
			      f->file_name, t->disk);
	if (!strncmp(t->disk, "nvme", 4))
		return refuse(td, EOPNOTSUPP, "%s has no poll queues (/sys/class/block/%s/queue/io_poll is 0): boot with nvme.poll_queues=N",
			      f->file_name, t->disk);
	return refuse(td, EOPNOTSUPP, "%s cannot be polled (/sys/class/block/%s/queue/io_poll is 0): its driver, or a layer such as dm or md, has no poll queues",
		      f->file_name, t->disk);
}

/* Smallest unit of the file's data in bytes; 1 where there is none. */
static unsigned int target_unit(struct thread_data *td, const struct target *t)
{
	if (t->kind == TARGET_NONE)
		return 1;
	if (t->ns.lba_shift && (t->kind == TARGET_CHAR || td->o.odirect))
		return 1U << t->ns.lba_shift;
	return t->kind == TARGET_CHAR || td->o.odirect ? 512 : 1;
}

static int check_size(struct thread_data *td, const struct fio_file *f,
		      const struct target *t, unsigned long long bs, bool trim)
{
	const struct ring_options *o = td->eo;
	const unsigned int unit = target_unit(td, t);
	/* a result is an int, a length 32 bits */
	const unsigned long long most = trim ? UINT32_MAX : INT_MAX;

	if (bs % o->split)
		return refuse(td, EINVAL, "bs=%llu is not a multiple of split=%u: change bs or split",
			      bs, o->split);
	if (bs % ((unsigned long long)o->split * unit))
		return refuse(td, EINVAL, "%s: bs=%llu in %u requests is not in whole blocks of %u bytes: change bs or split",
			      f->file_name, bs, o->split, unit);
	if (bs / o->split > most)
		return refuse(td, EINVAL, "bs=%llu in %u requests: one has at most %llu bytes: lower bs or raise split",
			      bs, o->split, most);
	return 0;
}

static int check_sizes(struct thread_data *td, const struct fio_file *f,
		       const struct target *t)
{
	const unsigned int unit = target_unit(td, t);
	unsigned int ddir;
	int ret;

	for (ddir = 0; ddir < DDIR_RWDIR_CNT; ddir++) {
		if (!(td->o.td_ddir & (1 << ddir)))
			continue;
		ret = check_size(td, f, t, td->o.min_bs[ddir], ddir == DDIR_TRIM);
		if (!ret)
			ret = check_size(td, f, t, td->o.max_bs[ddir],
					 ddir == DDIR_TRIM);
		if (ret)
			return ret;
	}
	if (td->o.start_offset % unit)
		return refuse(td, EINVAL, "%s: offset=%llu is not in whole blocks of %u bytes: change it",
			      f->file_name, td->o.start_offset, unit);
	return 0;
}

/* The kernel cuts no command in two as it does with block I/O. */
static int check_transfer(struct thread_data *td, const struct fio_file *f,
			  const struct target *t)
{
	const unsigned long long size = max_request(td),
		most = queue_limit(t, "max_hw_sectors_kb", 10);

	if (size <= most)
		return 0;
	return refuse(td, EINVAL, "%s: %llu bytes in a command and the device takes %llu (queue/max_hw_sectors_kb): lower bs or raise split",
		      f->file_name, size, most);
}

static int check_char(struct thread_data *td, const struct fio_file *f,
		      const struct target *t)
{
	char how[256];
	int ret;

	if (t->ns.metadata)
		return refuse(td, EOPNOTSUPP, "%s: LBA format with %u bytes of %s metadata: passthrough carries none, reformat%s",
			      f->file_name, t->ns.metadata,
			      t->ns.extended ? "extended" : "separate",
			      t->ns.extended ? "" : " or use the block device");
	if (td->o.bs_unaligned)
		return refuse(td, EINVAL, "%s: bs_unaligned: passthrough is in whole blocks of %u bytes",
			      f->file_name, 1U << t->ns.lba_shift);
	ret = check_transfer(td, f, t);
	if (ret)
		return ret;
	/* fio looks for mounts of block nodes only; this node goes past them. */
	if (!td_write(td) && !td_trim(td))
		return 0;
	if (td->o.allow_mounted_write)
		return 0;
	ret = disk_in_use(t->disk, how, sizeof(how), "");
	if (!ret || ret == -ENOENT) {
		strcpy(how, "opened exclusively");
		ret = disk_claimed(t->disk, "");
	}
	if (ret > 0)
		return refuse(td, EBUSY, "%s: %s is in use (%s) and writes would destroy it: allow_mounted_write=1 to do it all the same",
			      f->file_name, t->disk, how);
	if (ret < 0)
		return refuse(td, -ret, "%s: cannot tell whether %s is in use (%s): allow_mounted_write=1 to write all the same",
			      f->file_name, t->disk, strerror(-ret));
	return 0;
}

static bool wants_sync(const struct thread_options *o)
{
	return o->fsync_blocks || o->fdatasync_blocks || o->end_fsync ||
		o->fsync_on_close;
}

/* A job that only seems to sync is worse than none. */
static int check_sync(struct thread_data *td, const struct fio_file *f,
		      const struct target *t)
{
	const struct thread_options *o = &td->o;

	if (o->sync_file_range)
		return refuse(td, EINVAL, "sync_file_range= is not on this path: use fsync= or fdatasync=");
	if (o->sync_io && t->kind == TARGET_CHAR)
		return refuse(td, EINVAL, "%s: sync= does nothing to passthrough: use fsync=, which is a flush",
			      f->file_name);
	if (wants_sync(o) && ring_engine_polled(ring_engine(td)) &&
	    t->kind != TARGET_CHAR)
		return refuse(td, EINVAL, "%s: fsync cannot be done on a polled ring (the kernel gives EINVAL): use another engine, or /dev/ngXnY, which takes a flush",
			      f->file_name);
	return 0;
}

static int check_trim(struct thread_data *td, const struct fio_file *f,
		      const struct target *t)
{
	uint64_t max;

	if ((!td_trim(td) && !td->o.trim_backlog) || t->kind == TARGET_CHAR)
		return 0;
	if (ring_engine_polled(ring_engine(td)))
		return refuse(td, EOPNOTSUPP, "%s: a discard cannot be polled for: use iou_plain or iou_defer, or /dev/ngXnY",
			      f->file_name);
	if (t->kind != TARGET_BLOCK || !kernel_at_least(6, 12))
		return refuse(td, EOPNOTSUPP, "%s: discards through io_uring need a block device and Linux 6.12: fio's own io_uring_cmd engine trims NVMe from 6.1 on",
			      f->file_name);
	if (sysfs_u64(&max, "", "/sys/class/block/%s/queue/discard_max_bytes",
		      t->disk) || !max)
		return refuse(td, EOPNOTSUPP, "%s: the device takes no discards (/sys/class/block/%s/queue/discard_max_bytes is 0)",
			      f->file_name, t->disk);
	return 0;
}

/* A no-op has no data, but an I/O's no-ops are as many as its requests. */
static int check_none(struct thread_data *td, const struct fio_file *f,
		      const struct target *t)
{
	if (wants_sync(&td->o) || td->o.sync_file_range || td_trim(td))
		return refuse(td, EINVAL, "a no-op has nothing to sync or to trim: leave that out, or use another engine");
	return check_sizes(td, f, t);
}

int target_check(struct thread_data *td, const struct fio_file *f,
		 const struct target *t)
{
	int ret = 0;

	if (t->kind == TARGET_NONE)
		return check_none(td, f, t);
	if (ring_engine_polled(ring_engine(td))) {
		ret = check_polled(td, f, t);
		if (!ret)
			ret = check_written(td, f, t);
		if (!ret)
			ret = check_uncut(td, f, t);
	}
	if (!ret)
		ret = check_sizes(td, f, t);
	if (!ret && t->kind == TARGET_CHAR)
		ret = check_char(td, f, t);
	if (!ret)
		ret = check_sync(td, f, t);
	if (!ret)
		ret = check_trim(td, f, t);
	return ret;
}
