/** `edu diff`: what is different between two exports. */
import type { Command } from '../../cli/command.js';
import { LOCAL_LIST } from '../../cli/traits.js';
import { any, choice, list, object, text } from '../../contract/vocabulary.js';
import { resourceProblems } from '../export/index.js';

/** One difference, as data formats print it. */
export const DIFFERENCE = object(
  {
    resource: text('what is different'),
    change: choice(['added', 'removed', 'changed'], 'how'),
    key: text('id or natural key'),
    fields: list(
      object({ path: text('field'), before: any('value in A'), after: any('value in B') }, 'field'),
      'the fields that changed',
    ),
    before: any('the item in A'),
    after: any('the item in B'),
  },
  'difference',
);

export const diffCommand: Command = {
  name: 'diff',
  summary: 'Compare two exports: what was added, removed and changed.',
  details:
    'Exit code 0 when they are the same, 1 when they differ, 2 or 3 when that is not known. Without --output it prints text for people, also in a ' +
    'pipe; with json, ndjson, csv or tsv one record for each difference. --key natural matches licences, subscriptions ' +
    'and classes by code, publishers and schools by name, users by e-mail address, books and readers by EAN, for ' +
    'exports of two services with ids of their own.',
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
  ],
  examples: [
    { about: 'What happened since yesterday?', line: 'edu diff yesterday today' },
    { about: 'Only licences, for a script:', line: 'edu diff yesterday today licenses --json' },
  ],
  shape: DIFFERENCE,
  prints: 'list',
  traits: LOCAL_LIST,
  check: resourceProblems,
  run: async (values, context) => (await import('./run-diff.js')).runDiff(values, context),
};
