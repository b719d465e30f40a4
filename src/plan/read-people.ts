/** Reads a list of users: a table with a column of addresses or IDs, or one address or ID per line. */

import { openSource } from '../bulk/input/input-copy.js';
import { firstProblems, type Problem, usageError } from '../core/errors.js';
import { type TemporaryFolder, temporaryFolder } from '../core/fs/temporary.js';
import type { In } from '../core/io.js';
import { hiddenNotes, type Reading, type Rows } from '../core/table/rows.js';
import { records } from '../core/table/text-records.js';
import type { Person } from './want.js';
import type { Pair } from './want-columns.js';

/** Columns that identify a user, in order of precedence. */
const COLUMNS = [
  { name: 'id', spellings: ['userId'] },
  { name: 'email', spellings: ['mail'] },
  { name: 'user', spellings: ['users'] },
];

const fault = (message: string, problems: readonly Problem[] = []): Error =>
  usageError(message, 'Give a CSV with a column email, user or id, or one address or ID per line.', problems);

/**
 * Reads a list of users.
 * @param from a file, a pipe, or `-` for stdin
 * @param skipsInvalid leave out invalid rows, whose problems are errors otherwise
 * @returns IDs and e-mail addresses, each once; the references of rows with more than one; the first problem of each row
 *   that is left out; and what the user should know
 * @throws EduError `usage` for an empty list, and for rows without a user
 */
export async function readPeople(
  from: string,
  stdin: In,
  signal: AbortSignal,
  reading?: Reading,
  skipsInvalid = false,
) {
  const name = from === '-' ? 'the list' : from;
  let made: TemporaryFolder | undefined;
  const folder = (): string => {
    made = temporaryFolder('files');
    return made.path;
  };
  try {
    const { input } = await openSource(from, { folder, reading }, stdin, signal);
    return await peopleIn(name, input, skipsInvalid);
  } finally {
    made?.remove();
  }
}

async function peopleIn(name: string, opened: Rows, skipsInvalid: boolean) {
  // A list of bare addresses or IDs has no header.
  const isBare = opened.format === 'csv' && opened.headerLine === undefined;
  const input: Rows = {
    ...opened,
    // The column of a JSON list of texts is edu_id; more columns appear while JSON is read.
    get columns() {
      return isBare ? ['id'] : opened.columns.map((column) => (column === 'edu_id' ? 'id' : column));
    },
  };
  const people = new Set<Person>();
  const pairs: Pair[] = [];
  const problems: Problem[] = [];
  const left = new Map<string, Problem>();
  function report(where: string, message: string, at?: string): void {
    if (!skipsInvalid || at === undefined) problems.push({ where, message });
    else if (!left.has(at)) left.set(at, { where, message });
  }
  const { rows, has } = records(input, name, COLUMNS, report);
  let hidden = 0;
  for await (const { at, values, isBad, isHidden } of rows) {
    if (isHidden) hidden++;
    if (isBad) continue;
    const [person, ...others] = COLUMNS.flatMap((column) => values[column.name] ?? []);
    for (const also of others) if (person !== undefined) pairs.push({ at, field: 'users', text: person, also });
    if (person !== undefined) people.add(person);
    else if (COLUMNS.some((column) => has(column.name))) report(at, 'has no user', at);
  }
  if (people.size === 0) problems.push(...left.values());
  if (problems.length > 0) throw fault(`Cannot read ${name} as a list of users.`, firstProblems(problems, 20));
  if (!COLUMNS.some((column) => has(column.name)))
    throw fault(`Cannot read ${name}: no column identifies users. Its columns are ${input.columns.join(', ')}.`);
  if (people.size === 0) throw fault(`Cannot use ${name}: it has no rows. An empty list removes no users.`);
  return { people: [...people], pairs, left: [...left.values()], notes: hiddenNotes(hidden) };
}
