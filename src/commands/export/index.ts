/** `edu export`: writes all readable lists to files. */
import { type Command, isOn, textOf, textsOf, type Values } from '../../cli/command.js';
import { EXPORTABLE } from '../../contract/index.js';
import { SUMMARY } from './shape.js';

/** `--verify`, `--schema` and `merge` do not call the service. */
const isExport = (values: Values): boolean =>
  textOf(values, 'verify') === undefined && !isOn(values, 'schema') && textsOf(values, 'resource')[0] !== 'merge';

export const exportCommand: Command = {
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
    { name: 'resource', description: 'resources to export (default: all but activations)', many: true, optional: true },
  ],
  flags: [
    { name: 'to', value: 'DIR', kind: 'text', description: 'folder to write to; created if missing' },
    {
      name: 'format',
      value: 'FORMAT',
      kind: 'choice',
      choices: ['ndjson', 'json', 'csv'],
      description: 'file format',
      note: 'default ndjson',
    },
    { name: 'gzip', kind: 'switch', description: 'compress the files' },
    {
      name: 'with',
      value: 'WHAT',
      kind: 'choice',
      choices: ['activations'],
      many: true,
      description: 'also export the activations of each licence, with one request per licence',
    },
    {
      name: 'languages',
      value: 'all',
      kind: 'text',
      many: true,
      description: 'languages of subjects and types, such as DE,EN',
      note: 'default: --language',
    },
    { name: 'since', value: 'DIR', kind: 'text', description: 'write only changes since the export in DIR' },
    {
      name: 'baseline',
      value: 'DIR',
      kind: 'text',
      description: 'fail if a list of the export in DIR can no longer be read',
      note: 'default: the export in --to',
    },
    {
      name: 'max-removed',
      value: 'N',
      kind: 'text',
      description: 'fail if more than N items, or N%, of a resource were removed since the baseline',
    },
    { name: 'force', kind: 'switch', description: 'allow a baseline of another account, service, language or schema' },
    { name: 'strict', kind: 'switch', description: 'fail if any list cannot be read' },
    {
      name: 'strict-schema',
      kind: 'switch',
      description: 'fail if an item does not match the JSON Schema of its resource',
    },
    { name: 'shard', value: 'I/N', kind: 'text', description: 'read only the I-th of N shares of the lists' },
    {
      name: 'concurrency',
      value: 'N',
      kind: 'whole',
      minimum: 1,
      description: 'number of lists to read at the same time',
      note: 'default 4',
    },
    { name: 'fresh', kind: 'switch', description: 'start again instead of resuming an unfinished export' },
    {
      name: 'as-plan',
      kind: 'switch',
      description: 'write files for edu plan, with names, codes and e-mail addresses instead of IDs',
    },
    { name: 'verify', value: 'DIR', kind: 'text', description: 'only verify the files of the export in DIR' },
    { name: 'schema', kind: 'switch', description: 'print the JSON Schemas of the resources instead of exporting' },
  ],
  examples: [
    { description: 'Export everything:', line: 'edu export --to backup' },
    {
      description: 'Export two resources for a spreadsheet:',
      line: 'edu export licenses users --to sheets --format csv',
    },
    { description: 'Write files to edit, for edu plan:', line: 'edu export --as-plan --to want' },
    {
      description: 'Verify the files, for example after copying them:',
      line: 'edu export --to backup --gzip --quiet; edu export --verify backup',
    },
    {
      description: 'Export on two machines, then merge:',
      line: 'edu export --shard 1/2 --to a; edu export --shard 2/2 --to b; edu export merge a b --to whole',
    },
    { description: 'Print the JSON Schema of a licence:', line: 'edu export --schema licenses' },
  ],
  shape: SUMMARY,
  prints: 'list',
  // No --limit and --sort: exported lists are complete and sorted by ID.
  traits: (values) => (isExport(values) ? ['result', 'pages', 'service'] : ['result']),
  endsItself: isExport,
  run: async (values, context) => (await import('./run-export.js')).runExportCommand(exportCommand, values, context),
};
