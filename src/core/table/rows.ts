/** Types of the rows, cells and places of a table, the same for every file format. */

import { plural } from '../plural.js';

/** The flags for reading a table, stored in the manifest of a job; those that were not given are absent. */
export interface Reading {
  /** `HEADER=COLUMN`. */
  readonly map?: readonly string[];
  readonly ignore?: readonly string[];
  readonly ignoreUnknown?: true;
  readonly dateFormat?: string;
  readonly sheet?: string;
  readonly encoding?: string | undefined;
  readonly delimiter?: string | undefined;
  /** Line of the header, from 1. */
  readonly headerRow?: number;
  /** `HEADER=VALUE`, `HEADER!=VALUE`: only rows with this cell, or without it, are read. */
  readonly where?: readonly string[];
}

/** A cell without surrounding blanks; several texts for a list in a JSON row; undefined for a blank cell. */
export type Cell = string | readonly string[] | undefined;

/** The type of a cell that is more than text: its text would be another one if the cell were formatted as text. */
export type CellKind = 'date' | 'time' | 'fraction' | 'decimal';

export interface InputRow {
  /** Counted from 1, without header and blank lines. */
  readonly number: number;
  /** The line on which it begins, counted from 1. */
  readonly line: number;
  /** Number of equal rows that it stands for, if several: the next row has this number more. */
  readonly copies?: number;
  /** In the order of `Rows.columns`; may be shorter. */
  readonly cells: readonly Cell[];
  /** By the place of the cell; absent if all cells are text, whole numbers or booleans. */
  readonly kinds?: Readonly<Record<number, CellKind>>;
  /** A workbook hides the row, by a filter or one by one. */
  readonly isHidden?: true;
  /** The unchanged object of a JSON row. */
  readonly object?: Readonly<Record<string, unknown>>;
  /** The text of a JSON row that cannot be read. */
  readonly text?: string;
  /** It cannot be read, but its beginning and end are known, so that `--skip-invalid` can skip it. */
  readonly isBroken?: true;
  /** Why it, or a cell of it, cannot be read. Several rows of a JSON array may be on one line. */
  readonly problems?: readonly InputProblem[];
}

export interface InputProblem {
  readonly line: number;
  /** Counted from 1, in characters of the line; absent for a problem of the whole line. */
  readonly column?: number;
  /** The place, from 0, of the only cell that cannot be read. The problem does not matter if its column is not read. */
  readonly cell?: number;
  readonly message: string;
}

export interface Batch {
  readonly rows: readonly InputRow[];
  /** Those that belong to no row. */
  readonly problems: readonly InputProblem[];
}

export type Format = 'csv' | 'ndjson' | 'json';

export interface Rows {
  /** `csv` for a workbook, too. */
  readonly format: Format;
  /** Names as the input spells them. Grows while a JSON input is read. */
  readonly columns: readonly string[];
  /** The places of the columns in the file, if the copy of an input leaves out some. */
  readonly places?: readonly number[];
  /** Undefined for an input without a header. */
  readonly headerLine?: number | undefined;
  readonly delimiter?: string;
  /** A workbook, whose cells are named `C7`. */
  readonly isSheet?: true;
  /** Whether the dates of a workbook count from 1904. */
  readonly is1904?: boolean;
  readonly batches: AsyncIterable<Batch>;
  readonly reading?: Reading | undefined;
}

/** What the user should know of rows that a workbook hides. @param count number of them */
export const hiddenNotes = (count: number): readonly string[] =>
  count === 0
    ? []
    : [
        `${plural(count, 'row of the sheet is hidden and is', 'rows of the sheet are hidden and are')} read too. Add --where to read only some rows.`,
      ];

/** `line 3, column 7`. */
export const placeOf = ({ line, column }: Pick<InputProblem, 'line' | 'column'>): string =>
  column === undefined ? `line ${line}` : `line ${line}, column ${column}`;

/** `A` for 0, `AA` for 26, as spreadsheets name columns. */
export const columnLetters = (place: number): string =>
  (place < 26 ? '' : columnLetters(Math.floor(place / 26) - 1)) + String.fromCharCode(65 + (place % 26));

/** A column in a message. */
export interface ColumnPlace {
  /** From 0. */
  readonly place: number;
  /** As the input spells it; blank or absent for none. */
  readonly name?: string | undefined;
}

/** A column of a problem: `column 3 "days"`; of a workbook `column C "days"`. */
export function columnText({ place, name }: ColumnPlace, isSheet = false): string {
  return `column ${isSheet ? columnLetters(place) : place + 1}${name ? ` ${JSON.stringify(name)}` : ''}`;
}

/**
 * The lines of a problem: `line 4`, `lines 4, 7, column 3 "days"`, `lines 4, 7, 9, 12, 15 and 3 more`; the cells of a
 * workbook: `C4, C7 "days"`.
 * @param lines the first of them
 * @param count number of all
 * @param noun what the numbers count
 */
export function placesText(
  lines: readonly number[],
  count = lines.length,
  column?: ColumnPlace,
  isSheet = false,
  noun = 'line',
): string {
  const more = count > lines.length ? ` and ${count - lines.length} more` : '';
  const isCell = isSheet && column !== undefined;
  const letters = isCell ? columnLetters(column.place) : '';
  const places = `${isCell ? '' : `${noun}${count === 1 ? '' : 's'} `}${lines.map((line) => letters + line).join(', ')}${more}`;
  if (column === undefined) return places;
  if (!isCell) return `${places}, ${columnText(column)}`;
  return column.name ? `${places} ${JSON.stringify(column.name)}` : places;
}
