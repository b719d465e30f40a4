/** The output of `edu diff` as data. */
import { any, choice, integer, list, object, text } from '../../contract/vocabulary.js';

export const KINDS = ['added', 'removed', 'changed', 'not_visible', 'new_field', 'missing_field'] as const;

const RESOURCE = text('resource');
const CHANGE = choice(KINDS, 'kind of change');
const KEY = text('ID or natural key of the item; path of the field');

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
    note: text('number of items with a new or missing field', { nullable: true }),
  },
  'difference',
);

/** One changed field, as a row of a table. */
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

/** One resource with `--summary`. */
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
