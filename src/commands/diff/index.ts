/** `edu diff`: what is different between two exports. */

import type { Command } from '../../cli/command.js';
import { LOCAL_LIST } from '../../cli/traits.js';
import { resourceProblems } from '../export/resource-words.js';
import { DIFFERENCE } from './shape.js';

export const diffCommand: Command = {
  name: 'diff',
  summary: 'Compare two exports: what was added, removed and changed.',
  details:
    'Exit code 0 when they are the same, 1 when they differ, 3 when one of them could not see everything that the ' +
    'other holds, 2 when they cannot be compared. Items of a list that only one export could read are "not visible", ' +
    'never added or removed. A field that no item of one export has is one difference, not one for each item. Without ' +
    '--output it prints text, also in a pipe; with json, ndjson, csv or tsv one record for each difference. --key ' +
    'natural matches licences, subscriptions and classes by code, publishers and schools by name, users by e-mail ' +
    'address, books and readers by EAN, for exports of two services with ids of their own.',
  arguments: [
    { name: 'a', about: 'folder of the earlier export' },
    { name: 'b', about: 'folder of the later export' },
    { name: 'resource', about: 'what to compare; everything if left out', many: true, optional: true },
  ],
  flags: [
    {
      name: 'key',
      value: 'KEY',
      kind: 'choice',
      choices: ['id', 'natural'],
      about: 'how items are matched',
      note: 'default id',
    },
    { name: 'summary', kind: 'switch', about: 'print the number of differences of each resource' },
    { name: 'github', kind: 'switch', about: 'write annotations and the step summary of a GitHub Actions job' },
    { name: 'force', kind: 'switch', about: 'compare exports of different accounts, services, languages or schemas' },
  ],
  examples: [
    { about: 'What happened since yesterday?', line: 'edu diff yesterday today' },
    { about: 'Only licences, for a script:', line: 'edu diff yesterday today licenses --json' },
    { about: 'How much changed?', line: 'edu diff yesterday today --summary' },
  ],
  shape: DIFFERENCE,
  prints: 'list',
  traits: LOCAL_LIST,
  check: resourceProblems,
  run: async (values, context) => (await import('./run-diff.js')).runDiff(values, context),
};
