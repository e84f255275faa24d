#!/usr/bin/env bash
# What a million recorded calls cost: fills a throw-away database, then measures start-up recovery, the lists, and the
# whole command `runs list`. Run it on an idle machine; filling takes a minute or two.
#
#   deploy/bench/growth.sh [CALLS]      default 1000000
set -euo pipefail
export LC_ALL=C
unset CDPATH POSTERN_DATA_DIR
calls=${1:-1000000}
home=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
# shellcheck source=deploy/bench/with-tests.sh
. "$home/deploy/bench/with-tests.sh"

export POSTERN_DATA_DIR=$scratch/data
mkdir -m 700 "$POSTERN_DATA_DIR"
run_test_class dev.postern.store.GrowthMain "$POSTERN_DATA_DIR/postern.db" "$calls"

"$home/deploy/postern" runs list >/dev/null
TIMEFORMAT='runs list, the whole command: %R s'
for _ in 1 2 3 4 5; do
  time "$home/deploy/postern" runs list >"$scratch/out"
done
