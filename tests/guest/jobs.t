#!/usr/bin/env bash
# The job files, by fio alone: see jobs.sh.
cd "$(dirname "$0")/../.." || exit 2
exec scripts/fio-iou guest --nvme 3 -- tests/guest/jobs.sh
