/** The column `count` of a create: the number of equal rows that a row stands for, each with a number of its own. */
import { ColumnMap } from '../../core/table/columns.js';
import type { Batch, InputRow, Rows } from '../../core/table/rows.js';
import { COUNT, type Column, type Read, type Verb } from '../row-command.js';

/** Max count of a row. */
const MAX_COUNT = 1_000_000;

export const COUNT_COLUMN: Column = {
  name: COUNT,
  description: 'number of equal items that the row creates; 0 for none',
  form: 'whole',
  read(cell): Read {
    const text = String(cell);
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    return value <= MAX_COUNT ? { value } : { wrong: `must be a whole number from 0 to ${MAX_COUNT}, not "${text}"` };
  },
};

/** A copy of a row is one of its items. */
function counted(row: InputRow, place: number, name: string, copies: number): InputRow {
  const { cells, object } = row;
  return {
    ...row,
    cells: cells.map((cell, at) => (at === place ? '1' : cell)),
    ...(object === undefined ? {} : { object: { ...object, [name]: 1 } }),
    ...(copies === 1 ? {} : { copies }),
  };
}

/**
 * Numbers the rows of an input by their counts.
 * @returns also the number of rows that were left out because their count is 0, valid once all were read
 */
export function countedRows<R extends Rows>(input: R, { columns }: Verb): { readonly input: R; none: () => number } {
  if (!columns.includes(COUNT_COLUMN)) return { input, none: () => 0 };
  const map = new ColumnMap(columns, input.reading);
  let none = 0;
  let shift = 0;

  /** The count of a row, or why it cannot be read. */
  function countOf({ cells, kinds }: InputRow, place: number): Read {
    const cell = cells[place];
    if (cell === undefined) return { wrong: 'is blank; write 0 for a row that creates nothing' };
    const found = map.readCell(cell, kinds?.[place], COUNT_COLUMN);
    return 'wrong' in found ? found : COUNT_COLUMN.read(found.cell);
  }

  function expanded({ rows, problems }: Batch, place: number): Batch {
    const kept: InputRow[] = [];
    for (const row of rows) {
      const numbered = { ...row, number: row.number + shift };
      const read = row.isBroken ? { value: 1 } : countOf(row, place);
      if ('wrong' in read) {
        const problem = { line: row.line, cell: place, message: read.wrong };
        kept.push({ ...numbered, problems: [...(row.problems ?? []), problem] });
        continue;
      }
      // A row that cannot be read is reported, whatever its count says.
      const copies = Math.max(map.problemsOf(row).length > 0 ? 1 : 0, Number(read.value));
      shift += copies - 1;
      if (copies === 0) none++;
      else kept.push(row.isBroken ? numbered : counted(numbered, place, input.columns[place] ?? COUNT, copies));
    }
    return { rows: kept, problems };
  }

  async function* batches(): AsyncGenerator<Batch> {
    for await (const batch of input.batches) {
      map.learn(input.columns);
      const place = map.placeOf(COUNT);
      yield place < 0 ? batch : expanded(batch, place);
    }
  }
  return { input: { ...input, batches: batches() }, none: () => none };
}
