# shellcheck shell=bash disable=SC2034 # the scripts that source this use what it sets
# For measurements of whole processes, from start to exit: sourced with `home`, `runs` and `scratch` set. Gives
# headline, and measure LABEL COMMAND…, which prints milliseconds: median, fastest and slowest, of `runs`
# runs; three more come first and don't count. `failed` is 1 when one of them failed.
: "${home:?}" "${runs:?}" "${scratch:?}"
failed=0

# Microseconds. Bash 5 knows them itself; GNU date costs a process; the rest has seconds only, which is no use.
if [[ -n ${EPOCHREALTIME:-} ]]; then
  now() { REPLY=${EPOCHREALTIME/[.,]/}; }
elif [[ $(date +%N) =~ ^[0-9]{9}$ ]]; then
  now() { REPLY=$(($(date +%s%N) / 1000)); }
else
  echo "${0##*/}: needs bash 5 or GNU date to measure with" >&2
  exit 1
fi

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

# What was measured where, and the head of the table.
headline() {
  (
    # shellcheck source=deploy/find-jdk.sh
    . "$home/deploy/find-jdk.sh"
    find_jdk java && echo "$(date -u +%Y-%m-%dT%H:%MZ)  $(uname -sm) $(uname -r), $(getconf _NPROCESSORS_ONLN) cores, JDK $jdk_build, load$(uptime | sed 's/.*load averages*://')"
  )
  printf '%-36s %8s %8s %8s   ms, %d runs each\n' command median min max "$runs"
}
