/** The help topics, in the form of help pages (cli/help-layout.ts). */

export interface Topic {
  readonly name: string;
  readonly title: string;
  readonly page: string;
}

/** The meanings of exit codes. */
export const EXIT_MEANINGS: Readonly<Record<number, string>> = {
  0: 'done',
  1: 'the service refused the request or failed, or an internal error',
  2: 'usage: wrong or missing input, or a missing confirmation; nothing was sent',
  3: 'partly done: some rows failed, or an export is incomplete',
  4: 'not authenticated: no token, or the service no longer accepts it',
  5: 'not found',
  6: 'forbidden: logged in, but not allowed',
  7: 'the service could not be reached or stayed unavailable; safe to run again',
  10: 'there are changes (edu plan)',
  130: 'interrupted with Ctrl-C',
  143: 'terminated',
};

const environment = `A flag wins over its variable, the variable over the profile, the profile over the default. edu reads no settings from the current folder.

# Connection
EDU_PROFILE\tprofile to use (--profile)
EDU_BASE_URL\taddress of the service (--base-url)
EDU_TOKEN\taccess token; wins over a stored one and is never stored
EDU_OFFLINE=1\tuse the bundled service (--offline)
EDU_MAX_WAIT\tmaximum wait for a busy or unreachable service (--max-wait)
HTTPS_PROXY, HTTP_PROXY, NO_PROXY\tproxy for requests, and hosts without one
NODE_EXTRA_CA_CERTS\tfile with additional certificate authorities to trust

# Login
EDU_CLIENT_ID\tclient ID of the registered application
EDU_CLIENT_SECRET\tits client secret
EDU_CALLBACK_URL\tits registered callback URL
EDU_BROWSER\tprogram that opens web addresses; it gets the address as its only argument. none opens no browser

# Defaults
EDU_ORGANIZATION\tID of the organization for lists and creates (--organization)
EDU_ORGANIZATION_TYPE\tits type: School, Publisher or Distributor
EDU_LANGUAGE\tlanguage of names in results (--language)
EDU_OUTPUT\toutput format (--output)
EDU_NO_INPUT=1\tnever prompt (--no-input)
EDU_PLAIN=1\tno animation (--plain)
EDU_DEBUG=1\tlog each request to stderr (--debug)
NO_COLOR, FORCE_COLOR, TERM=dumb\tcolours off or on

# Bulk
EDU_CODE_SECRET\tsecret from which licence codes are derived; set it in CI

# Folders
EDU_CONFIG_DIR\tsettings and credentials
EDU_STATE_DIR\tbulk jobs and the data of the bundled service
`;

const formatting = `The result goes to stdout; progress, questions, warnings and errors go to stderr.

# Formats
table\taligned columns; the default on a terminal
tsv\tone record per line, no header unless --header; tabs and line breaks are written as \\t and \\n; the default in a pipe
json\tone document: an array for a list, otherwise an object; --json for short
ndjson\tone JSON object per line, written as pages arrive
csv\twith a header unless --no-header; nested fields as a.b, lists joined by semicolons; --excel for files that Excel opens correctly
ids\tone ID per line, for xargs
yaml\tone document, like json
markdown\ta table for wikis, issues and pull requests

Select fields with --fields, in any format:

  $ edu licenses list --fields code,organization.id -o csv

Filter and transform with --query (JMESPath):

  $ edu licenses list --query "[?type=='Teacher'].code"

Lists are printed as pages arrive, with two exceptions: --sort reads the whole list first, and so do queries that need all items, such as length(@) and sort_by(@, &name). Queries of the forms [?…], [].name and [?…].{…} print as pages arrive.
`;

