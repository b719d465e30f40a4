/** Runs `edu roster check`. */
import type { Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { integer, list, object, text } from '../../contract/vocabulary.js';
import { scanRoster } from '../../plan/roster/read-roster.js';
import type { RosterItems } from '../../plan/roster/roster.js';
import { rosterOf } from './read.js';

const FILE = object(
  { name: text('name'), rows: integer('number of rows'), mode: text('bulk or delta') },
  'file of a roster',
);

export const SUMMARY = object(
  {
    format: text('format'),
    schools: integer('schools'),
    people: integer('people'),
    teachers: integer('teachers among them'),
    withoutEmail: integer('people without an e-mail address'),
    gone: integer('people marked for deletion or not enabled'),
    classes: integer('classes'),
    memberships: integer('memberships of classes'),
    files: list(FILE, 'files'),
  },
  'contents of a roster',
);

export async function checkRoster(values: Values, context: Context): Promise<void> {
  const counts = { schools: 0, people: 0, teachers: 0, withoutEmail: 0, gone: 0, classes: 0, memberships: 0 };
  const items: RosterItems = {
    school: () => counts.schools++,
    person({ role, email, isGone }) {
      counts.people++;
      if (role === 'teacher') counts.teachers++;
      if (email === undefined) counts.withoutEmail++;
      if (isGone) counts.gone++;
    },
    class: () => counts.classes++,
    membership: () => counts.memberships++,
  };
  const { format, files } = await rosterOf(values, context, (path, options) => scanRoster(path, options, items));
  await (await context.printer()).item({ format, ...counts, files }, SUMMARY);
}
