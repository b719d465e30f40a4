/** Runs `--template`: prints the header of a CSV on stdout and the meaning of its columns on stderr. */
import type { Verb } from '../../../bulk/row-command.js';
import type { Context } from '../../../cli/context.js';
import { forPeople } from '../../../output/sanitize.js';

export async function printTemplate(verb: Verb, context: Context): Promise<void> {
  // A licence can be given by ID and by code, in columns of the same name; the template lists only one.
  const columns = verb.columns.filter(
    ({ name, unlisted }, index) => unlisted !== true && verb.columns.findIndex((one) => one.name === name) === index,
  );
  await context.io.stdout.write(`${columns.map(({ name }) => name).join(',')}\n`);
  if (context.quiet) return;
  const widest = Math.max(...columns.map(({ name }) => name.length));
  const lines = columns.map(
    ({ name, description, required }) => `  ${name.padEnd(widest)}  ${required ? 'required: ' : ''}${description}`,
  );
  const text = [
    `Columns of edu ${verb.path} --from FILE, in any order; leave out what you do not need.`,
    ...lines,
    'What is the same for every row can be a flag instead, such as --name.',
  ];
  await context.io.stderr.write(`${text.map((line) => forPeople(line)).join('\n')}\n`);
}
