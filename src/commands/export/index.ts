/** `edu export`: writes all readable lists to files. */
import { type Command, flag, isOn, textOf, textsOf, type Values } from '../../cli/command.js';
import { EXPORTABLE } from '../../contract/index.js';
import { DIALECTS } from '../../output/column-types.js';
import { plainCommand } from '../kinds/define.js';
import { flagProblems } from './check-flags.js';
import { SUMMARY } from './export-shape.js';

/** `--verify`, `--schema` and `merge` do not call the service. */
const isExport = (values: Values): boolean =>
  textOf(values, 'verify') === undefined && !isOn(values, 'schema') && textsOf(values, 'resource')[0] !== 'merge';

export const exportCommand: Command = plainCommand({
  name: 'export',
  summary: 'Write all lists that you can read to files in a folder.',
  details:
    'Covers your organization and all publishers and schools that it owns. Writes one file per resource, sorted by ID, with ' +
    'the same bytes for the same data, and a manifest.json that lists the contents and the lists that you cannot read. A ' +
    'file under its final name is always complete. Exit code 3 means that some lists could not be read completely. Running ' +
    'it again within 12 hours fetches only the missing lists.\n' +
    '`edu export merge A B --to DIR` merges the shards of an export, made with --shard.\n' +
    `Resources: ${EXPORTABLE.join(', ')}; all but activations if none is named.`,
  arguments: [
    {
      name: 'resource',
      description: 'resources to export (default: all but activations)',
      many: true,
      optional: true,
      words: EXPORTABLE,
    },
  ],
  flags: [
    flag('--to DIR', 'folder to write to; created if missing', {
      needed: (values) => textOf(values, 'verify') === undefined && !isOn(values, 'schema'),
    }),
    flag('--format FORMAT', 'file format; xlsx and parquet are written beside ndjson (default ndjson)', {
      kind: 'choice',
      choices: ['ndjson', 'json', 'csv', 'xlsx', 'parquet'],
    }),
    flag('--gzip', 'compress the files'),
    flag('--with WHAT', 'also export the activations of each licence, with one request per licence', {
      kind: 'choice',
      choices: ['activations'],
      many: true,
    }),
    flag('--languages all', 'languages of subjects and types, such as DE,EN (default: --language)', { many: true }),
    flag('--since DIR', 'write only changes since the export in DIR'),
    flag('--baseline DIR', 'fail if a list of the export in DIR can no longer be read (default: the export in --to)'),
    flag('--max-removed N', 'fail if more than N items, or N%, of a resource were removed since the baseline'),
    flag('--force', 'allow a baseline of another account, organization, service, language or schema'),
    flag('--strict', 'fail if any list cannot be read'),
    flag('--strict-schema', 'fail if an item does not match the JSON Schema of its resource'),
    flag('--shard I/N', 'read only the I-th of N shares of the lists'),
    flag('--concurrency N', 'number of lists to read at the same time (default 4)', { kind: 'whole', minimum: 1 }),
    flag('--max-restarts N', 'number of times to restart a list whose cursor expires (default 6)', {
      kind: 'whole',
      minimum: 0,
    }),
    flag('--fresh', 'start again: resume no unfinished export, and compare with no earlier one in --to'),
    flag('--mode MODE', 'permissions of the files in octal, such as 640 to share them with a group (default 600)'),
    flag('--as-plan', 'write files for edu plan, with names, codes and e-mail addresses instead of IDs'),
    flag('--verify DIR', 'only verify the files of the export in DIR'),
    flag('--schema', 'print the JSON Schemas of the resources instead of exporting'),
    flag('--dialect DIALECT', 'with --schema: print CREATE TABLE statements', { kind: 'choice', choices: DIALECTS }),
  ],
  examples: {
    'Export everything:': 'edu export --to backup',
    'Export two resources for a spreadsheet:': 'edu export licenses users --to sheets --format xlsx',
    'Export one share of the licences for DuckDB, Spark or Athena:':
      'edu export licenses --shard 1/2 --to share --format parquet',
    'Write files to edit, for edu plan:': 'edu export --as-plan --to want',
    'Verify the files, for example after copying them:':
      'edu export --to backup --gzip --quiet; edu export --verify backup',
    'Export on two machines, then merge:':
      'edu export --shard 1/2 --to a; edu export --shard 2/2 --to b; edu export merge a b --to whole',
    'Print the JSON Schema of a licence:': 'edu export --schema licenses',
    'Print the statement that creates a table for licences:': 'edu export --schema licenses --dialect postgres',
  },
  shape: SUMMARY,
  prints: 'list',
  // No --limit and --sort: exported lists are complete and sorted by ID.
  traits: (values) => (isExport(values) ? ['result', 'pages', 'service'] : ['result']),
  endsItself: isExport,
  check: (values) => flagProblems(exportCommand, values),
  run: async (values, context) => (await import('./run-export.js')).runExportCommand(values, context),
});
