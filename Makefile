# make           the engines and fio-iou-compare, into build/
# make check     the tests; make demo: the main jobs on an emulated device
# make V=1       the commands as they run

MAKEFLAGS += --no-builtin-rules
B := build
# SANITIZE=yes builds all of it beside, in build/san, with ASan and UBSan.
O := $(B)$(if $(filter yes,$(SANITIZE)),/san)
Q := $(if $(V),,@)
ENGINES := plain iopoll hybrid defer iowq nop
ENGINE_SO := $(ENGINES:%=$(O)/fio-iou_%.so)

# Goals that need no configuration.
ifeq ($(filter demo check clean distclean help,$(or $(MAKECMDGOALS),all)),)
ifeq ($(wildcard $(B)/config.mk),)
$(error not configured: run ./configure (needs a fio tree: scripts/get-fio), or make demo, which does all)
endif
endif
-include $(B)/config.mk

CFLAGS ?= -O2 -g
WARN := -Wall -Wextra -Werror -Wno-unused-parameter -Wno-sign-compare \
	-Wstrict-prototypes -Wmissing-prototypes -Wvla
# What each tool of the two is made of. Engines store fields of SQEs one by one: a
# vector of neighbours takes shuffles.
ENGINE_CFLAGS = -std=gnu11 -D_GNU_SOURCE $(WARN) $(CFLAGS) $(SAN) -fPIC -fno-plt -I. \
	-fno-tree-slp-vectorize \
	-include $(FIO_SRC)/config-host.h -isystem $(FIO_SRC) $(URING_CFLAGS)
ENGINE_LDFLAGS = -shared -Wl,--version-script=engines/engines.map \
	-Wl,-z,nodelete -Wl,-Bsymbolic -Wl,-z,now
ENGINE_LIBS = $(URING_LIBS) -lnvme -ljson-c
TOOL_CFLAGS = -std=gnu11 -D_GNU_SOURCE $(WARN) $(CFLAGS) -I. $(SAN)
ifeq ($(SANITIZE),yes)
SAN := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
endif

