/*
 * floor: the least a program can do around io_uring, and so the bound for
 * everything else in a bench table. Requests are written once, before the
 * clock starts; after that only the ring's tail moves (for reads: the offset
 * too). One io_uring_enter submits a batch and waits for one. Results are
 * looked at during the first second, which is not measured; after it
 * completions are only counted. A /dev/ngXnY is read by passthrough.
 *
 * Prints one line: requests per second over the whole measured time, requests
 * and enters in it. SIGINT ends that time early.
 */
#define _GNU_SOURCE
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <libnvme.h>
#include <linux/fs.h>
#include <linux/io_uring.h>
#include <linux/nvme_ioctl.h>

/* Headers older than the flag. */
#ifndef IORING_SETUP_NO_SQARRAY
#define IORING_SETUP_NO_SQARRAY		(1U << 16)
#endif
#define NOP_INJECT_RESULT		(1U << 0)
#define NOP_FILE			(1U << 1)
#define NOP_FIXED_FILE			(1U << 2)
#define NOP_FIXED_BUFFER		(1U << 3)

enum kind { NOP, READ, COMMAND };

struct floor {
	/* what the loop touches */
	struct io_uring_sqe	*sqes;
	struct io_uring_cqe	*cqes;
	unsigned int		*sq_tail, *cq_head, *cq_tail;
	unsigned int		sq_mask, cq_mask;
	unsigned int		enter_fd, enter_flags;
	unsigned int		depth, batch;
	uint64_t		random, blocks;
	uint64_t		enters;
	int			expect;

	/* what it was asked for */
	const char		*name;
	unsigned int		bs, seconds;
	bool			nop_file, polled, always_wait;
	enum kind		kind;
	uint32_t		nsid;
	unsigned int		lba_shift;
	int			fd, ring_fd;
	void			*buf;
};

/* Signal handlers have no argument to carry it. SIGINT rings for good. */
static volatile sig_atomic_t rang;

static void ring_bell(int sig)
{
	rang = rang == SIGINT ? SIGINT : sig;
}

/* After SECONDS, a signal: looking at a clock would be part of the floor. */
static void set_bell(unsigned int seconds)
{
	struct itimerval timer = { .it_value.tv_sec = seconds };

	if (rang == SIGALRM)
		rang = 0;
	setitimer(ITIMER_REAL, &timer, NULL);
}

/* libc's syscall() costs a call and errno. */
static inline int enter(const struct floor *f, unsigned int submit,
			unsigned int wait)
{
#ifdef __x86_64__
	register long flags __asm__("r10") = f->enter_flags |
		(wait ? IORING_ENTER_GETEVENTS : 0);
	register long sig __asm__("r8") = 0;
	register long size __asm__("r9") = 0;
	long ret;

	__asm__ volatile("syscall" : "=a"(ret)
		: "a"((long)__NR_io_uring_enter), "D"((long)f->enter_fd),
		  "S"((long)submit), "d"((long)wait), "r"(flags), "r"(sig),
		  "r"(size)
		: "rcx", "r11", "memory");
	return ret;
#else
	int ret = syscall(__NR_io_uring_enter, f->enter_fd, submit, wait,
			  f->enter_flags | (wait ? IORING_ENTER_GETEVENTS : 0),
			  NULL, 0);

	return ret < 0 ? -errno : ret;
#endif
}

/* Multiply instead of divide: cheaper than any % by a variable. */
static inline uint64_t random_block(struct floor *f)
{
	f->random ^= f->random << 13;
	f->random ^= f->random >> 7;
	f->random ^= f->random << 17;
	return (uint64_t)(((unsigned __int128)f->random * f->blocks) >> 64);
}

/* A command takes two places in each of the rings (SQE128, CQE32). */
static inline unsigned int place_shift(enum kind kind)
{
	return kind == COMMAND;
}

static inline struct nvme_uring_cmd *command(struct io_uring_sqe *sqe)
{
	return (struct nvme_uring_cmd *)sqe->cmd;
}

