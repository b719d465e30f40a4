#!/usr/bin/env bash
# Calls the whole API with curl, as the distributor of the sample data: every endpoint once, the login, the control route.
#
#   edu offline serve --memory &
#   docs/examples/walk-the-api.sh
#
# Needs bash, curl and node. Another base URL, port or token: EDU_BASE_URL, EDU_TOKEN. It creates and changes items: use
# disposable data. Ends with exit code 1 at the first unexpected response.
set -euo pipefail

base=${EDU_BASE_URL:-http://127.0.0.1:4010}
token=${EDU_TOKEN:-edu-offline-distributor}
client_id=${EDU_CLIENT_ID:-edu-offline}
client_secret=${EDU_CLIENT_SECRET:-'practice+secret&100%=safe'}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
answer=$work/answer

# call STATUS METHOD PATH [curl's own arguments]: sends a request, shows it, and checks the status of the answer.
call() {
  local expected=$1 method=$2 path=$3 status
  shift 3
  status=$(curl --noproxy '*' --silent --show-error --output "$answer" --write-out '%{http_code}' --request "$method" \
    --header "Authorization: Bearer $token" "$@" "$base$path")
  printf '%-6s %-60s %s\n' "$method" "$path" "$status"
  [ "$status" = "$expected" ] || { echo "expected $expected, got:" >&2; cat "$answer" >&2; exit 1; }
}

# The same with a JSON body.
send() {
  local expected=$1 method=$2 path=$3 body=$4
  call "$expected" "$method" "$path" --header 'Content-Type: application/json' --data "$body"
}

# Waits for a service that is still starting.
curl --noproxy '*' --silent --show-error --output /dev/null --retry 20 --retry-delay 1 --retry-connrefused "$base/_health"

# field PATH: a value of the last answer, such as .id or .subjects[0].id
field() { node --print "JSON.parse(require('node:fs').readFileSync('$answer', 'utf8'))$1"; }

# The same, made fit to stand in an address.
encoded_field() { node --print "encodeURIComponent(JSON.parse(require('node:fs').readFileSync('$answer', 'utf8'))$1)"; }

stamp=$(date +%s)$RANDOM
printf '%%PDF-1.4\nA small PDF.\n%%%%EOF\n' > "$work/sample.pdf"

echo '# Who am I?'
call 200 GET /v1/account
me=$(field .id)
call 200 GET "/v1/users/$me"
org=$(field .organization.id)
type=$(field .organization.type)
mine="organization=$org&type=$type"

echo '# Books'
call 200 GET '/v1/books/subjects?language=EN'
subject=$(field '.subjects[0].id')
call 200 GET '/v1/books/types?language=RU'
call 200 GET "/v1/books?$mine&language=EN&limit=2"
cursor=$(encoded_field .paging.nextCursor)
call 200 GET "/v1/books?$mine&language=EN&limit=2&cursor=$cursor"
call 200 POST '/v1/books?language=EN' --form ean=9783100099990 --form "title=Walk $stamp" --form year=2026 \
  --form "subject=$subject" --form type=Coursebook --form language=EN --form settings.indexPageNumber=3 \
  --form "pdfFile=@$work/sample.pdf;type=application/pdf"
book=$(field .id)
call 200 GET "/v1/books/$book?language=DE"
call 200 GET "/v1/books/$book/editor?language=EN"
send 200 PUT "/v1/books/$book?language=EN" \
  "{\"ean\":\"9783100099990\",\"title\":\"Walk on\",\"year\":2027,\"subject\":\"$subject\",\"type\":\"Guide\",\"language\":\"EN\"}"

echo '# Files and readers'
call 200 POST /v1/files --form fileType=Document --form "file=@$work/sample.pdf;type=application/pdf"
file=$(field .id)
url=$(field .url)
call 200 GET "${url#"$base"}"
cmp --silent "$answer" "$work/sample.pdf" || { echo 'the file came back changed' >&2; exit 1; }
call 200 POST '/v1/readers?language=EN' --form 'title=Worksheets' --form "subject=$subject" --form language=EN \
  --form "pdfFile=@$work/sample.pdf;type=application/pdf"
reader=$(field .id)
send 200 PUT '/v1/readers?language=EN' \
  "{\"title\":\"From a file\",\"subject\":\"$subject\",\"fileId\":\"$file\",\"language\":\"EN\"}"
send 200 PUT "/v1/readers/$reader?language=EN" "{\"title\":\"Worksheets 2\",\"subject\":\"$subject\",\"language\":\"EN\"}"
call 200 GET "/v1/readers/$reader?language=FR"
call 200 GET "/v1/readers/$reader/editor?language=EN"
call 200 GET '/v1/readers?language=EN&limit=5'

echo '# Organizations and roles'
send 200 POST /v1/publishers "{\"name\":\"Publisher $stamp\"}"
publisher=$(field .id)
send 200 PUT "/v1/publishers/$publisher" "{\"name\":\"Publisher $stamp B\"}"
call 200 GET "/v1/publishers/$publisher"
call 200 GET /v1/publishers
send 200 POST /v1/schools "{\"name\":\"School $stamp\",\"country\":\"DE\",\"city\":\"Köln\"}"
school=$(field .id)
send 200 PUT "/v1/schools/$school" "{\"name\":\"School $stamp B\",\"country\":\"FR\",\"city\":\"Besançon\"}"
call 200 GET "/v1/schools/$school"
call 200 GET /v1/schools
call 200 GET "/v1/roles?organization=$school&type=School"
role=$(field '.roles[0].id')

echo '# Users'
send 200 POST /v1/users "{\"firstName\":\"Ada\",\"lastName\":\"Łukasz\",\"email\":\"ada.$stamp@example.org\",
  \"language\":\"EN\",\"organization\":{\"id\":\"$school\",\"type\":\"School\"},\"roles\":[\"$role\"]}"
user=$(field .id)
send 200 PUT "/v1/users/$user" "{\"firstName\":\"Ada\",\"lastName\":\"King\",
  \"organization\":{\"id\":\"$school\",\"type\":\"School\"},\"roles\":[]}"
call 200 GET "/v1/users/userId/ada.$stamp%40example.org"
call 200 GET "/v1/users?organization=$school&type=School"
call 200 GET '/v1/users/checkModified'
call 200 GET "/v1/users/$user/modifications?dateToCheck=$(date -u +%F)"
call 200 GET "/v1/users/$user/lastlogin"
send 200 POST /v1/users/enduser \
  "{\"firstName\":\"Eve\",\"lastName\":\"Ending\",\"email\":\"eve.$stamp@example.org\",\"language\":\"NL\"}"
end_user=$(field .id)
send 200 PUT "/v1/users/enduser/$end_user" '{"firstName":"Eve","lastName":"Ended"}'

echo '# Classes'
send 200 POST /v1/classes "{\"subjectId\":\"$subject\",\"schoolId\":\"$school\",\"name\":\"7b\"}"
class=$(field .classId)
send 200 PUT "/v1/classes/$class" "{\"subjectId\":\"$subject\",\"name\":\"8b\"}"
send 200 PUT /v1/assignClass/assignClassToUser "{\"userId\":\"$user\",\"classId\":\"$class\"}"
call 200 GET "/v1/classes/$class"
call 200 GET "/v1/classes/classesForUser/$user"
call 200 GET "/v1/schools/$school/classes"
send 200 PUT /v1/unAssignClass/unAssignClassFromUser "{\"userId\":\"$user\",\"classId\":\"$class\"}"
call 200 PUT "/v1/classes/delete/$class"

echo '# Licences'
send 200 POST /v1/licenses "{\"name\":\"Walk\",\"maximumActivations\":5,\"type\":\"Books\",\"books\":[\"$book\"],
  \"expiration\":{\"type\":\"Days\",\"days\":365}}"
licence=$(field .id)
code=$(field .code)
call 200 GET "/v1/licenses/$licence"
call 200 GET "/v1/licenses/code/$code"
call 200 GET "/v1/books/$book/licenses"
call 200 GET '/v1/licenses?type=BOOKS&limit=100'
call 403 GET "/v1/licenses/$licence/activations" # nobody has activated it
send 200 PUT /v1/licenses/assignLicense "{\"userId\":\"$user\",\"licenseId\":\"$licence\"}"
call 200 GET "/v1/licenses/$licence/activations"
send 200 PUT "/v1/licenses/$licence" "{\"name\":\"Walk on\",\"maximumActivations\":6,\"type\":\"Books\",
  \"books\":[\"$book\"],\"expiration\":{\"type\":\"Date\",\"date\":\"2099-12-31\"}}"
call 200 PUT "/v1/licenses/$licence/cancel"
call 400 DELETE "/v1/licenses/$licence" # it has an activation
send 200 POST /v1/licenses '{"name":"Short","maximumActivations":1,"type":"Teacher"}'
call 204 DELETE "/v1/licenses/$(field .id)"

echo '# Subscriptions'
send 200 POST /v1/subscriptions '{"maximumActivations":10,"expirationDate":"2099-12-31"}'
subscription=$(field .id)
send 200 PUT "/v1/subscriptions/$subscription" '{"maximumActivations":20}'
call 200 GET "/v1/subscriptions/$subscription"
call 200 GET '/v1/subscriptions?limit=5'
send 200 PUT /v1/subscriptions/assignSubscription "{\"userId\":\"$user\",\"subscriptionId\":\"$subscription\"}"
call 200 PUT "/v1/users/$user/anonymize"

echo '# What is refused'
call 404 GET /v1/licenses/nothing
call 400 GET "/v1/books?$mine&language=XX"
call 400 POST /v1/licenses --header 'Content-Type: application/json' --data '{'
(token=wrong; call 401 GET /v1/account)

echo '# Login: the consent page, the code that it sends, the token for the code'
login() { curl --noproxy '*' --silent --show-error "$@"; }
login --get --data-urlencode "client_id=$client_id" --data-urlencode state=walk-1 "$base/login/oauth/authorize" > "$work/page"
consent=$(sed -n 's/.*name="consent" value="\([^"]*\)".*/\1/p' "$work/page")
location=$(login --output /dev/null --write-out '%{redirect_url}' --data-urlencode "consent=$consent" \
  --data persona=school --data decision=allow "$base/login/oauth/authorize")
echo "       to ${location%%\?*}"
code=$(sed -n 's/.*[?&]code=\([^&]*\).*/\1/p' <<< "$location")
login --output "$answer" --data-urlencode "client_id=$client_id" --data-urlencode "client_secret=$client_secret" \
  --data-urlencode "code=$code" --data-urlencode state=walk-1 "$base/login/oauth/access_token"
(token=$(field .access_token); call 200 GET /v1/account)

if [ -z "${EDU_NO_CONTROL:-}" ]; then
  echo '# Rehearsal: two refusals, a dead cursor, two days later'
  control=(--header 'X-Edu-Control: 1')
  call 200 GET /_control "${control[@]}"
  call 200 POST /_control/faults "${control[@]}" --data '["GET /v1/account 503 retry-after=1 times=2", "dead-cursor times=1"]'
  call 503 GET /v1/account
  call 503 GET /v1/account
  call 200 GET /v1/account
  call 200 GET '/v1/licenses?type=BOOKS&limit=2'
  cursor=$(encoded_field .paging.nextCursor)
  call 400 GET "/v1/licenses?type=BOOKS&limit=2&cursor=$cursor"
  call 200 GET "/v1/books/$book/editor?language=EN"
  editor=$(field .url)
  call 200 POST /_control/clock "${control[@]}" --data '{"advance":"2d"}'
  call 403 GET "${editor#"$base"}"
  call 200 DELETE /_control/clock "${control[@]}"
  call 200 DELETE /_control/faults "${control[@]}"
  call 200 GET /_control/requests "${control[@]}"
  echo "       $(field .requests.length) requests so far"
fi
echo 'Walked.'
