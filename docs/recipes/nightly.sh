#!/usr/bin/env bash
# Exports everything and compares it with the export of the night before.
#
#   nightly.sh FOLDER
#
# FOLDER/today is the new export, FOLDER/yesterday the one before, FOLDER/changes.txt their difference. Exit code 0 when
# the export is complete, changed or not; else that of edu. The same command tries again: the exports change places only
# after they have been compared.
set -euo pipefail
folder=${1:?usage: nightly.sh FOLDER}
edu=${EDU:-edu}
max_removed=${MAX_REMOVED:-20%}
# Such as --strict, after which a list that may not be read is a failure, too.
flags=${EXPORT_FLAGS:-}

# Runs an export once more after a failure that may be temporary: it keeps complete lists and fetches the others. Wrong input (2),
# a rejected token (4), a missing permission (6) and an interruption are final.
twice() {
  "$@" && return
  local code=$?
  case $code in 2 | 4 | 6 | 130 | 143) return "$code" ;; esac
  "$@"
}

mkdir -p "$folder"
cd "$folder"
# A run that was killed while the exports changed places has compared them already.
if [ ! -e today/manifest.json ] && [ -e yesterday/manifest.json ] && [ -e next/manifest.json ]; then
  rm -rf today
  mv next today
fi

if [ ! -e today/manifest.json ]; then
  twice $edu export --to next --gzip $flags
  $edu export --verify next --quiet
  echo 'This is the first export: there is nothing to compare it with.' > changes.txt
  mv next today
  exit 0
fi

# A list that could be read yesterday and cannot be read now is a fault, and so are more items gone than usual.
twice $edu export --to next --gzip $flags --baseline today --max-removed "$max_removed"
$edu export --verify next --quiet
status=0
$edu diff today next > changes.next || status=$?
# 1 means that something changed.
if [ "$status" -gt 1 ]; then exit "$status"; fi

mv changes.next changes.txt
rm -rf yesterday
mv today yesterday
mv next today
