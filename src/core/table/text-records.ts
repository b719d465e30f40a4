/** Reads a table into records of texts, by the names of known columns. Other columns are never read. */
import { ColumnMap, type TableColumn } from './columns.js';
import { placeOf, placesText, type Rows } from './rows.js';

export interface RecordColumn extends TableColumn {
  readonly required?: boolean;
}

export type TextRecord = Readonly<Record<string, string | undefined>> & {
  /** File and line: `users.csv line 7`. */
  readonly at: string;
};

/**
 * @param name of the table in places
 * @param report takes the problems of columns and cells; a cell that cannot be read is blank
 */
export function records(
  input: Rows,
  name: string,
  columns: readonly RecordColumn[],
  report: (where: string, message: string) => void,
): { readonly has: (column: string) => boolean; readonly rows: AsyncGenerator<TextRecord> } {
  const map = new ColumnMap(columns, input.reading, { skipsUnknown: true });
  const header = `${name} line ${input.headerLine ?? 1}`;
  const learn = (): void => {
    for (const { message } of map.learn(input.columns)) report(header, message);
  };
  const requireColumns = (): void => {
    for (const column of columns)
      if (column.required === true && !map.has(column.name)) report(header, `has no column ${column.name}`);
  };
  learn();
  if (input.format === 'csv') requireColumns();

  async function* rows(): AsyncGenerator<TextRecord> {
    let above: Record<string, string | undefined> = {};
    for await (const batch of input.batches) {
      learn();
      for (const problem of batch.problems)
        if (problem.cell === undefined || map.at(problem.cell) !== undefined)
          report(`${name} ${placeOf(problem)}`, problem.message);
      for (const row of batch.rows) {
        const record: Record<string, string | undefined> & { at: string } = { at: `${name} line ${row.line}` };
        for (let place = 0; place < row.cells.length; place++) {
          const column = map.at(place);
          if (column === undefined || row.cells[place] === undefined) continue;
          const read = map.read(row, place, column);
          if ('wrong' in read) {
            const where = placesText([row.line], 1, { place, name: input.columns[place] }, input.isSheet);
            report(`${name} ${where}`, read.wrong);
            continue;
          }
          const text = String(read.cell).normalize('NFC');
          // Rows of the same class or school share one string, which saves memory.
          record[column.name] = text === above[column.name] ? above[column.name] : text;
        }
        above = record;
        yield record;
      }
    }
    if (input.format !== 'csv') requireColumns();
    for (const { message } of map.unmet(input.columns)) report(header, message);
  }

  return { has: (column) => map.has(column), rows: rows() };
}
