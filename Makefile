# make           the engines and fio-iou-compare, into build/
# make check     the tests; make demo: the main jobs on an emulated device
# make V=1       the commands as they run

MAKEFLAGS += --no-builtin-rules
B := build
Q := $(if $(V),,@)
ENGINES := plain iopoll hybrid defer iowq nop
ENGINE_SO := $(ENGINES:%=$(B)/fio-iou_%.so)

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
# What each tool of the two is made of.
ENGINE_CFLAGS = -std=gnu11 -D_GNU_SOURCE $(WARN) $(CFLAGS) -fPIC -fno-plt -I. \
	-include $(FIO_SRC)/config-host.h -isystem $(FIO_SRC) $(URING_CFLAGS)
ENGINE_LDFLAGS = -shared -Wl,--version-script=engines/engines.map \
	-Wl,-z,nodelete -Wl,-Bsymbolic -Wl,-z,now
ENGINE_LIBS = $(URING_LIBS) -lnvme -ljson-c
TOOL_CFLAGS = -std=gnu11 -D_GNU_SOURCE $(WARN) $(CFLAGS) -I. $(SAN)
ifeq ($(SANITIZE),yes)
SAN := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
endif

CORE := $(filter-out engines/iou_%.c,$(wildcard engines/*.c))
CORE_O := $(CORE:engines/%.c=$(B)/engines/%.o)
RESULTS := $(wildcard results/*.c)
RESULTS_O := $(RESULTS:results/%.c=$(B)/results/%.o)
UNIT := $(patsubst tests/unit/%.c,$(B)/tests/%,$(wildcard tests/unit/test_*.c))

all: engines $(B)/fio-iou-compare
engines: $(ENGINE_SO)

# One object a page; the core is the same for all, linked in by each.
$(B)/fio-iou_%.so: $(B)/engines/iou_%.o $(CORE_O) engines/engines.map
	@echo "  LD    $@"
	$(Q)$(CC) $(ENGINE_LDFLAGS) -o $@ $(filter %.o,$^) $(ENGINE_LIBS)

$(B)/engines/%.o: engines/%.c $(B)/config.h $(B)/version.h | $(B)/engines
	@echo "  CC    $<"
	$(Q)$(CC) $(ENGINE_CFLAGS) -include $(B)/version.h -MMD -MP -c -o $@ $<

$(B)/fio-iou-compare: $(RESULTS_O)
	@echo "  LD    $@"
	$(Q)$(CC) $(SAN) -o $@ $^ -ljson-c -lm

$(B)/results/%.o: results/%.c | $(B)/results
	@echo "  CC    $<"
	$(Q)$(CC) $(TOOL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/engines $(B)/results $(B)/tests:
	@mkdir -p $@

# The version follows git; only a change of it builds anything anew.
$(B)/version.h: FORCE
	@v=$$(git describe --always --dirty 2>/dev/null || cat VERSION 2>/dev/null || echo unknown); \
	echo "#define FIO_IOU_VERSION \"$$v\"" > $@.tmp; \
	if cmp -s $@.tmp $@; then rm $@.tmp; else mv $@.tmp $@; echo $$v > $(B)/version; fi
FORCE:

$(B)/config.mk $(B)/config.h: configure
	./configure $(CONFIGURE_ARGS)

clean:
	rm -rf $(B)/engines $(B)/results $(B)/tests $(B)/*.so $(B)/fio-iou-compare
distclean:
	rm -rf $(B)

-include $(wildcard $(B)/engines/*.d $(B)/results/*.d $(B)/tests/*.d)
.PHONY: all engines clean distclean FORCE
.DELETE_ON_ERROR:
