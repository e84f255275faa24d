#!/usr/bin/env bash
# How long cold commands take, process start to exit, on the bundled demo server in a throw-away data directory.
# Prints milliseconds: median, fastest and slowest. Run it on an idle machine.
#
#   deploy/bench/cold.sh [RUNS]      default 15; three more come first and don't count
set -euo pipefail
export LC_ALL=C
unset CDPATH POSTERN_DATA_DIR POSTERN_MCP_SERVERS POSTERN_TOOL_BYTES

runs=${1:-15}
if ! [[ $runs =~ ^[0-9]+$ ]] || ((runs < 10)); then
  echo "cold.sh: RUNS is a number, 10 at least; it was '$runs'" >&2
  exit 2
fi
home=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
postern=$home/deploy/postern

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# shellcheck source=deploy/bench/whole-process.sh
. "$home/deploy/bench/whole-process.sh"
export POSTERN_DATA_DIR=$scratch/data
mkdir -m 700 "$POSTERN_DATA_DIR"
quoted=${postern//\\/\\\\}
quoted=${quoted//\"/\\\"}
cat >"$POSTERN_DATA_DIR/config.json" <<EOF
{
  "mcpServers": [
    {"id": "demo", "enabled": true, "command": "$quoted", "args": ["demo-server"], "tools": ["echo"]}
  ]
}
EOF

# Builds, and makes the caches, where that is still to do. Its status is judged below.
"$postern" --version </dev/null >/dev/null || :

headline
measure '--version' "$postern" --version
measure 'config check' "$postern" config check
measure 'mcp status' "$postern" mcp status
measure 'mcp tools demo' "$postern" mcp tools demo
measure 'call demo echo text=hi' "$postern" call demo echo text=hi
measure 'demo-server (started, then EOF)' "$postern" demo-server
exit "$failed"
