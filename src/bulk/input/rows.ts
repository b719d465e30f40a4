/** Types of rows, their places and their columns, the same for every input format. */

/** The flags for reading a file, stored in the manifest of a job; those that were not given are absent. */
export interface Reading {
  /** `HEADER=COLUMN`. */
  readonly map?: readonly string[];
  readonly ignore?: readonly string[];
  readonly ignoreUnknown?: true;
  readonly dateFormat?: string;
  readonly sheet?: string;
}

/** A cell as it was written; several texts for a list in a JSON row; undefined for an empty cell. */
export type Cell = string | readonly string[] | undefined;

export interface InputRow {
  /** Counted from 1, without header and blank lines. */
  readonly number: number;
  /** The line on which it begins, counted from 1. */
  readonly line: number;
  /** In the order of `Rows.columns`; may be shorter. */
  readonly cells: readonly Cell[];
  /** Places of cells with a number that has decimals: their point separates no thousands. Absent for none. */
  readonly decimals?: readonly number[];
  /** The unchanged object of a JSON row. */
  readonly object?: Readonly<Record<string, unknown>>;
  /** The line of a JSON row that cannot be read. */
  readonly text?: string;
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
  readonly problems: readonly InputProblem[];
  /** Unreadable rows whose beginning and end are known, so that `--skip-invalid` can skip them. */
  readonly broken?: readonly InputRow[];
}

export type Format = 'csv' | 'ndjson' | 'json';

export interface Rows {
  readonly format: Format;
  /** Names as the input spells them. Grows while a JSON input is read. */
  readonly columns: readonly string[];
  readonly headerLine?: number | undefined;
  readonly delimiter?: string;
  readonly batches: AsyncIterable<Batch>;
  readonly reading?: Reading | undefined;
}

/** `line 3, column 7`. */
export const placeOf = ({ line, column }: Pick<InputProblem, 'line' | 'column'>): string =>
  column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
