# shellcheck shell=sh disable=SC2034 # the scripts that source this use what it sets
# Finds a JDK that is new enough. Sourced by mvnw and deploy/postern, under sh with -eu.
#
# A JDK is known by the text of its `release` file, so no java is started and, on the usual machine, no other
# process either: the launcher passes here on every command. Order: JAVA_HOME, java on PATH, and then the
# places where systems and version managers keep theirs. One that is too old is passed over, wherever it is.

jdk_minimum=25

# find_jdk TOOL: sets jdk_home and jdk_build (the exact build, to tell one JDK from another). TOOL is what has to
# be in its bin: java to run, javac to build. Fails when there is none; explain_jdk says why and what to do.
find_jdk() {
  jdk_tool=$1 jdk_home='' jdk_build='' jdk_seen=''

  if [ -n "${JAVA_HOME:-}" ]; then
    jdk_try "$JAVA_HOME" JAVA_HOME && return 0
  fi
  jdk_on_path && return 0
  set -- /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /opt/*jdk* /opt/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home
  if [ -n "${HOME:-}" ]; then
    set -- "$@" "${SDKMAN_DIR:-$HOME/.sdkman}"/candidates/java/* "$HOME"/.jdks/* \
      "$HOME"/.local/share/mise/installs/java/* "$HOME"/.asdf/installs/java/*
  fi
  for jdk_place in "$@"; do
    jdk_try "$jdk_place" '' && return 0
  done
  jdk_of_macos
}

# jdk_try HOME ORIGIN: takes HOME if it will do. What has no java at all is not worth a word, unless it was named.
jdk_try() {
  if [ ! -x "$1/bin/java" ]; then
    [ -z "$2" ] || jdk_seen="$jdk_seen
  $1 ($2): no bin/java in it"
    return 1
  fi
  jdk_read_release "$1"
  if [ -z "$jdk_version" ] && [ -n "$2" ]; then
    jdk_ask "$1/bin/java"
  fi
  jdk_reject=''
  jdk_major=${jdk_version%%[!0-9]*}
  if [ "${jdk_major:-0}" -lt "$jdk_minimum" ]; then
    jdk_reject="Java ${jdk_version:-of unknown version}"
  elif [ ! -x "$1/bin/$jdk_tool" ]; then
    jdk_reject="Java $jdk_version, a run-time without $jdk_tool"
  else
    jdk_home=$1
    return 0
  fi
  jdk_seen="$jdk_seen
  $1${2:+ ($2)}: $jdk_reject"
  return 1
}

jdk_read_release() {
  jdk_version='' jdk_build=''
  [ -r "$1/release" ] || return 0
  while IFS= read -r jdk_line || [ -n "$jdk_line" ]; do
    case $jdk_line in
      JAVA_RUNTIME_VERSION=*) jdk_build=${jdk_line#*=} ;;
      JAVA_VERSION=*)
        jdk_version=${jdk_line#*=}
        break
        ;;
    esac
  done <"$1/release"
  jdk_version=${jdk_version#\"} jdk_version=${jdk_version%\"}
  jdk_build=${jdk_build#\"} jdk_build=${jdk_build%\"}
  jdk_build=${jdk_build:-$jdk_version}
}

# jdk_ask JAVA: for a java whose release file is missing or elsewhere. Sets jdk_version, jdk_build and jdk_asked_home.
jdk_ask() {
  jdk_asked_home=''
  jdk_answer=$(JAVA_TOOL_OPTIONS='' JDK_JAVA_OPTIONS='' "$1" -XshowSettings:properties -version 2>&1 </dev/null) || return 0
  while IFS= read -r jdk_line; do
    case $jdk_line in
      *' java.home = '*) jdk_asked_home=${jdk_line#*= } ;;
      *' java.version = '*) jdk_version=${jdk_line#*= } ;;
      *' java.runtime.version = '*) jdk_build=${jdk_line#*= } ;;
    esac
  done <<EOF
$jdk_answer
EOF
}

# The java that a shell would start. /usr/bin/java is a link on most systems, and its JDK one of the usual ones:
# comparing files finds out which without starting readlink.
jdk_on_path() {
  jdk_java=''
  jdk_ifs=$IFS
  IFS=:
  set -f
  for jdk_place in ${PATH:-}; do
    if [ -f "${jdk_place:-.}/java" ] && [ -x "${jdk_place:-.}/java" ]; then
      jdk_java=${jdk_place:-.}/java
      break
    fi
  done
  set +f
  IFS=$jdk_ifs
  [ -n "$jdk_java" ] || return 1
  # On macOS this one only asks java_home, or opens a window when there is no JDK.
  if [ "$jdk_java" = /usr/bin/java ] && [ -x /usr/libexec/java_home ]; then
    return 1
  fi
  case $jdk_java in
    */bin/java)
      if [ -r "${jdk_java%/bin/java}/release" ]; then
        jdk_try "${jdk_java%/bin/java}" PATH
        return
      fi
      ;;
  esac
  for jdk_place in /usr/lib/jvm/*; do
    # shellcheck disable=SC3013 # -ef: dash, busybox and bash all have it
    if [ "$jdk_place/bin/java" -ef "$jdk_java" ]; then
      jdk_try "$jdk_place" PATH
      return
    fi
  done
  jdk_real=$(readlink -f "$jdk_java" 2>/dev/null) || jdk_real=$jdk_java
  if [ -r "${jdk_real%/bin/java}/release" ]; then
    jdk_try "${jdk_real%/bin/java}" PATH
    return
  fi
  # A script of a version manager stands in for java.
  jdk_ask "$jdk_java"
  [ -n "$jdk_asked_home" ] && jdk_try "$jdk_asked_home" PATH
}

jdk_of_macos() {
  [ -x /usr/libexec/java_home ] || return 1
  jdk_place=$(/usr/libexec/java_home -F -v "$jdk_minimum+" 2>/dev/null) || return 1
  jdk_try "$jdk_place" java_home
}

# explain_jdk WHO: the message for when find_jdk failed.
explain_jdk() {
  cat >&2 <<EOF
$1: no JDK $jdk_minimum or newer found. Looked at JAVA_HOME, java on PATH, /usr/lib/jvm, /opt, SDKMAN, ~/.jdks and java_home.${jdk_seen:+
Passed over:$jdk_seen}
Install one and run this again; it is found by itself. For example:
  any Linux or macOS:  sdk install java 25-tem          (SDKMAN)
  macOS:               brew install openjdk@25
  Debian, Ubuntu:      apt-get install openjdk-25-jdk-headless    (Debian 12: the package temurin-25-jdk of Adoptium)
  Fedora:              dnf install java-25-openjdk-devel
If it is in an unusual place, set JAVA_HOME to it.
EOF
}
