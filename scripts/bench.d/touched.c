// SPDX-License-Identifier: GPL-2.0
/*
 * What do a program and the kernel under it touch for its requests? A plugin of
 * QEMU's translator, for x86-64 guests:
 *
 *	-plugin FILE,vcpu=N,calls=N,out=FILE
 *
 * For every so many system calls on that processor a line: instructions of user
 * space and of the kernel, pages of memory that each has touched, and cache lines
 * (by physical address, so that what both see counts once). Neither a clock nor
 * other work on the machine has a part in it.
 *
 * The interface is version 1 of include/qemu/qemu-plugin.h in QEMU's source
 * (Debian 12 packages no header of it); a later QEMU that has it no more says so.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT		__attribute__((visibility("default")))
#define SLOTS		(1U << 18)	/* of a set: many times what a window holds */
#define PAGE_SHIFT	12
#define LINE_SHIFT	6

struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_plugin_hwaddr;

enum { CB_NO_REGS = 0, MEM_RW = 3 };

void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id,
		void (*cb)(uint64_t id, struct qemu_plugin_tb *tb));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb,
		void (*cb)(unsigned int vcpu, void *data), int flags, void *data);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
		void (*cb)(unsigned int vcpu, void *data), int flags, void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn,
		void (*cb)(unsigned int vcpu, uint32_t info, uint64_t addr, void *data),
		int flags, int rw, void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb,
						 size_t i);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
struct qemu_plugin_hwaddr *qemu_plugin_get_hwaddr(uint32_t info, uint64_t addr);
bool qemu_plugin_hwaddr_is_io(const struct qemu_plugin_hwaddr *hw);
uint64_t qemu_plugin_hwaddr_phys_addr(const struct qemu_plugin_hwaddr *hw);

EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv);

/* Keys seen in this window; older ones have another stamp. */
struct set {
	uint64_t key[SLOTS];
	uint32_t stamp[SLOTS];
	unsigned int nr;
};

/* Callbacks of QEMU's have no other argument that could carry it. */
static struct touched {
	unsigned int vcpu;
	unsigned int calls;		/* system calls of a window */
	FILE *out;

	unsigned int call;
	uint32_t window;
	uint64_t insns[2];		/* [user space] */
	struct set pages[2], lines;
} t = { .vcpu = 1, .calls = 1, .window = 1 };

static void set_add(struct set *s, uint64_t key)
{
	unsigned int i = key * 0x9e3779b97f4a7c15ULL >> 46;

	while (s->stamp[i] == t.window && s->key[i] != key)
		i = (i + 1) % SLOTS;
	if (s->stamp[i] == t.window)
		return;
	/* what is full counts no further, and a lookup must end */
	if (s->nr == SLOTS / 2)
		return;
	s->stamp[i] = t.window;
	s->key[i] = key;
	s->nr++;
}

static void window_ends(void)
{
	fprintf(t.out, "%llu %llu %u %u %u\n", (unsigned long long)t.insns[true],
		(unsigned long long)t.insns[false], t.pages[true].nr,
		t.pages[false].nr, t.lines.nr);
	t.window++;
	t.call = 0;
	t.insns[0] = t.insns[1] = 0;
	t.pages[0].nr = t.pages[1].nr = t.lines.nr = 0;
}

static void on_call(unsigned int vcpu, void *data)
{
	if (vcpu == t.vcpu && ++t.call == t.calls)
		window_ends();
}

/* data: twice the block's instructions, and 1 for user space's */
static void on_block(unsigned int vcpu, void *data)
{
	if (vcpu == t.vcpu)
		t.insns[(uintptr_t)data & 1] += (uintptr_t)data >> 1;
}

static void on_access(unsigned int vcpu, uint32_t info, uint64_t addr, void *data)
{
	struct qemu_plugin_hwaddr *hw;

	if (vcpu != t.vcpu)
		return;
	set_add(&t.pages[(uintptr_t)data], addr >> PAGE_SHIFT);
	hw = qemu_plugin_get_hwaddr(info, addr);
	if (hw && !qemu_plugin_hwaddr_is_io(hw))
		set_add(&t.lines, qemu_plugin_hwaddr_phys_addr(hw) >> LINE_SHIFT);
}

/* The kernel has the upper half of the addresses. */
static void on_translation(uint64_t id, struct qemu_plugin_tb *tb)
{
	const size_t n = qemu_plugin_tb_n_insns(tb);
	const uintptr_t user = !(qemu_plugin_tb_vaddr(tb) >> 63);
	size_t i;

	qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, CB_NO_REGS,
					     (void *)(n << 1 | user));
	for (i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);

		qemu_plugin_register_vcpu_mem_cb(insn, on_access, CB_NO_REGS,
						 MEM_RW, (void *)user);
		if (user && qemu_plugin_insn_size(insn) == 2 &&
		    !memcmp(qemu_plugin_insn_data(insn), "\x0f\x05", 2))
			qemu_plugin_register_vcpu_insn_exec_cb(insn, on_call,
							       CB_NO_REGS, NULL);
	}
}

int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv)
{
	int i;

	for (i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "vcpu=", 5))
			t.vcpu = atoi(argv[i] + 5);
		else if (!strncmp(argv[i], "calls=", 6))
			t.calls = atoi(argv[i] + 6);
		else if (!strncmp(argv[i], "out=", 4))
			t.out = fopen(argv[i] + 4, "w");
	}
	if (!t.out || !t.calls) {
		fprintf(stderr, "touched: out= is a file to write, calls= begins at 1\n");
		return -1;
	}
	setvbuf(t.out, NULL, _IOLBF, 0);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
	return 0;
}
