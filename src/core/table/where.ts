/** Keeps the rows of a table that `--where` names. */
import { usageError } from '../errors.js';
import { conditionOf, isHeader } from './headers.js';
import type { Batch, InputRow, Rows } from './rows.js';

/**
 * Leaves out rows without these cells, ignoring case, and numbers the others anew. Unreadable rows stay.
 * @param where `HEADER=VALUE`, all of which must hold; a blank value means a blank cell
 * @throws a usage error for another form
 */
export function rowsWhere(rows: Rows, where: readonly string[]): Rows {
  const conditions = where.map((text) => {
    const condition = conditionOf(text);
    if (condition.header !== '') return condition;
    throw usageError(`--where ${JSON.stringify(text)} must be HEADER=VALUE, such as Klasse=5a.`);
  });
  const holds = ({ cells }: InputRow): boolean =>
    conditions.every(({ header, value }) => {
      const cell = cells[rows.columns.findIndex((name) => isHeader(name, header))];
      return isHeader(typeof cell === 'object' ? cell.join(';') : (cell ?? ''), value);
    });
  async function* batches(): AsyncGenerator<Batch> {
    let left = 0;
    for await (const { rows: all, problems, broken = [] } of rows.batches) {
      const numbers = new Map<number, number>();
      const lines = new Set<number>();
      for (const row of [...all, ...broken].sort((a, b) => a.number - b.number)) {
        if (broken.includes(row) || holds(row)) numbers.set(row.number, row.number - left);
        else {
          left++;
          lines.add(row.line);
        }
      }
      const kept = (some: readonly InputRow[]): readonly InputRow[] =>
        some.flatMap((row) => {
          const number = numbers.get(row.number);
          return number === undefined ? [] : [{ ...row, number }];
        });
      yield { rows: kept(all), broken: kept(broken), problems: problems.filter(({ line }) => !lines.has(line)) };
    }
  }
  return { ...rows, batches: batches() };
}
