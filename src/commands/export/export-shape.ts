/** The output of `edu export`. */
import { any, boolean, integer, list, object, text } from '../../contract/vocabulary.js';

export const SUMMARY = object(
  {
    resource: text('resource; all for a workbook'),
    items: integer('number of items', { nullable: true }),
    file: text('file in the folder', { nullable: true }),
    bytes: integer('size on disk'),
    complete: boolean('whether all items are in the file'),
    restarts: integer('number of times a list was restarted', { nullable: true }),
    notes: list(text('note'), 'skipped lists, with the reason'),
  },
  'resource',
);

/** The summary as one document. */
export const DOCUMENT = object(
  {
    folder: text('folder of the export'),
    complete: boolean('whether all items are in the files'),
    organization: any('own organization of the account'),
    organizations: any('own organization and those that it owns'),
    copy: any('copies of the data files in another format'),
    resources: any('resources as in manifest.json'),
  },
  'an export',
);

export const VERIFIED = object(
  {
    resource: text('resource in the file; all for a workbook'),
    file: text('file in the folder', { nullable: true }),
    items: integer('number of items'),
    problem: text('problem of the file', { nullable: true }),
  },
  'file',
);
