#!/usr/bin/env bash
# Audits $PATHS and says in $GITHUB_OUTPUT what came of it. It fails only if there is
# nothing to say, so that steps after it get the results of bad files, too.
#
# The bash of macOS is 3.2: no mapfile, and an empty array is an unset variable.
set -euo pipefail

sarif="$RUNNER_TEMP/webcap.sarif"
results="$RUNNER_TEMP/webcap.ndjson"
rm -f "$sarif" "$results"

command=(webcap audit -f github --output "sarif:$sarif" --output "ndjson:$results")
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

code=0
"${command[@]}" || code=$?
[ $code != 4 ] || echo "::notice title=webcap::nothing to audit: there is no PDF file with a content database"
echo "exit-code=$code" >>"$GITHUB_OUTPUT"
[ ! -e "$sarif" ] || echo "sarif=$sarif" >>"$GITHUB_OUTPUT"
[ -e "$results" ] || exit 0

summary=$(tail -n 1 "$results")
if [[ $summary =~ '"findings":{"error":'([0-9]+)',"warning":'([0-9]+)',"note":'([0-9]+)'}' ]]; then
  echo "findings=$((BASH_REMATCH[1] + BASH_REMATCH[2] + BASH_REMATCH[3]))" >>"$GITHUB_OUTPUT"
fi
