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

# Microseconds. Bash 5 knows them itself; GNU date costs a process; the rest has seconds only, which is no use.
if [[ -n ${EPOCHREALTIME:-} ]]; then
  now() { REPLY=${EPOCHREALTIME/[.,]/}; }
elif [[ $(date +%N) =~ ^[0-9]{9}$ ]]; then
  now() { REPLY=$(($(date +%s%N) / 1000)); }
else
  echo "cold.sh: needs bash 5 or GNU date to measure with" >&2
  exit 1
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
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
      printf '%-32s exit %d: %s\n' "$label" "$status" "$(head -n 1 "$scratch/err")"
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
      printf "%-32s %8.1f %8.1f %8.1f\n", label, median, t[1], t[NR]
    }'
}

# Builds, and makes the caches, where that is still to do. Its status is judged below.
"$postern" --version </dev/null >/dev/null || :

(
  # shellcheck source=deploy/find-jdk.sh
  . "$home/deploy/find-jdk.sh"
  find_jdk java && echo "$(date -u +%Y-%m-%dT%H:%MZ)  $(uname -sm) $(uname -r), $(getconf _NPROCESSORS_ONLN) cores, JDK $jdk_build, load$(uptime | sed 's/.*load averages*://')"
)
printf '%-32s %8s %8s %8s   ms, %d runs each\n' command median min max "$runs"
measure '--version' "$postern" --version
measure 'config check' "$postern" config check
measure 'mcp status' "$postern" mcp status
measure 'mcp tools demo' "$postern" mcp tools demo
measure 'call demo echo text=hi' "$postern" call demo echo text=hi
measure 'demo-server (started, then EOF)' "$postern" demo-server
exit "$failed"