static inline void write_place(struct floor *f, enum kind kind, unsigned int i)
{
	const uint64_t block = random_block(f);

	if (kind == READ) {
		f->sqes[i & f->sq_mask].off = block * f->bs;
	} else {
		struct nvme_uring_cmd *cmd = command(&f->sqes[(i & f->sq_mask) << place_shift(kind)]);
		const uint64_t slba = block * f->bs >> f->lba_shift;

		cmd->cdw10 = slba;
		cmd->cdw11 = slba >> 32;
	}
}

static inline int result(const struct floor *f, enum kind kind, unsigned int i)
{
	return f->cqes[(i & f->cq_mask) << place_shift(kind)].res;
}

/*
 * Until the bell; returns the requests completed, or -errno. KIND and CHECK
 * are constants where this is called, so each combination is its own loop.
 */
static inline __attribute__((always_inline))
int64_t loop(struct floor *f, enum kind kind, bool check)
{
	unsigned int tail = *f->sq_tail, head = *f->cq_head;
	unsigned int seen, submit, inflight = 0, wait, i;
	uint64_t total = 0;
	int ret;

	while (!rang || inflight) {
		submit = f->depth - inflight < f->batch ?
			 f->depth - inflight : f->batch;
		if (rang)
			submit = 0;
		if (kind != NOP)
			for (i = 0; i < submit; i++)
				write_place(f, kind, tail + i);
		tail += submit;
		__atomic_store_n(f->sq_tail, tail, __ATOMIC_RELEASE);
		inflight += submit;

		/* As t/io_uring: no waiting while another batch still fits. */
		wait = 0;
		if (f->always_wait || !submit || inflight + submit > f->depth)
			wait = inflight < f->batch ? inflight : f->batch;
		ret = enter(f, submit, wait);
		f->enters++;
		if (ret < 0 && ret != -EINTR)
			return ret;
		if (ret < 0)
			ret = 0;
		/* What was not taken is not in flight; its tail is taken back. */
		if ((unsigned int)ret != submit) {
			tail -= submit - ret;
			inflight -= submit - ret;
			__atomic_store_n(f->sq_tail, tail, __ATOMIC_RELEASE);
		}

		seen = __atomic_load_n(f->cq_tail, __ATOMIC_ACQUIRE);
		if (check)
			for (i = head; i != seen; i++)
				if (result(f, kind, i) != f->expect)
					return result(f, kind, i) < 0 ?
					       result(f, kind, i) : -EIO;
		total += seen - head;
		inflight -= seen - head;
		head = seen;
		__atomic_store_n(f->cq_head, head, __ATOMIC_RELEASE);
	}
	return total;
}

static int64_t run(struct floor *f, bool check)
{
	switch (f->kind) {
	case READ:
		return check ? loop(f, READ, true) : loop(f, READ, false);
	case COMMAND:
		return check ? loop(f, COMMAND, true) : loop(f, COMMAND, false);
	default:
		return check ? loop(f, NOP, true) : loop(f, NOP, false);
	}
}

/* What a namespace is read by, and its size in bytes. */
static int identify(struct floor *f, uint64_t *size)
{
	struct nvme_id_ns ns __attribute__((aligned(4096)));
	int ret = nvme_get_nsid(f->fd, &f->nsid);

	if (!ret)
		ret = nvme_identify_ns(f->fd, f->nsid, &ns);
	if (ret)
		return ret < 0 ? -errno : -EIO;
	f->kind = COMMAND;
	f->lba_shift = ns.lbaf[ns.flbas & NVME_NS_FLBAS_LOWER_MASK].ds;
	/* nobody else would refuse what is not whole blocks */
	if (f->bs & ((1U << f->lba_shift) - 1))
		return -EINVAL;
	*size = le64toh(ns.nsze) << f->lba_shift;
	return 0;
}

static int open_target(struct floor *f)
{
	struct stat st;
	uint64_t size;
	int ret;

	if (stat(f->name, &st) < 0)
		return -errno;
	/* Without O_NOATIME each read looks at the access time: 2 % of null_blk's. */
	f->fd = open(f->name, O_RDONLY |
		     (f->kind == NOP || S_ISCHR(st.st_mode) ? 0 : O_DIRECT | O_NOATIME));
	if (f->fd < 0)
		return -errno;
	if (f->kind == NOP)
		return 0;
	size = st.st_size;
	if (S_ISBLK(st.st_mode) && ioctl(f->fd, BLKGETSIZE64, &size) < 0)
		return -errno;
	if (S_ISCHR(st.st_mode)) {
		ret = identify(f, &size);
		if (ret)
			return ret;
	}
	f->blocks = size / f->bs;
	return f->blocks ? 0 : -ENODATA;
}