const exitCodes = `# Codes
${Object.entries(EXIT_MEANINGS)
  .map(([code, meaning]) => `${code}\t${meaning}\n`)
  .join('')}
With json or ndjson output, an error is one JSON object on stderr, {"error": {…}}, with the keys kind, message, status, method, path, hint and details.

# Values of kind
refused\texit code 1: the service rejected the request
conflict\t1: it exists already (409)
server_error\t1: the service failed (5xx)
invalid_response\t1: the response could not be read
outcome_unknown\t1: the request was sent, and whether it was carried out is unknown
internal\t1: a bug in edu
usage\t2
partial\t3
unauthenticated\t4
not_found\t5
forbidden\t6
unreachable\t7: no connection
unavailable\t7: the service was busy for too long (429, 503)
interrupted\t130
terminated\t143

  $ edu licenses get code:nosuchcode --json; echo $?
`;

const bulk = `Every command that writes runs once for each row of a file with --from. Some create many of one kind with --count:

  $ edu licenses create --from autumn.csv --results results.csv
  $ edu licenses create --count 500 --type Books --book B1 --days 365 --maximum-activations 1 --name "Autumn"

The file is CSV, TSV, an Excel workbook (.xlsx), NDJSON or a JSON array; - reads stdin. Its columns are the flags and arguments of the command; --template prints them. For other column names and date formats:

  $ edu licenses create --from export.xlsx --type Books --ignore Notiz --map 'Gültig bis=until' --date-format dd.MM.yyyy

A flag on the line applies to every row that does not set it. Users can be given by e-mail address, licences by code, books by EAN, subjects, roles and schools by name.

For update, assign, cancel and delete, the file can also be a --results file of an earlier job, or plain IDs:

  $ edu licenses delete --from results.csv
  $ edu licenses list -o ids | edu licenses cancel --from - --yes

All rows are checked before the first request. --dry-run also looks up what exists and shows every request.

Running the same line again is always safe: it continues where the last run stopped, and creates nothing twice. Rows are compared by their values, not by file name or order: after a file grew or was sorted, only the missing rows are created. --batch NAME creates the same rows once more.

# Jobs
edu jobs list\tlist the bulk jobs on this machine
edu jobs show JOB --failed\tlist the failed rows of a job with their errors
edu jobs show JOB --results codes.csv\twrite IDs and codes of all rows
edu jobs resume JOB\tresume an unfinished job
edu jobs retry JOB\tretry failed rows
edu jobs undo JOB\tdelete the licences or classes that the job created

# Flags
--results FILE\twrite the outcome of each row, in the order of the input
--failed FILE\twrite failed rows to FILE for correction; give it to --from afterwards
--skip-invalid\tsend the valid rows of a file with invalid ones
--max-errors N\tstop after N failed rows, or N% of all; none never stops. Default: stop when the first 20 rows are all rejected with the same error
--limit N\tsend only the next N rows; the same line without it sends the rest
--shard 2/8\tsend the second of eight equal parts of the rows, for CI matrices

Set EDU_CODE_SECRET in CI: licence codes are then the same on every machine, so that no run creates a licence twice.

Exit codes: 0 all rows done, 2 invalid input and nothing sent, 3 some rows failed, 7 service unavailable. After 7 and after Ctrl-C, run the same line again.

To rehearse a job, set EDU_OFFLINE=1: see \`edu help offline\`.
`;

const offline = `--offline (or EDU_OFFLINE=1) sends every request to a complete implementation of the service inside this program: no network, no login. It keeps its data between commands, so that a script can be rehearsed from beginning to end.

  $ edu --offline licenses list
  $ edu --offline --as school users list

You act as a distributor, or as --as publisher, school or viewer.

# Commands
edu offline info\tshow where the data is and what it holds
edu offline reset\treset to the sample data
edu offline reset --seed empty\treset to an empty service
edu offline serve\tserve over HTTP on this machine

The data is stored in EDU_STATE_DIR.
`;

export const TOPICS: readonly Topic[] = [
  { name: 'environment', title: 'Environment variables', page: environment },
  { name: 'formatting', title: 'Output formats', page: formatting },
  { name: 'exit-codes', title: 'Exit codes', page: exitCodes },
  { name: 'bulk', title: 'Many licences, users or classes at once', page: bulk },
  { name: 'offline', title: 'The bundled service', page: offline },
];

export const topicPage = ({ title, page }: Topic): string => `# ${title}\n\n${page}`;
