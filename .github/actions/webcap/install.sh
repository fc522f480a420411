#!/usr/bin/env bash
# Puts webcap into PATH for the steps that follow: version $VERSION, or the version of this action, which calls itself
# $REF. It downloads the program of a release. If that is impossible, it builds the program.
#
# The bash of macOS is 3.2.
set -euo pipefail

fail() {
  echo "::error title=webcap::$*"
  exit 1
}

fetch() { curl -fsSL --connect-timeout 10 --retry 2 -o "$1" "$release/$1"; }

# check is for macOS, too, which has only shasum.
check() { if command -v sha256sum; then sha256sum -c -; else shasum -a 256 -c -; fi >/dev/null; }

# download sets dir to a folder with the program. It is called in a condition, where set -e has no effect.
download() {
  local system line name
  [[ $tag =~ ^(latest|v[0-9][0-9A-Za-z.-]*)$ ]] || return 1
  case $RUNNER_OS-$RUNNER_ARCH in
  Linux-X64) system=linux_amd64.tar.gz ;;
  Linux-ARM64) system=linux_arm64.tar.gz ;;
  macOS-X64) system=darwin_amd64.tar.gz ;;
  macOS-ARM64) system=darwin_arm64.tar.gz ;;
  Windows-X64) system=windows_amd64.zip ;;
  Windows-ARM64) system=windows_arm64.zip ;;
  *) return 1 ;;
  esac
  command -v curl >/dev/null && fetch checksums.txt || return 1
  line=$(grep "  webcap_[^ /]*_$system\$" checksums.txt) || return 1
  name=${line##* }
  fetch "$name" || return 1
  echo "$line" | check || fail "$release/$name does not have the checksum in checksums.txt"
  case $name in
  *.zip) unzip -qo "$name" && dir=$dir/${name%.zip} ;;
  *) tar -xzf "$name" && dir=$dir/${name%.tar.gz} ;;
  esac
}

build() {
  command -v go >/dev/null ||
    fail "there is no release of webcap${tag:+ $tag} for this runner, and no Go to build it:" \
      "let actions/setup-go run before"
  echo "building webcap${tag:+ $tag}"
  export CGO_ENABLED=0 GOWORK=off
  if [ -n "$VERSION" ]; then
    GOBIN="$dir" go install -trimpath "github.com/webcap-tools/webcap@$VERSION"
  else
    cd "$GITHUB_ACTION_PATH/../../.."
    go build -trimpath -ldflags "-X 'github.com/webcap-tools/webcap/webcapture/command.version=$REF'" -o "$dir/" .
  fi
}

tag=${VERSION:-$REF}
release=https://github.com/webcap-tools/webcap/releases/download/$tag
[ "$tag" != latest ] || release=https://github.com/webcap-tools/webcap/releases/latest/download
dir=$RUNNER_TEMP/webcap-bin
mkdir -p "$dir"
cd "$dir"
if download; then
  echo "downloaded ${dir##*/}"
else
  build
fi
echo "$dir" >>"$GITHUB_PATH"
