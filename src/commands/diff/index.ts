/** `edu diff`: the differences between two exports. */

import { flag, isOn } from '../../cli/command.js';
import { LOCAL_LIST } from '../../cli/traits.js';
import { EXPORTABLE } from '../../contract/index.js';
import { resourceProblems } from '../export/check-flags.js';
import { plainCommand } from '../kinds/define.js';
import { DIFFERENCE } from './diff-shape.js';

export const diffCommand = plainCommand({
  name: 'diff',
  summary: 'Compare two exports: list added, removed and changed items.',
  details:
    'The exit code is 0 if the exports are equal, 1 if they differ, 2 if they cannot be compared, and 3 if a list can be ' +
    'read in only one of them. Items of such a list are "not visible", never added or removed. A field that is missing ' +
    'from every item of one export counts as one difference. The default output is text, also in a pipe; json, ndjson, ' +
    'csv and tsv print one record per difference. To compare exports of two services, use --key natural: it matches ' +
    'licences, subscriptions and classes by code, publishers and schools by name, users by e-mail address, books and ' +
    'readers by EAN.',
  arguments: [
    { name: 'a', description: 'folder of the earlier export' },
    { name: 'b', description: 'folder of the later export' },
    {
      name: 'resource',
      description: 'resources to compare (default: all)',
      many: true,
      optional: true,
      words: EXPORTABLE,
    },
  ],
  flags: [
    flag('--key KEY', 'field that matches items (default ID)', { kind: 'choice', choices: ['id', 'natural'] }),
    flag('--summary', 'print the number of differences per resource'),
    flag('--github', 'write annotations and the step summary of a GitHub Actions job'),
    flag('--verify', 'read users that are missing from B by ID: only those that do not exist are removed'),
    flag('--force', 'compare exports of different accounts, services, languages or schemas'),
  ],
  examples: {
    'List the changes since yesterday:': 'edu diff yesterday today',
    'List changed licences as JSON:': 'edu diff yesterday today licenses --json',
    'List removed users, without those who moved while B was made:': 'edu diff yesterday today users --verify',
    'Count the changes:': 'edu diff yesterday today --summary',
  },
  shape: DIFFERENCE,
  prints: 'list',
  traits: (values) => (isOn(values, 'verify') ? [...LOCAL_LIST, 'service'] : LOCAL_LIST),
  check: resourceProblems,
  run: async (values, context) => (await import('./run-diff.js')).runDiff(values, context),
});
