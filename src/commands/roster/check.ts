/** Runs `edu roster check`. */
import type { Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { integer, list, object, text } from '../../contract/vocabulary.js';
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
  const { format, schools, people, classes, memberships, files } = await rosterOf(values, context);
  let [teachers, withoutEmail, gone] = [0, 0, 0];
  for (const { role, email, isGone } of people.values()) {
    if (role === 'teacher') teachers++;
    if (email === undefined) withoutEmail++;
    if (isGone) gone++;
  }
  const counts = { schools: schools.size, people: people.size, teachers, withoutEmail, gone };
  const sizes = { classes: classes.size, memberships: memberships.length };
  await (await context.printer()).item({ format, ...counts, ...sizes, files }, SUMMARY);
}
