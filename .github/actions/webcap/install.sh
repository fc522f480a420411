#!/usr/bin/env bash
# Builds webcap and puts it into PATH for the steps that follow: version $VERSION, or
# without one what this action came with, which calls itself $REF.
set -euo pipefail

if ! command -v go >/dev/null; then
  echo "::error title=webcap::there is no Go on this runner: let actions/setup-go run before"
  exit 1
fi
bin="$RUNNER_TEMP/webcap-bin"
mkdir -p "$bin"
export CGO_ENABLED=0 GOWORK=off
if [ -n "$VERSION" ]; then
  GOBIN="$bin" go install -trimpath "github.com/webcap-tools/webcap@$VERSION"
else
  cd "$GITHUB_ACTION_PATH/../../.."
  go build -trimpath -ldflags "-X 'github.com/webcap-tools/webcap/webcapture/command.version=$REF'" -o "$bin/" .
fi
echo "$bin" >>"$GITHUB_PATH"
