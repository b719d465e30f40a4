/** What `edu export` prints. */
import { boolean, integer, list, object, text } from '../../contract/vocabulary.js';

/** What a finished export prints for each resource. */
export const SUMMARY = object(
  {
    resource: text('what was exported'),
    items: integer('number of items'),
    file: text('file in the folder', { nullable: true }),
    bytes: integer('size on disk'),
    complete: boolean('all of it is there'),
    restarts: integer('how often a list had to be started again'),
    notes: list(text('note'), 'what was left out and why'),
  },
  'resource',
);

/** What `--verify` prints for each file. */
export const VERIFIED = object(
  {
    resource: text('what the file holds'),
    file: text('file in the folder', { nullable: true }),
    items: integer('number of items'),
    problem: text('what is wrong with it', { nullable: true }),
  },
  'file',
);