static int setup_ring(struct floor *f)
{
	struct io_uring_params p = {
		.flags = IORING_SETUP_CQSIZE | IORING_SETUP_COOP_TASKRUN |
			 IORING_SETUP_SINGLE_ISSUER |
			 IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_NO_SQARRAY,
		.cq_entries = f->depth,
	};
	const unsigned int shift = place_shift(f->kind);
	size_t size;
	char *ring;

	if (f->polled)
		p.flags |= IORING_SETUP_IOPOLL;
	if (f->kind == COMMAND)
		p.flags |= IORING_SETUP_SQE128 | IORING_SETUP_CQE32;
	f->ring_fd = syscall(__NR_io_uring_setup, f->depth, &p);
	if (f->ring_fd < 0)
		return -errno;
	size = p.cq_off.cqes + (p.cq_entries << shift) * sizeof(*f->cqes);
	ring = mmap(NULL, size, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_POPULATE, f->ring_fd, IORING_OFF_SQ_RING);
	f->sqes = mmap(NULL, (p.sq_entries << shift) * sizeof(*f->sqes),
		       PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
		       f->ring_fd, IORING_OFF_SQES);
	if (ring == MAP_FAILED || f->sqes == MAP_FAILED)
		return -errno;
	f->sq_tail = (unsigned int *)(ring + p.sq_off.tail);
	f->cq_head = (unsigned int *)(ring + p.cq_off.head);
	f->cq_tail = (unsigned int *)(ring + p.cq_off.tail);
	f->cqes = (struct io_uring_cqe *)(ring + p.cq_off.cqes);
	f->sq_mask = p.sq_entries - 1;
	f->cq_mask = p.cq_entries - 1;
	return 0;
}

static int register_all(struct floor *f)
{
	struct io_uring_rsrc_update up = { .offset = -1U, .data = f->ring_fd };
	size_t size = (size_t)f->bs * (f->sq_mask + 1);
	struct iovec iov = { .iov_len = size };

	if (posix_memalign(&f->buf, 4096, size))
		return -ENOMEM;
	iov.iov_base = f->buf;
	if (syscall(__NR_io_uring_register, f->ring_fd,
		    IORING_REGISTER_BUFFERS, &iov, 1) < 0)
		return -errno;
	if (f->fd >= 0 && syscall(__NR_io_uring_register, f->ring_fd,
				  IORING_REGISTER_FILES, &f->fd, 1) < 0)
		return -errno;
	if (syscall(__NR_io_uring_register, f->ring_fd,
		    IORING_REGISTER_RING_FDS, &up, 1) != 1)
		return -errno;
	f->enter_fd = up.offset;
	f->enter_flags = IORING_ENTER_REGISTERED_RING;
	return 0;
}

static void fill_nop(struct floor *f, struct io_uring_sqe *sqe)
{
	sqe->opcode = IORING_OP_NOP;
	if (!f->nop_file)
		return;
	sqe->rw_flags = NOP_FILE | NOP_FIXED_FILE | NOP_FIXED_BUFFER |
			NOP_INJECT_RESULT;
	sqe->len = f->bs;
	f->expect = f->bs;
}

static void fill_read(struct floor *f, struct io_uring_sqe *sqe, void *buf)
{
	sqe->opcode = IORING_OP_READ_FIXED;
	sqe->flags = IOSQE_FIXED_FILE;
	sqe->addr = (uintptr_t)buf;
	sqe->len = f->bs;
	f->expect = f->bs;
}

