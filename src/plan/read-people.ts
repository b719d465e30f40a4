/** Reads a list of users: a CSV with a column of addresses or IDs, NDJSON, or one address or ID per line. */
import { openFile, openInput } from '../bulk/input/open.js';
import { placeOf } from '../bulk/input/rows.js';
import { firstProblems, type Problem, usageError } from '../core/errors.js';
import type { Person } from './want.js';

/** Columns that identify a user, in order of precedence. */
const COLUMNS = ['id', 'userid', 'email', 'user', 'mail', 'users'];

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

const fault = (message: string, problems: readonly Problem[] = []): Error =>
  usageError(message, 'Give a CSV with a column email, user or id, or one address or ID per line.', problems);

/** Indices of the columns that identify a user. @throws EduError `usage` if there are none */
function columnsIn(names: readonly string[], file: string): readonly number[] {
  const found = COLUMNS.flatMap((column) => names.flatMap((name, index) => (plain(name) === column ? [index] : [])));
  if (found.length > 0) return found;
  throw fault(`Cannot read ${file}: no column identifies users. Its columns are ${names.join(', ')}.`);
}

/**
 * Reads a list of users.
 * @param file `-` for stdin
 * @returns IDs and e-mail addresses, each once
 * @throws EduError `usage` for an empty list, and for rows without a user
 */
export async function readPeople(file: string, stdin: AsyncIterable<Uint8Array>): Promise<readonly Person[]> {
  const name = file === '-' ? 'the list' : file;
  const input = await (file === '-' ? openInput(stdin, { name: file }) : openFile(file, { name: file }));
  const people = new Set<string>();
  const problems: Problem[] = [];
  const isCsv = input.format === 'csv';
  const isBare = isCsv && input.headerLine === undefined;
  const known = isCsv && !isBare ? columnsIn(input.columns, name) : undefined;
  for await (const batch of input.batches) {
    for (const problem of batch.problems) problems.push({ where: placeOf(problem), message: problem.message });
    for (const { line, cells } of batch.rows) {
      const columns = isBare ? [0] : (known ?? columnsIn(input.columns, name));
      const text = columns.map((index) => String(cells[index] ?? '').trim()).find((one) => one !== '');
      if (text === undefined) problems.push({ where: `line ${line}`, message: 'has no user' });
      else people.add(text);
    }
  }
  if (problems.length > 0) throw fault(`Cannot read ${name} as a list of users.`, firstProblems(problems, 20));
  if (people.size === 0) throw fault(`Cannot use ${name}: it has no rows. An empty list removes no users.`);
  return [...people];
}
