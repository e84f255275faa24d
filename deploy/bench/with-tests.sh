# shellcheck shell=bash
# For the measurements that are written in Java: sourced with `home` set. Builds what is missing, makes the throw-away
# directory `scratch`, and gives run_test_class CLASS ARGUMENT….
: "${home:?}"
if [[ ! -f $home/target/quarkus-app/quarkus-run.jar || ! -d $home/target/test-classes/dev ]]; then
  "$home/mvnw" -B -q -ntp -f "$home/pom.xml" -Dquick -DskipTests package
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# shellcheck source=deploy/find-jdk.sh
. "$home/deploy/find-jdk.sh"
find_jdk java || {
  explain_jdk "${0##*/}"
  exit 1
}
echo "$(date -u +%Y-%m-%dT%H:%MZ)  $(uname -sm) $(uname -r), $(getconf _NPROCESSORS_ONLN) cores, JDK $jdk_build, load$(uptime | sed 's/.*load averages*://')"

run_test_class() {
  "$jdk_home/bin/java" --enable-native-access=ALL-UNNAMED -Dpostern.sqlite="$home/target/sqlite" \
    -Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider -Dslf4j.internal.verbosity=ERROR \
    -cp "$home/target/test-classes:$home/target/classes:$home/target/quarkus-app/lib/main/*" "$@"
}
