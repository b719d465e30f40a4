/** Reads a table into records of cells or texts, by known columns. Other columns are never read. */
import { ColumnMap, type ColumnRules, type TableColumn } from './columns.js';
import { misplacedHeader } from './misplaced-header.js';
import { type Cell, type InputRow, placeOf, placesText, type Rows } from './rows.js';

export interface RecordColumn extends TableColumn {
  readonly required?: boolean;
}

interface RecordPlace {
  /** File and line: `users.csv line 7`. */
  readonly at: string;
  readonly line: number;
  readonly row: number | undefined;
  /** A cell of the row, or the row itself, cannot be read, which was reported. */
  readonly isBad: boolean;
  readonly isHidden: boolean;
}

export interface CellRecord<C> extends RecordPlace {
  /** The cells that are read, also blank ones; of a row in JSON only the members that it has. */
  readonly cells: readonly (readonly [column: C, cell: Cell])[];
}

export interface TextRecord extends RecordPlace {
  /** By the names of columns; blank cells and those that cannot be read are absent. */
  readonly values: Readonly<Record<string, string | undefined>>;
}

/** Where a row is. @param row its number in a JSON array, of which several rows may share a line */
export const rowPlace = (name: string, line: number, row: number | undefined): string =>
  `${name} line ${line}${row === undefined ? '' : `, row ${row}`}`;

/** The number that tells a row from others of its line. */
export const numberIn = ({ format }: Rows, { number }: InputRow): number | undefined =>
  format === 'json' ? number : undefined;

/** Takes a problem. @param at the row, if only one has the problem */
export type Report = (where: string, message: string, at?: string) => void;

/** Where the cell of a column is: `users.csv line 7, column 2 "email"`. */
export const cellPlace = (name: string, input: Rows, line: number, place: number): string =>
  `${name} ${placesText([line], 1, { place, name: input.columns[place] }, input.isSheet)}`;

interface RecordRules<C extends TableColumn> extends ColumnRules<C> {
  /** Whether the cells of a known column are read (default: of each). */
  readonly isRead?: (column: C) => boolean;
  /** Number of column names in a header below a title that has other names, too. */
  readonly min?: number;
}

/**
 * Reads a table by its known columns.
 * @param name of the table in places
 * @param report takes the problems of columns, rows and cells; of a header below a title only that
 */
export function cellRecords<C extends RecordColumn>(
  input: Rows,
  name: string,
  columns: readonly C[],
  report: Report,
  { isRead = () => true, min, ...rules }: RecordRules<C> = {},
): { readonly map: ColumnMap<C>; readonly rows: AsyncGenerator<CellRecord<C>> } {
  const map = new ColumnMap(columns, input.reading, rules);
  const header = `${name} line ${input.headerLine ?? 1}`;
  const learned = [...map.learn(input.columns)];
  const reportLearned = (): void => {
    for (const { message } of learned.splice(0)) report(header, message);
  };
  const requireColumns = (): void => {
    for (const column of columns)
      if (column.required === true && !map.has(column.name)) report(header, `has no column ${column.name}`);
  };
  const columnAt = (place: number): C | undefined => {
    const column = map.at(place);
    return column !== undefined && isRead(column) ? column : undefined;
  };

  function recordOf(row: InputRow, isBelowTitle: boolean): CellRecord<C> {
    const { line, object } = row;
    const number = numberIn(input, row);
    const at = rowPlace(name, line, number);
    const known = isBelowTitle ? [] : map.problemsOf(row).filter(({ cell }) => cell === undefined || columnAt(cell));
    for (const problem of known) {
      const { cell, message } = problem;
      const where = cell === undefined ? `${name} ${placeOf(problem)}` : cellPlace(name, input, problem.line, cell);
      report(where, message, at);
    }
    // The cells of a row with a problem of its own may be in wrong columns.
    const isShifted = isBelowTitle || known.some(({ cell }) => cell === undefined);
    let isBad = isShifted || known.length > 0;
    const cells: (readonly [column: C, cell: Cell])[] = [];
    for (let place = 0; place < input.columns.length && !isShifted; place++) {
      const column = columnAt(place);
      if (column === undefined || (object !== undefined && !Object.hasOwn(row.cells, place))) continue;
      const read = row.cells[place] === undefined ? { cell: undefined } : map.read(row, place, column);
      if ('cell' in read) cells.push([column, read.cell]);
      else {
        report(cellPlace(name, input, line, place), read.wrong, at);
        isBad = true;
      }
    }
    return { at, line, row: number, cells, isBad, isHidden: row.isHidden === true };
  }

  /** Reports the columns that are missing. @returns whether the header is below a title, so that no row can be read */
  function checkHeader(first: readonly InputRow[]): boolean {
    const misplaced = misplacedHeader(input, first, map, min);
    if (misplaced !== undefined) report(header, misplaced);
    else {
      reportLearned();
      requireColumns();
    }
    return misplaced !== undefined;
  }

  async function* rows(): AsyncGenerator<CellRecord<C>> {
    let isBelowTitle: boolean | undefined;
    for await (const batch of input.batches) {
      learned.push(...map.learn(input.columns));
      if (input.format === 'csv') isBelowTitle ??= checkHeader(batch.rows);
      for (const problem of isBelowTitle ? [] : batch.problems) report(`${name} ${placeOf(problem)}`, problem.message);
      for (const row of batch.rows) yield recordOf(row, isBelowTitle === true);
    }
    if (isBelowTitle) return;
    reportLearned();
    if (isBelowTitle === undefined) requireColumns();
    for (const { message } of map.unmet(input.columns)) report(header, message);
  }

  return { map, rows: rows() };
}

/** Like `cellRecords`, for columns of texts, without the others. */
export function records(
  input: Rows,
  name: string,
  columns: readonly RecordColumn[],
  report: Report,
): { readonly has: (column: string) => boolean; readonly rows: AsyncGenerator<TextRecord> } {
  const { map, rows } = cellRecords(input, name, columns, report, { skipsUnknown: true, min: 1 });
  async function* texts(): AsyncGenerator<TextRecord> {
    let above: Record<string, string | undefined> = {};
    for await (const { at, line, row, cells, isBad, isHidden } of rows) {
      const values: Record<string, string | undefined> = {};
      for (const [{ name: column }, cell] of cells) {
        if (cell === undefined) continue;
        const text = String(cell).normalize('NFC');
        // Rows of the same class or school share one string, which saves memory.
        values[column] = text === above[column] ? above[column] : text;
      }
      above = values;
      yield { at, line, row, values, isBad, isHidden };
    }
  }
  return { has: (column) => map.has(column), rows: texts() };
}
