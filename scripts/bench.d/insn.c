/*
 * insn: user-space instructions per request of any program that submits with
 * io_uring_enter(2). Starts it, lets it run for a while, then takes its
 * busiest thread one instruction at a time through a number of enters. So
 * start-up does not count, and no counter of the processor is needed.
 *
 * A repeated string instruction counts once. Prints one line: instructions per
 * request, instructions, requests and enters; with -p the places, most
 * frequent first, as instructions per request, file and offset for addr2line.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef __x86_64__
#error "stepping and reading registers is written for x86-64"
#endif

#define SITES		(1U << 16)	/* a power of two, far above what runs hot */
#define INSN_SYSCALL	0x050f

struct site {
	uint64_t rip;
	uint64_t count;
	bool is_syscall;
};

struct tracer {
	pid_t child, pid, tid;
	unsigned long busiest;
	unsigned int enters;		/* to step through */
	struct site *sites;
	uint64_t instructions, requests;
};

/* Fields 4 (parent) and 14 + 15 (user and system time) of a stat file. */
static int read_stat(const char *path, pid_t *parent, unsigned long *ticks)
{
	unsigned long user, system;
	char line[1024], *p;
	FILE *f = fopen(path, "r");
	int ret = -1;

	if (!f)
		return -1;
	if (fgets(line, sizeof(line), f)) {
		/* the name before it may hold anything */
		p = strrchr(line, ')');
		if (p && sscanf(p + 1, " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
				parent, &user, &system) == 3) {
			*ticks = user + system;
			ret = 0;
		}
	}
	fclose(f);
	return ret;
}

static bool descends(pid_t pid, pid_t ancestor)
{
	unsigned long ticks;
	char path[64];

	while (pid > 1 && pid != ancestor) {
		snprintf(path, sizeof(path), "/proc/%d/stat", pid);
		if (read_stat(path, &pid, &ticks))
			return false;
	}
	return pid == ancestor;
}

static void look_at_threads(struct tracer *t, pid_t pid)
{
	unsigned long ticks;
	struct dirent *e;
	char path[300];
	pid_t parent;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	if (!dir)
		return;
	while ((e = readdir(dir))) {
		snprintf(path, sizeof(path), "/proc/%d/task/%s/stat", pid, e->d_name);
		if (e->d_name[0] == '.' || read_stat(path, &parent, &ticks) ||
		    ticks <= t->busiest)
			continue;
		t->busiest = ticks;
		t->pid = pid;
		t->tid = atoi(e->d_name);
	}
	closedir(dir);
}

static int find_busiest(struct tracer *t)
{
	DIR *dir = opendir("/proc");
	struct dirent *e;

	if (!dir)
		return -errno;
	while ((e = readdir(dir)))
		if (atoi(e->d_name) > 0 && descends(atoi(e->d_name), t->child))
			look_at_threads(t, atoi(e->d_name));
	closedir(dir);
	return t->tid ? 0 : -ESRCH;
}

static struct site *site_of(struct tracer *t, uint64_t rip)
{
	uint64_t i = rip * 0x9e3779b97f4a7c15 >> 48;
	long word;

	while (t->sites[i & (SITES - 1)].rip && t->sites[i & (SITES - 1)].rip != rip)
		i++;
	if (!t->sites[i & (SITES - 1)].rip) {
		t->sites[i & (SITES - 1)].rip = rip;
		word = ptrace(PTRACE_PEEKTEXT, t->tid, rip, 0);
		t->sites[i & (SITES - 1)].is_syscall = (word & 0xffff) == INSN_SYSCALL;
	}
	return &t->sites[i & (SITES - 1)];
}

/* To the next stop; a signal for the program is passed on. */
static int step(struct tracer *t, int *signal)
{
	int status;

	if (ptrace(PTRACE_SINGLESTEP, t->tid, 0, *signal) < 0 ||
	    waitpid(t->tid, &status, __WALL) < 0)
		return -errno;
	if (!WIFSTOPPED(status))
		return -ESRCH;
	*signal = WSTOPSIG(status) == SIGTRAP || status >> 16 ? 0 : WSTOPSIG(status);
	return 0;
}

