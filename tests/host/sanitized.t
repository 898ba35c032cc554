#!/usr/bin/env bash
# The engines, in fio, and the comparison once more, built with ASan and UBSan.
# Leaks are not looked for: fio has its own.
set -euo pipefail
cd "$(dirname "$0")/../.."

make -s -j"$(nproc)" SANITIZE=yes all >&2
ln -sf ../config.mk ../version build/san/
FIO_IOU_BUILD=$PWD/build/san
LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)"
ASAN_OPTIONS=detect_leaks=0
UBSAN_OPTIONS=print_stacktrace=1
export FIO_IOU_BUILD ASAN_OPTIONS UBSAN_OPTIONS
exec env LD_PRELOAD="$LD_PRELOAD" bats --tap tests/host/engines-run.bats \
	tests/host/engines-verify.bats tests/host/engines-iowq.bats \
	tests/host/compare.bats