static void fill_command(struct floor *f, struct io_uring_sqe *sqe, void *buf)
{
	struct nvme_uring_cmd *cmd = command(sqe);

	memset(cmd, 0, sizeof(*cmd));
	sqe->opcode = IORING_OP_URING_CMD;
	sqe->flags = IOSQE_FIXED_FILE;
	sqe->cmd_op = NVME_URING_CMD_IO;
	sqe->uring_cmd_flags = IORING_URING_CMD_FIXED;
	cmd->opcode = nvme_cmd_read;
	cmd->nsid = f->nsid;
	cmd->cdw12 = (f->bs >> f->lba_shift) - 1;
	cmd->addr = (uintptr_t)buf;
	cmd->data_len = f->bs;
}

/* Every slot once: the ring hands them out in order (NO_SQARRAY). */
static void fill(struct floor *f)
{
	unsigned int i;

	for (i = 0; i <= f->sq_mask; i++) {
		struct io_uring_sqe *sqe = &f->sqes[i << place_shift(f->kind)];
		char *buf = (char *)f->buf + (size_t)i * f->bs;

		memset(sqe, 0, sizeof(*sqe));
		if (f->kind == NOP)
			fill_nop(f, sqe);
		else if (f->kind == READ)
			fill_read(f, sqe, buf);
		else
			fill_command(f, sqe, buf);
	}
}

static int measure(struct floor *f)
{
	struct timespec begin, end;
	int64_t done;
	double took;

	set_bell(1);
	done = run(f, true);
	if (done < 0)
		return done;

	f->enters = 0;
	set_bell(f->seconds);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	done = run(f, false);
	clock_gettime(CLOCK_MONOTONIC, &end);
	if (done < 0)
		return done;
	took = end.tv_sec - begin.tv_sec + (end.tv_nsec - begin.tv_nsec) / 1e9;
	printf("IOPS=%.0f requests=%lld enters=%llu\n", done / took,
	       (long long)done, (unsigned long long)f->enters);
	return 0;
}

static void usage(FILE *out)
{
	fputs("usage: floor [-d DEPTH] [-s BATCH] [-b BYTES] [-t SECONDS] [-w] -N [-f FILE] | [-p] DEVICE\n"
	      "  -N   no-ops; with -f they carry FILE, a buffer and a result, as\n"
	      "       those of t/io_uring from fio 3.39 on do\n"
	      "  -p   polled reads (the device needs poll queues)\n"
	      "  -w   wait in every enter, also while another batch would fit\n", out);
}

static int parse(struct floor *f, int argc, char **argv)
{
	int opt;

	while ((opt = getopt(argc, argv, "d:s:b:t:f:wNph")) != -1) {
		switch (opt) {
		case 'd': f->depth = atoi(optarg); break;
		case 's': f->batch = atoi(optarg); break;
		case 'b': f->bs = atoi(optarg); break;
		case 't': f->seconds = atoi(optarg); break;
		case 'f': f->nop_file = true; f->name = optarg; break;
		case 'w': f->always_wait = true; break;
		case 'N': f->kind = NOP; break;
		case 'p': f->polled = true; break;
		case 'h': usage(stdout); exit(0);
		default: return -EINVAL;
		}
	}
	if (f->kind != NOP)
		f->name = argv[optind++];
	if (argc > optind || (f->kind != NOP && !f->name) || !f->depth ||
	    !f->batch || f->batch > f->depth || !f->bs || !f->seconds)
		return -EINVAL;
	return 0;
}

int main(int argc, char **argv)
{
	struct floor f = { .kind = READ, .depth = 128, .batch = 32, .bs = 512, .seconds = 3,
			   .random = 0x9e3779b97f4a7c15, .fd = -1 };
	struct sigaction act = { .sa_handler = ring_bell };
	const char *step = "open";
	int ret;

	if (parse(&f, argc, argv)) {
		usage(stderr);
		return 2;
	}
	sigaction(SIGALRM, &act, NULL);
	sigaction(SIGINT, &act, NULL);
	ret = f.name ? open_target(&f) : 0;
	if (!ret) {
		step = "io_uring_setup";
		ret = setup_ring(&f);
	}
	if (!ret) {
		step = "io_uring_register";
		ret = register_all(&f);
	}
	if (!ret) {
		step = "request";
		fill(&f);
		ret = measure(&f);
	}
	if (ret)
		fprintf(stderr, "floor: %s%s%s failed: %s\n", f.name ? f.name : "",
			f.name ? ": " : "", step, strerror(-ret));
	return !!ret;
}
