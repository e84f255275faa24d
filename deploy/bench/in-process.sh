#!/usr/bin/env bash
# What a call costs inside the process, measured on the real code. Run it on an idle machine.
#
#   deploy/bench/in-process.sh host            a call at `host` beside a bare round trip through a pipe to the same
#                                              server, and how many calls a second go through
#   deploy/bench/in-process.sh micro [JMH…]    the codec, the redactor and the validator under JMH
set -euo pipefail
unset CDPATH
home=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
what=${1:-}
shift || :
case $what in
  host) main=dev.postern.host.HostLatency ;;
  micro) main=org.openjdk.jmh.Main ;;
  *)
    echo "in-process.sh: say 'host' or 'micro'" >&2
    exit 2
    ;;
esac

# shellcheck source=deploy/find-jdk.sh
. "$home/deploy/find-jdk.sh"
find_jdk java || {
  explain_jdk in-process.sh
  exit 1
}
paths=$home/target/bench.classpath
# JMH's classes have names of tests, which a later build would look into.
trap 'rm -rf "$home/target/test-classes/dev/postern/bench"' EXIT
"$home/mvnw" -B -ntp -q -f "$home/pom.xml" -Dquick -Pbench test-compile \
  dependency:build-classpath -Dmdep.outputFile="$paths" -Dmdep.includeScope=test >&2

echo "$(date -u +%Y-%m-%dT%H:%MZ)  $(uname -sm) $(uname -r), $(getconf _NPROCESSORS_ONLN) cores, JDK $jdk_build, load$(uptime | sed 's/.*load averages*://')"
"$jdk_home/bin/java" --enable-native-access=ALL-UNNAMED -Dpostern.sqlite="$home/target/sqlite" \
  -cp "$home/target/test-classes:$home/target/classes:$(cat "$paths")" "$main" "$@"
