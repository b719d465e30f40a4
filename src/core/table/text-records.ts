/** Reads a table into records of texts, by the names of known columns. Other columns are never read. */
import { ColumnMap, type TableColumn } from './columns.js';
import { misplacedHeader } from './misplaced-header.js';
import { type InputRow, placeOf, placesText, type Rows } from './rows.js';

export interface RecordColumn extends TableColumn {
  readonly required?: boolean;
}

export interface TextRecord {
  /** File and line: `users.csv line 7`. */
  readonly at: string;
  readonly line: number;
  readonly row: number | undefined;
  /** By the names of columns; blank cells and those that cannot be read are absent. */
  readonly values: Readonly<Record<string, string | undefined>>;
  /** A cell of the row, or the row itself, cannot be read, which was reported. */
  readonly isBad: boolean;
  readonly isHidden: boolean;
}

/** Where a row is. @param row its number in a JSON array, of which several rows may share a line */
export const rowPlace = (name: string, line: number, row: number | undefined): string =>
  `${name} line ${line}${row === undefined ? '' : `, row ${row}`}`;

/** The number that tells a row from others of its line. */
export const numberIn = ({ format }: Rows, { number }: InputRow): number | undefined =>
  format === 'json' ? number : undefined;

/** Takes a problem. @param at the row, if only one has the problem */
export type Report = (where: string, message: string, at?: string) => void;

/**
 * @param name of the table in places
 * @param report takes the problems of columns, rows and cells
 */
export function records(
  input: Rows,
  name: string,
  columns: readonly RecordColumn[],
  report: Report,
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
  const cellPlace = (line: number, place: number): string =>
    placesText([line], 1, { place, name: input.columns[place] }, input.isSheet);
  learn();

  let above: Record<string, string | undefined> = {};
  function recordOf(row: InputRow, isBelowTitle: boolean): TextRecord {
    const number = numberIn(input, row);
    const at = rowPlace(name, row.line, number);
    const values: Record<string, string | undefined> = {};
    const known = isBelowTitle ? [] : map.problemsOf(row);
    for (const problem of known) {
      const { cell, line, message } = problem;
      report(`${name} ${cell === undefined ? placeOf(problem) : cellPlace(line, cell)}`, message, at);
    }
    // The cells of a row with a problem of its own may be in wrong columns.
    const isShifted = isBelowTitle || known.some(({ cell }) => cell === undefined);
    let isBad = isShifted || known.length > 0;
    for (let place = 0; place < row.cells.length && !isShifted; place++) {
      const column = map.at(place);
      if (column === undefined || row.cells[place] === undefined) continue;
      const read = map.read(row, place, column);
      if ('wrong' in read) {
        report(`${name} ${cellPlace(row.line, place)}`, read.wrong, at);
        isBad = true;
        continue;
      }
      const text = String(read.cell).normalize('NFC');
      // Rows of the same class or school share one string, which saves memory.
      values[column.name] = text === above[column.name] ? above[column.name] : text;
    }
    above = values;
    return { at, line: row.line, row: number, values, isBad, isHidden: row.isHidden === true };
  }

  /** Reports the columns that are missing. @returns whether the header is below a title, so that no row can be read */
  function checkHeader(first: readonly InputRow[]): boolean {
    const misplaced = misplacedHeader(input, first, map, 1);
    if (misplaced !== undefined) report(header, misplaced);
    else requireColumns();
    return misplaced !== undefined;
  }

  async function* rows(): AsyncGenerator<TextRecord> {
    let isBelowTitle: boolean | undefined;
    for await (const batch of input.batches) {
      learn();
      if (input.format === 'csv') isBelowTitle ??= checkHeader(batch.rows);
      for (const problem of isBelowTitle ? [] : batch.problems) report(`${name} ${placeOf(problem)}`, problem.message);
      for (const row of batch.rows) yield recordOf(row, isBelowTitle === true);
    }
    if (isBelowTitle) return;
    if (isBelowTitle === undefined) requireColumns();
    for (const { message } of map.unmet(input.columns)) report(header, message);
  }

  return { has: (column) => map.has(column), rows: rows() };
}
