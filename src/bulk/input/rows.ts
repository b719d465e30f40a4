/** Rows with their places and the column names so far, the same for every input format. */
import type { Reading } from './reading.js';

/** A cell as it was written; several texts where a JSON row holds a list. Undefined: not given. */
export type Cell = string | readonly string[] | undefined;

export interface InputRow {
  /** Counted from 1, header and blank lines left out. */
  readonly number: number;
  /** The line on which it begins, counted from 1. */
  readonly line: number;
  /** In the order of `Rows.columns`; may be shorter. */
  readonly cells: readonly Cell[];
  /** The object of a JSON row, as it came. */
  readonly object?: Readonly<Record<string, unknown>>;
  /** The line of a JSON row that cannot be read. */
  readonly text?: string;
}

/** Something wrong with the input itself, at a place in it. */
export interface InputProblem {
  readonly line: number;
  /** Counted from 1, in characters of the line; absent when the whole line is meant. */
  readonly column?: number;
  readonly message: string;
}

/** A part of the input: rows, and what is wrong between them. */
export interface Batch {
  readonly rows: readonly InputRow[];
  readonly problems: readonly InputProblem[];
  /** Rows that cannot be read, and whose beginning and end are known anyway. */
  readonly broken?: readonly InputRow[];
}

export type Format = 'csv' | 'ndjson' | 'json';

export interface Rows {
  readonly format: Format;
  /** Names as the input spells them. Grows while a JSON input is read. */
  readonly columns: readonly string[];
  /** Where the header stands; undefined when there is none. */
  readonly headerLine?: number;
  /** Of a CSV. */
  readonly delimiter?: string;
  readonly batches: AsyncIterable<Batch>;
  /** How the command line wants its columns and cells to be read. */
  readonly reading?: Reading;
}

/** `line 3, column 7`. */
export const placeOf = ({ line, column }: Pick<InputProblem, 'line' | 'column'>): string =>
  column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
