/** `edu help TOPIC`: what holds for many commands. */
import { type Command, type Commands, isGroup, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { findCommand, findEntry } from '../../cli/find-command.js';
import { shown } from '../../cli/read-value.js';
import { usageError } from '../../core/errors.js';
import { didYouMean } from '../../core/suggest.js';

export interface Topic {
  readonly name: string;
  readonly text: string;
}

const environment = `Environment variables

What a flag says wins over the environment, the environment over the profile,
the profile over the default. Nothing is read from the current folder.

Connection
  EDU_PROFILE            profile to use (--profile)
  EDU_BASE_URL           address of the service (--base-url)
  EDU_TOKEN              access token; wins over a stored one, is never stored
  EDU_OFFLINE=1          use the bundled service (--offline)
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY
                         proxy for the network
  NODE_EXTRA_CA_CERTS    file with certificates to trust besides the usual ones

Login
  EDU_CLIENT_ID          client id of the registered application
  EDU_CLIENT_SECRET      its secret
  EDU_CALLBACK_URL       its callback URL
  EDU_BROWSER            program that opens addresses, given the address as its
                         only argument; none opens nothing

Defaults
  EDU_ORGANIZATION       organization that lists and creates are about
  EDU_ORGANIZATION_TYPE  its type: School, Publisher or Distributor
  EDU_LANGUAGE           language of names in answers (--language)
  EDU_OUTPUT             output format (--output)
  EDU_NO_INPUT=1         never ask (--no-input)
  EDU_PLAIN=1            no animation (--plain)
  EDU_DEBUG=1            show each request on stderr (--debug)
  NO_COLOR, FORCE_COLOR, TERM=dumb
                         colours off or on

Bulk
  EDU_CODE_SECRET        secret that licence codes are made from; set it in CI

Folders
  EDU_CONFIG_DIR         settings and credentials
  EDU_STATE_DIR          data of the bundled service, jobs
`;

const formatting = `Output formats

The result goes to stdout, everything else to stderr.

  table    for people; what a terminal gets
  tsv      one record a line, no header unless --header; tabs and line breaks
           written as \\t and \\n; what a pipe gets
  json     one document: an array for a list, an object otherwise; --json
  ndjson   one object a line, written as pages arrive
  csv      with a header unless --no-header; nested fields as a.b, lists joined
           by semicolons; --excel makes it open in Excel as it is
  ids      one id a line, for xargs
  yaml     one document, like json
  markdown a table for wikis, issues and pull requests

Pick fields with --fields, in any format:

  $ edu licenses list --fields code,organization.id -o csv

Ask questions with --query (JMESPath):

  $ edu licenses list --query "[?numberOfActivations==maximumActivations].code"

Everything prints while it reads, but for --sort, which keeps a long list on
disk, and queries that do not work on each item: [?…], [].name and [?…].{…} do;
length(@) and sort_by(@, &name) keep the whole list in memory.
`;

const exitCodes = `Exit codes

  0    done
  1    the service refused or failed, or its answer makes no sense
  2    usage: a wrong flag or value, missing input, an unconfirmed deletion;
       nothing was sent
  3    partly done
  4    not authenticated: no token, or the service no longer accepts it
  5    not found
  6    forbidden: logged in, but not allowed
  7    the service could not be reached, or kept saying "later"; safe to run
       again
  130  interrupted by Ctrl-C
  143  terminated

With json or ndjson output, the error is one JSON object on stderr:

  {"error":{"kind","message","status","method","path","hint","details"}}

Its kind tells apart what shares an exit code:

  1  refused, conflict (409), server_error (5xx), invalid_response,
     outcome_unknown, internal
  2  usage            5  not_found
  3  partial          6  forbidden
  4  unauthenticated  7  unreachable, unavailable (429, 503)
  130  interrupted    143  terminated

  $ edu licenses get code:nosuchcode --json; echo $?
`;

const bulk = `Many licences, users, classes at once

Every command that writes is done for each row of a file with --from, or as
often as --count says:

  $ edu licenses create --from autumn.csv --results results.csv
  $ edu licenses create --count 500 --type Books --book B1 --days 365 \\
      --maximum-activations 1 --name "Autumn"

The file is CSV, TSV, an Excel workbook (.xlsx; --sheet NAME), NDJSON or a JSON
array; - is stdin. Columns of other names, and dates of another form:

  $ edu licenses create --from export.xlsx --type Books --ignore Notiz \\
      --map 'Gültig bis=until' --date-format dd.MM.yyyy

Its columns are the command's flags and arguments; --template prints them. What is the same for
every row can be a flag. Users may be given by e-mail address, licences by code,
books by EAN, subjects, roles and schools by name.

A file of --results names the things for update, assign, cancel and delete, and
bare ids do:

  $ edu licenses delete --from results.csv
  $ edu licenses list -o ids | edu licenses cancel --from - --yes

All rows are checked before anything is sent; --dry-run also looks up what
exists and shows every request.

It is safe to run the same line again, whatever ended it: it goes on where it
was, and creates nothing twice. What counts is what a row says, not the file
it stands in: a file that grew or was sorted creates only what is missing.
--batch NAME creates the same again.

  $ edu jobs list            jobs of this machine
  $ edu jobs show JOB --failed   its rows that failed, and why
  $ edu jobs show JOB --results codes.csv   ids and codes of all its rows
  $ edu jobs resume JOB      go on
  $ edu jobs retry JOB       try rows again that failed
  $ edu jobs undo JOB        delete the licences or classes that it made

--results FILE   what came of each row, in the order of the input
--limit N        only the next N rows; the same line without it goes on with
                 the rest
--failed FILE    the rows that failed, to be corrected and given to --from again
--shard 2/8      every eighth row, beginning with the second, for CI matrices
EDU_CODE_SECRET  makes licence codes the same on a machine that lost its disk

Exit codes: 0 all done, 2 wrong input and nothing sent, 3 some rows failed,
7 given up for now. The same line goes on after 7 and after Ctrl-C.

Rehearse on the bundled service: EDU_OFFLINE=1, see edu help offline.
`;

const offline = `The bundled service

--offline (or EDU_OFFLINE=1) sends every request to an implementation of the
whole service inside this program: no network, no login. It keeps its state
between commands, so that a script can be rehearsed from beginning to end.

  $ edu --offline licenses list
  $ edu --offline --as school users list

You are a distributor unless --as says publisher, school or viewer.

  $ edu offline info               where the data is and what it holds
  $ edu offline reset              start afresh with the sample data
  $ edu offline reset --seed empty start afresh without it
  $ edu offline serve              answer over HTTP on this machine

The data is in EDU_STATE_DIR.
`;

export const TOPICS: readonly Topic[] = [
  { name: 'environment', text: environment },
  { name: 'formatting', text: formatting },
  { name: 'exit-codes', text: exitCodes },
  { name: 'bulk', text: bulk },
  { name: 'offline', text: offline },
];

/** The help page for words such as `licenses create` or `formatting`. @throws EduError `usage` when there is none */
async function pageFor(words: readonly string[], commands: Commands): Promise<string> {
  const { commandPage, groupPage, mainPage } = await import('../../cli/help.js');
  const [first, second] = words;
  if (first === undefined) return mainPage(commands);
  const topic = TOPICS.find(({ name }) => name === first);
  const entry = findEntry(commands, first);
  // `offline` is a topic and a group; the group's page names the topic's commands.
  if (topic !== undefined && second === undefined) return topic.text;
  if (entry === undefined) {
    const known = [...TOPICS.map(({ name }) => name), ...commands.map(({ name }) => name)];
    const hint = didYouMean(first, known) ?? `The topics are ${TOPICS.map(({ name }) => name).join(', ')}.`;
    throw usageError(`There is no help on ${shown(first)}.`, hint);
  }
  const loaded = await entry.load();
  if (!isGroup(loaded)) return commandPage(loaded, entry.name);
  if (second === undefined) return groupPage(loaded, entry);
  const command = findCommand(loaded, second);
  if (command !== undefined) return commandPage(command, `${entry.name} ${command.name}`);
  const hint =
    didYouMean(
      second,
      loaded.commands.map(({ name }) => name),
    ) ?? `See: edu ${entry.name} --help`;
  throw usageError(`There is no command "edu ${entry.name} ${second}".`, hint);
}

export const help: Command = {
  name: 'help',
  summary: 'Show help for a command or a topic.',
  details: `Topics: ${TOPICS.map(({ name }) => name).join(', ')}.`,
  arguments: [{ name: 'topic', about: 'a topic, or the words of a command', many: true, optional: true }],
  examples: [
    { about: 'How a command works:', line: 'edu help licenses create' },
    { about: 'Which output formats there are:', line: 'edu help formatting' },
  ],
  prints: 'nothing',
  traits: [],
  run: async (values: Values, context: Context, commands: Commands) => {
    await context.io.stdout.write(await pageFor(textsOf(values, 'topic'), commands));
  },
};
