#!/usr/bin/env bash
# Creates 500 licences and writes their codes to a file. After any interruption, run it again: there are 500 at the end.
#
#   docs/examples/create-licences.sh B1 codes.csv
#   EDU_OFFLINE=1 docs/examples/create-licences.sh B1 codes.csv     # rehearse
#
# In CI, set EDU_BASE_URL, EDU_TOKEN and EDU_CODE_SECRET: with the same secret, a runner that lost its disk derives the same
# codes again, finds the licences that it created before, and creates the rest.
set -uo pipefail

book=${1:?which book, by id or EAN}
codes=${2:?which file for the codes}
: "${EDU:=edu}" "${COUNT:=500}" "${NAME:=Autumn}"

# Exit code 7: the service could not be reached or stayed unavailable. The job has recorded what was done; the same line resumes it.
for _ in 1 2 3 4 5; do
  $EDU licenses create --count "$COUNT" --type Books --book "$book" --days 365 --maximum-activations 1 \
    --name "$NAME" --job "${NAME// /-}" --results "$codes"
  code=$?
  [ "$code" = 7 ] || break
  sleep "${PAUSE:-60}"
done

case $code in
  0) echo "$COUNT licences exist; their codes are in $codes." ;;
  3) echo "Some licences could not be created; see edu_error in $codes, then: edu jobs retry ${NAME// /-}" >&2 ;;
esac
exit "$code"