CORE := $(filter-out engines/iou_%.c,$(wildcard engines/*.c))
CORE_O := $(CORE:engines/%.c=$(O)/engines/%.o)
RESULTS := $(wildcard results/*.c)
RESULTS_O := $(RESULTS:results/%.c=$(O)/results/%.o)
UNIT := $(patsubst tests/unit/%.c,$(O)/tests/%,$(wildcard tests/unit/test_*.c))

all: engines $(O)/fio-iou-compare
engines: $(ENGINE_SO)

# One object a page; the core is the same for all, linked in by each.
$(O)/fio-iou_%.so: $(O)/engines/iou_%.o $(CORE_O) engines/engines.map
	@echo "  LD    $@"
	$(Q)$(CC) $(ENGINE_LDFLAGS) $(SAN) -o $@ $(filter %.o,$^) $(ENGINE_LIBS)

$(O)/engines/report.o: $(B)/version.h
$(O)/engines/report.o: ENGINE_CFLAGS += -include $(B)/version.h
$(O)/engines/%.o: engines/%.c $(B)/config.h | $(O)/engines
	@echo "  CC    $<"
	$(Q)$(CC) $(ENGINE_CFLAGS) -MMD -MP -c -o $@ $<

$(O)/fio-iou-compare: $(RESULTS_O)
	@echo "  LD    $@"
	$(Q)$(CC) $(SAN) -o $@ $^ -ljson-c -lm

$(O)/results/%.o: results/%.c | $(O)/results
	@echo "  CC    $<"
	$(Q)$(CC) $(TOOL_CFLAGS) -MMD -MP -c -o $@ $<

# The schema is built in.
$(O)/results/schema.o: results/schema.json

$(O)/engines $(O)/results $(O)/tests:
	@mkdir -p $@

# The version follows git; only a change of it builds the report anew.
$(B)/version.h: FORCE
	@v=$$(git describe --always --dirty 2>/dev/null || cat VERSION 2>/dev/null || echo unknown); \
	echo "#define FIO_IOU_VERSION \"$$v\"" > $@.tmp; \
	if cmp -s $@.tmp $@; then rm $@.tmp; else mv $@.tmp $@; echo $$v > $(B)/version; fi
FORCE:

$(B)/config.mk $(B)/config.h: configure
	./configure $(CONFIGURE_ARGS)

# ---- the two commands of the README
# Everything from nothing: packages, fio, the engines, a guest kernel, a table.
demo:
	scripts/demo

check:
	scripts/deps
	scripts/check

# ---- tests; scripts/check runs them all
# A program takes from the archives what it needs and does not define itself:
# a test that brings its own kernel or its own fio brings it by defining it.
UNIT_CFLAGS = -Iresults $(ENGINE_CFLAGS)
UNIT_A := $(O)/tests/engines.a $(O)/tests/results.a

$(O)/tests/%: tests/unit/%.c $(UNIT_A) | $(O)/tests
	@echo "  CC    $<"
	$(Q)$(CC) $(UNIT_CFLAGS) -rdynamic -MMD -MP -o $@ $< $(UNIT_A) -lcmocka $(ENGINE_LIBS) -lm

$(O)/tests/engines.a: $(CORE_O) $(O)/tests/fio-stubs.o
$(O)/tests/results.a: $(RESULTS_O)
$(UNIT_A):
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(O)/tests/fio-stubs.o: tests/unit/fio-stubs.c $(B)/config.h | $(O)/tests
	$(Q)$(CC) $(ENGINE_CFLAGS) -MMD -MP -c -o $@ $<

unit: engines $(UNIT)

# ---- libFuzzer on what reads records, for FUZZ_SECONDS
FUZZ_SECONDS ?= 60
$(B)/fuzz_record: tests/fuzz/fuzz_record.c $(filter-out results/compare.c,$(RESULTS)) results/schema.json
	$(Q)clang -std=gnu11 -D_GNU_SOURCE $(WARN) -Iresults -O1 -g \
		-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
		$(filter %.c,$^) -o $@ -ljson-c -lm

fuzz: $(B)/fuzz_record
	@mkdir -p $(B)/corpus
	$(B)/fuzz_record -max_total_time=$(FUZZ_SECONDS) -max_len=8192 -close_fd_mask=2 \
		-dict=tests/fuzz/record.dict -artifact_prefix=$(B)/ \
		-print_final_stats=1 $(B)/corpus tests/fuzz/corpus

# ---- installation
install: all
	install -d $(DESTDIR)$(PREFIX)/lib/fio-iou/build $(DESTDIR)$(PREFIX)/bin \
		$(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/man/man7
	install -m 755 $(ENGINE_SO) $(B)/fio-iou-compare $(DESTDIR)$(PREFIX)/lib/fio-iou/build
	install -m 644 $(B)/config.mk $(B)/version $(DESTDIR)$(PREFIX)/lib/fio-iou/build
	cp -r scripts jobs $(DESTDIR)$(PREFIX)/lib/fio-iou
	install -D -m 644 results/schema.json $(DESTDIR)$(PREFIX)/lib/fio-iou/results/schema.json
	ln -sf ../lib/fio-iou/scripts/fio-iou $(DESTDIR)$(PREFIX)/bin/fio-iou
	install -m 644 man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 man/*.7 $(DESTDIR)$(PREFIX)/share/man/man7

clean:
	rm -rf $(B)/engines $(B)/results $(B)/tests $(B)/san $(B)/*.so $(B)/fio-iou-compare
distclean:
	rm -rf $(B)

-include $(wildcard $(O)/engines/*.d $(O)/results/*.d $(O)/tests/*.d)
.PHONY: all engines unit fuzz demo check install clean distclean FORCE
.DELETE_ON_ERROR:
.SECONDARY:
