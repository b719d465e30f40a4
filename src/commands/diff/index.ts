/** `edu diff`: the differences between two exports. */

import type { Command } from '../../cli/command.js';
import { LOCAL_LIST } from '../../cli/traits.js';
import { resourceProblems } from '../export/resource-words.js';
import { DIFFERENCE } from './shape.js';

export const diffCommand: Command = {
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
    { name: 'resource', description: 'resources to compare (default: all)', many: true, optional: true },
  ],
  flags: [
    {
      name: 'key',
      value: 'KEY',
      kind: 'choice',
      choices: ['id', 'natural'],
      description: 'field that matches items',
      note: 'default ID',
    },
    { name: 'summary', kind: 'switch', description: 'print the number of differences per resource' },
    { name: 'github', kind: 'switch', description: 'write annotations and the step summary of a GitHub Actions job' },
    {
      name: 'force',
      kind: 'switch',
      description: 'compare exports of different accounts, services, languages or schemas',
    },
  ],
  examples: [
    { description: 'List the changes since yesterday:', line: 'edu diff yesterday today' },
    { description: 'List changed licences as JSON:', line: 'edu diff yesterday today licenses --json' },
    { description: 'Count the changes:', line: 'edu diff yesterday today --summary' },
  ],
  shape: DIFFERENCE,
  prints: 'list',
  traits: LOCAL_LIST,
  check: resourceProblems,
  run: async (values, context) => (await import('./run-diff.js')).runDiff(values, context),
};
