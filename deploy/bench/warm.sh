#!/usr/bin/env bash
# How long commands take while a worker owns the data directory, process start to exit, and the same of peers that keep
# servers running: mcporter with its daemon, mcpc with a session. The server is the bundled demo for all of them.
# Prints milliseconds: median, fastest and slowest. Run it on an idle machine.
#
#   deploy/bench/warm.sh [RUNS] [PEERS]
#
# RUNS: default 15; three more come first and don't count. PEERS: a directory in which `npm install mcporter@0.12.3
# @apify/mcpc@0.2.6` was run; "npm" installs them into a throw-away one; without it only Postern is measured.
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

# Microseconds. Bash 5 knows them itself; GNU date costs a process; the rest has seconds only, which is no use.
if [[ -n ${EPOCHREALTIME:-} ]]; then
  now() { REPLY=${EPOCHREALTIME/[.,]/}; }
elif [[ $(date +%N) =~ ^[0-9]{9}$ ]]; then
  now() { REPLY=$(($(date +%s%N) / 1000)); }
else
  echo "warm.sh: needs bash 5 or GNU date to measure with" >&2
  exit 1
fi

scratch=$(mktemp -d)
export POSTERN_DATA_DIR=$scratch/data HOME=$scratch/home
mkdir -m 700 "$POSTERN_DATA_DIR" "$HOME"
finish() {
  "$postern" worker stop >/dev/null 2>&1 || :
  if [[ -n $peers ]]; then
    (cd "$scratch" && "$peers/node_modules/.bin/mcporter" daemon stop) >/dev/null 2>&1 || :
    "$peers/node_modules/.bin/mcpc" @demo close >/dev/null 2>&1 || :
  fi
  rm -rf "$scratch"
}
trap finish EXIT

quoted=${postern//\\/\\\\}
quoted=${quoted//\"/\\\"}
cat >"$POSTERN_DATA_DIR/config.json" <<END
{
  "mcpServers": [
    {"id": "demo", "enabled": true, "command": "$quoted", "args": ["demo-server"], "tools": ["echo"]}
  ],
  "worker": {"directCalls": true}
}
END

failed=0
# measure LABEL COMMAND…
measure() {
  local label=$1 times=() begin status run
  shift
  for ((run = -3; run < runs; run++)); do
    status=0
    now
    begin=$REPLY
    "$@" </dev/null >"$scratch/out" 2>"$scratch/err" || status=$?
    now
    if ((status != 0)); then
      printf '%-36s exit %d: %s\n' "$label" "$status" "$(head -n 1 "$scratch/err")"
      failed=1
      return
    fi
    if ((run >= 0)); then
      times+=($((REPLY - begin)))
    fi
  done
  printf '%s\n' "${times[@]}" | sort -n | awk -v label="$label" '
    { t[NR] = $1 / 1000 }
    END {
      median = NR % 2 ? t[(NR + 1) / 2] : (t[NR / 2] + t[NR / 2 + 1]) / 2
      printf "%-36s %8.1f %8.1f %8.1f\n", label, median, t[1], t[NR]
    }'
}

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

(
  # shellcheck source=deploy/find-jdk.sh
  . "$home/deploy/find-jdk.sh"
  find_jdk java && echo "$(date -u +%Y-%m-%dT%H:%MZ)  $(uname -sm) $(uname -r), $(getconf _NPROCESSORS_ONLN) cores, JDK $jdk_build, load$(uptime | sed 's/.*load averages*://')"
)
printf '%-36s %8s %8s %8s   ms, %d runs each\n' command median min max "$runs"
memory 'worker, idle'
measure 'postern mcp status' "$postern" mcp status
measure 'postern mcp tools demo' "$postern" mcp tools demo
measure 'postern call demo echo text=hi' "$postern" call demo echo text=hi
memory 'worker, one server connected'

if [[ $peers = npm ]]; then
  peers=$scratch/peers
  mkdir "$peers"
  (cd "$peers" && npm install --silent --no-fund --no-audit mcporter@0.12.3 @apify/mcpc@0.2.6 >/dev/null)
fi
if [[ -n $peers ]]; then
  peers=$(cd -P -- "$peers" && pwd -P)
  mkdir -p "$scratch/config"
  cat >"$scratch/config/mcporter.json" <<END
{"mcpServers": {"demo": {"command": "$quoted", "args": ["demo-server"], "lifecycle": "keep-alive"}}}
END
  cat >"$scratch/mcpc.json" <<END
{"mcpServers": {"demo": {"command": "$quoted", "args": ["demo-server"]}}}
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
fi
exit "$failed"
