#!/usr/bin/env bash
# Exports everything and compares it with the export of the night before.
#
#   nightly.sh FOLDER
#
# FOLDER/today is the new export, FOLDER/yesterday the one before, FOLDER/changes.txt their difference. Kept from run to
# run, FOLDER makes each difference that of a day. Exit code 0 when the export is complete, changed or not; else that of
# edu: 3 means that it is not complete, and running it again fetches the rest.
set -euo pipefail
folder=${1:?usage: nightly.sh FOLDER}
edu=${EDU:-edu}

mkdir -p "$folder"
# A new export is made beside the old ones, so that a night that fails leaves these as they are.
$edu export --to "$folder/next" --gzip
$edu export --verify "$folder/next" --quiet

if [ -e "$folder/today/manifest.json" ]; then
  rm -rf "$folder/yesterday"
  mv "$folder/today" "$folder/yesterday"
fi
mv "$folder/next" "$folder/today"

if [ ! -e "$folder/yesterday/manifest.json" ]; then
  echo 'This is the first export: there is nothing to compare it with.' > "$folder/changes.txt"
  exit 0
fi
status=0
$edu diff "$folder/yesterday" "$folder/today" > "$folder/changes.txt" || status=$?
# 1 means that something changed.
[ "$status" -le 1 ] || exit "$status"