static int trace(struct tracer *t)
{
	struct user_regs_struct regs;
	unsigned int enters = 0;
	uint64_t last = 0;
	int ret = 0, signal = 0, status;

	if (ptrace(PTRACE_SEIZE, t->tid, 0, 0) < 0 ||
	    ptrace(PTRACE_INTERRUPT, t->tid, 0, 0) < 0 ||
	    waitpid(t->tid, &status, __WALL) < 0)
		return -errno;
	for (; !ret; ret = step(t, &signal)) {
		struct site *s;

		if (ptrace(PTRACE_GETREGS, t->tid, 0, &regs) < 0)
			return -errno;
		s = site_of(t, regs.rip);
		/* from one enter to another: whole turns of the loop */
		if (s->is_syscall && regs.rax == __NR_io_uring_enter) {
			if (enters++ == t->enters)
				break;
			t->requests += regs.rsi;
		}
		if (enters && (regs.rip != last || s->is_syscall)) {
			t->instructions++;
			s->count++;
		}
		last = regs.rip;
	}
	return ret;
}

/* The file that address is mapped from, and the offset in it. */
static void print_place(const struct tracer *t, uint64_t rip)
{
	uint64_t start, end, offset;
	char path[64], line[512], name[256];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", t->pid);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f)) {
		name[0] = '\0';
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %255s",
			   &start, &end, &offset, name) >= 3 && rip >= start && rip < end) {
			printf("%s 0x%" PRIx64 "\n", name, rip - start + offset);
			break;
		}
	}
	if (f)
		fclose(f);
}

static int by_count(const void *a, const void *b)
{
	const struct site *x = a, *y = b;

	return x->count < y->count ? 1 : x->count > y->count ? -1 : 0;
}

static void print_places(struct tracer *t)
{
	unsigned int i;

	qsort(t->sites, SITES, sizeof(*t->sites), by_count);
	for (i = 0; i < SITES && t->sites[i].count; i++) {
		printf("%.3f ", (double)t->sites[i].count / t->requests);
		print_place(t, t->sites[i].rip);
	}
}

static pid_t start(char **argv)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	/* stdout is for the figures */
	dup2(STDERR_FILENO, STDOUT_FILENO);
	execvp(argv[0], argv);
	fprintf(stderr, "insn: %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

int main(int argc, char **argv)
{
	struct tracer t = { .enters = 1000 };
	struct timespec warm = { .tv_sec = 1, .tv_nsec = 500000000 };
	bool places = false;
	int opt, ret;

	while ((opt = getopt(argc, argv, "+e:p")) != -1) {
		if (opt == 'e' && atoi(optarg) > 0)
			t.enters = atoi(optarg);
		else if (opt == 'p')
			places = true;
		else
			optind = argc;
	}
	if (optind >= argc) {
		fprintf(stderr, "usage: insn [-e ENTERS] [-p] PROGRAM [ARGUMENT...]\n");
		return 2;
	}
	t.sites = calloc(SITES, sizeof(*t.sites));
	t.child = t.sites ? start(argv + optind) : -1;
	if (t.child < 0) {
		fprintf(stderr, "insn: cannot start %s: %s\n", argv[optind], strerror(errno));
		return 1;
	}
	nanosleep(&warm, NULL);
	ret = find_busiest(&t);
	if (!ret)
		ret = trace(&t);
	if (ret)
		fprintf(stderr, "insn: cannot step through %s: %s\n", argv[optind], strerror(-ret));
	else
		printf("%.2f instructions=%" PRIu64 " requests=%" PRIu64 " enters=%u\n",
		       (double)t.instructions / t.requests, t.instructions, t.requests, t.enters);
	if (!ret && places)
		print_places(&t);
	if (t.pid)
		kill(t.pid, SIGKILL);
	kill(t.child, SIGKILL);
	free(t.sites);
	return !!ret;
}
