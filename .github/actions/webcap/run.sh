#!/usr/bin/env bash
# Audits $PATHS and says in $GITHUB_OUTPUT what came of it. It fails only if there is
# nothing to say, so that steps after it get the results of bad files, too.
#
# The bash of macOS is 3.2: no mapfile, and an empty array is an unset variable.
set -euo pipefail

sarif="$RUNNER_TEMP/webcap.sarif"
results="$RUNNER_TEMP/webcap.ndjson"
summary="$RUNNER_TEMP/webcap.md"
rm -f "$sarif" "$results" "$summary"

command=(webcap audit -f table --output "$summary" --output "$sarif" --output "$results")
[ -z "$FAIL_ON" ] || command+=("--fail-on=$FAIL_ON")
[ -z "$CONFIG" ] || command+=("--config=$CONFIG")
[ -z "$BASELINE" ] || command+=("--baseline=$BASELINE")
while IFS= read -r line; do
  [ -z "$line" ] || command+=("$line")
done <<<"$ARGS"
command+=(--)
while IFS= read -r line; do
  [ -z "$line" ] || command+=("$line")
done <<<"$PATHS"

# A file may have a name that is a command to the runner.
token="webcap-$RANDOM$RANDOM$RANDOM"
echo "::stop-commands::$token"
code=0
"${command[@]}" || code=$?
echo "::$token::"
case $code in
  0) ;;
  4) echo "::notice title=webcap::nothing to audit: there is no PDF file with a content database" ;;
  *) echo "::error title=webcap::the audit ended with $code: see the log of this step" ;;
esac
echo "exit-code=$code" >>"$GITHUB_OUTPUT"
[ ! -e "$sarif" ] || echo "sarif=$sarif" >>"$GITHUB_OUTPUT"
[ ! -e "$summary" ] || head -c 1000000 "$summary" >>"$GITHUB_STEP_SUMMARY" # GitHub rejects more than 1 MiB
[ -e "$results" ] || exit 0

last=$(tail -n 1 "$results")
if [[ $last =~ '"findings":{"error":'([0-9]+)',"warning":'([0-9]+)',"note":'([0-9]+)'}' ]]; then
  echo "findings=$((BASH_REMATCH[1] + BASH_REMATCH[2] + BASH_REMATCH[3]))" >>"$GITHUB_OUTPUT"
fi
