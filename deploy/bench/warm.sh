#!/usr/bin/env bash
# How long commands take while a worker owns the data directory, process start to exit, and the same of peers that keep
# servers running: mcporter with its daemon, mcpc with a session. All of them call the bundled demo server and the
# reference server "everything". Prints milliseconds: median, fastest and slowest. Run it on an idle machine.
#
#   deploy/bench/warm.sh [RUNS] [PEERS]
#
# RUNS: default 15; three more come first and don't count. PEERS: a directory in which `npm install` got mcporter@0.12.3,
# @apify/mcpc@0.2.6 and @modelcontextprotocol/server-everything@2026.8.31; "npm" installs them into a throw-away one;
# without it only Postern is measured, with the demo server.
set -euo pipefail
export LC_ALL=C
unset CDPATH POSTERN_DATA_DIR POSTERN_MCP_SERVERS POSTERN_TOOL_BYTES

runs=${1:-15}
peers=${2:-}
if ! [[ $runs =~ ^[0-9]+$ ]] || ((runs < 10)); then
  echo "warm.sh: RUNS is a number, 10 at least; it was '$runs'" >&2
  exit 2
fi
home=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
postern=$home/deploy/postern

scratch=$(mktemp -d)
# shellcheck source=deploy/bench/whole-process.sh
. "$home/deploy/bench/whole-process.sh"
export POSTERN_DATA_DIR=$scratch/data HOME=$scratch/home
mkdir -m 700 "$POSTERN_DATA_DIR" "$HOME"
# shellcheck disable=SC2317 # the trap calls it
finish() {
  "$postern" worker stop >/dev/null 2>&1 || :
  if [[ -n $peers ]]; then
    (cd "$scratch" && "$peers/node_modules/.bin/mcporter" daemon stop) >/dev/null 2>&1 || :
    "$peers/node_modules/.bin/mcpc" @demo close >/dev/null 2>&1 || :
    "$peers/node_modules/.bin/mcpc" @every close >/dev/null 2>&1 || :
  fi
  rm -rf "$scratch"
}
trap finish EXIT

if [[ $peers = npm ]]; then
  peers=$scratch/peers
  mkdir "$peers"
  (cd "$peers" && npm install --silent --no-fund --no-audit mcporter@0.12.3 @apify/mcpc@0.2.6 \
    @modelcontextprotocol/server-everything@2026.8.31 >/dev/null)
fi
if [[ -n $peers ]]; then
  peers=$(cd -P -- "$peers" && pwd -P)
fi
everything=$peers/node_modules/@modelcontextprotocol/server-everything/dist/index.js

# json TEXT: as it stands between quotes.
json() {
  local text=${1//\\/\\\\}
  printf '%s' "${text//\"/\\\"}"
}
demo="\"command\": \"$(json "$postern")\", \"args\": [\"demo-server\"]"
every="\"command\": \"node\", \"args\": [\"$(json "$everything")\"]"
cat >"$POSTERN_DATA_DIR/config.json" <<END
{
  "mcpServers": [
    {"id": "demo", "enabled": true, $demo, "tools": ["echo"]},
    {"id": "every", "enabled": true, $every, "tools": ["echo"]}
  ],
  "worker": {"directCalls": true}
}
END

# prepare COMMAND…: runs it, and says so when it fails.
prepare() {
  "$@" </dev/null >"$scratch/out" 2>"$scratch/err" || printf '%s: exit %d: %s\n' "$1" "$?" "$(head -n 1 "$scratch/err")"
}

# memory LABEL: the worker's resident memory.
memory() {
  local pid
  IFS= read -r pid <"$POSTERN_DATA_DIR/run/worker.pid"
  if [[ -r /proc/$pid/status ]]; then
    awk -v label="$1" '/^VmRSS/ { printf "%-36s %8.1f MiB resident\n", label, $2 / 1024 }' "/proc/$pid/status"
  fi
}

# Builds, and makes the caches, where that is still to do.
"$postern" --version </dev/null >/dev/null || :
"$postern" worker start >/dev/null

headline
memory 'worker, idle'
measure 'postern mcp status' "$postern" mcp status
measure 'postern mcp tools demo' "$postern" mcp tools demo
measure 'postern call demo echo text=hi' "$postern" call demo echo text=hi
memory 'worker, one server connected'

if [[ -n $peers ]]; then
  mkdir -p "$scratch/config"
  cat >"$scratch/config/mcporter.json" <<END
{"mcpServers": {"demo": {$demo, "lifecycle": "keep-alive"}, "every": {$every, "lifecycle": "keep-alive"}}}
END
  cat >"$scratch/mcpc.json" <<END
{"mcpServers": {"demo": {$demo}, "every": {$every}}}
END
  cd "$scratch"
  mcporter=$peers/node_modules/.bin/mcporter
  mcpc=$peers/node_modules/.bin/mcpc
  prepare "$mcporter" daemon start
  measure 'mcporter list demo' "$mcporter" list demo
  measure 'mcporter call demo.echo text=hi' "$mcporter" call demo.echo text=hi
  prepare "$mcpc" connect "$scratch/mcpc.json:demo" @demo
  measure 'mcpc @demo tools-list' "$mcpc" @demo tools-list
  measure 'mcpc @demo tools-call echo text:=hi' "$mcpc" @demo tools-call echo 'text:="hi"'

  measure 'postern mcp tools every' "$postern" mcp tools every
  measure 'postern call every echo message=hi' "$postern" call every echo message=hi
  measure 'mcporter list every' "$mcporter" list every
  measure 'mcporter call every.echo message=hi' "$mcporter" call every.echo message=hi
  prepare "$mcpc" connect "$scratch/mcpc.json:every" @every
  measure 'mcpc @every tools-call message:=hi' "$mcpc" @every tools-call echo 'message:="hi"'
fi
exit "$failed"
