#!/usr/bin/env bash
# How many durable calls a second the records take, each with an intent and an outcome that have reached the disk, with
# 1, 16 and 128 in flight. Run it on an idle machine, with TMPDIR on the disk to measure.
#
#   deploy/bench/intents.sh [CALLS]     default 20000 for each measurement
set -euo pipefail
export LC_ALL=C
unset CDPATH
calls=${1:-20000}
home=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
# shellcheck source=deploy/bench/with-tests.sh
. "$home/deploy/bench/with-tests.sh"

run_test_class dev.postern.store.IntentsMain "$scratch/postern.db" "$calls"
