#!/usr/bin/env bash
# What each kind of containment adds to the start of a server, against a plain spawn by the JDK. Prints milliseconds.
# Run it on an idle machine, or as `chrt -r 1 deploy/bench/launch.sh` on a busy one, in a source tree that was built
# (./mvnw verify, or ./mvnw -Dquick test-compile).
#
#   deploy/bench/launch.sh [RUNS]      default 50; ten more come first and don't count
set -euo pipefail
export LC_ALL=C.UTF-8
unset CDPATH

runs=${1:-50}
if ! [[ $runs =~ ^[0-9]+$ ]] || ((runs < 10)); then
  echo "launch.sh: RUNS is a number, 10 at least; it was '$runs'" >&2
  exit 2
fi
home=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
classes=$home/target/classes:$home/target/test-classes
if ! [[ -d $home/target/test-classes && -d $home/target/classes ]]; then
  echo "launch.sh: nothing is built here; run ./mvnw -Dquick test-compile in $home" >&2
  exit 1
fi
# shellcheck source=deploy/find-jdk.sh
. "$home/deploy/find-jdk.sh"
if ! find_jdk java; then
  echo "launch.sh: needs a JDK 25; set JAVA_HOME" >&2
  exit 1
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

echo "$(date -u +%Y-%m-%dT%H:%MZ)  $(uname -sm) $(uname -r), $(getconf _NPROCESSORS_ONLN) cores, JDK $jdk_build, load$(uptime | sed 's/.*load averages*://'), user $(id -u), $runs runs"
"$jdk_home/bin/java" --enable-native-access=ALL-UNNAMED -cp "$classes" dev.postern.process.LaunchBench "$runs" "$scratch"
