/** `edu diff`: what is different between two exports. */

import type { Command } from '../../cli/command.js';
import { LOCAL_LIST } from '../../cli/traits.js';
import { any, choice, integer, list, object, text } from '../../contract/vocabulary.js';
import { resourceProblems } from '../export/index.js';

const RESOURCE = text('resource');
const CHANGE = choice(['added', 'removed', 'changed', 'not_visible', 'new_field', 'missing_field'], 'kind of change');
const KEY = text('id or natural key of the item; path of the field');

/** One difference, as data formats print it. */
export const DIFFERENCE = object(
  {
    resource: RESOURCE,
    change: CHANGE,
    key: KEY,
    fields: list(
      object({ path: text('field'), before: any('value in A'), after: any('value in B') }, 'field'),
      'the fields that changed',
    ),
    before: any('the item in A'),
    after: any('the item in B'),
    note: text('how many items have a new or missing field', { nullable: true }),
  },
  'difference',
);

/** A field that changed, as a row of a table. */
export const DIFFERENCE_ROW = object(
  {
    resource: RESOURCE,
    change: CHANGE,
    key: KEY,
    name: text('name of the item'),
    field: text('field that changed', { nullable: true }),
    before: text('value in A', { nullable: true }),
    after: text('value in B', { nullable: true }),
  },
  'difference',
);

/** What `--summary` prints for each resource. */
export const DIFFERENCE_COUNTS = object(
  {
    resource: RESOURCE,
    added: integer('items only in B'),
    removed: integer('items only in A'),
    changed: integer('items that changed'),
    not_visible: integer('items of lists that only one of the two could read'),
    new_field: integer('fields that no item of A has'),
    missing_field: integer('fields that no item of B has'),
  },
  'resource',
);

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
