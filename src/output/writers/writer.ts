/** The interface of output formats. */
import type { Field } from '../../contract/vocabulary.js';

export type Text = string | Uint8Array;

export interface ListWriter {
  page(items: readonly unknown[]): Text;
  /** Formats the end of the list. Not called if the list is incomplete. */
  end(): Text;
  /** Formats rows that were held back, if the list is incomplete. */
  held?(): Text;
  /** Number of columns left out because they did not fit. */
  omitted?(): number;
}

/** Excel splits the lines of CSV by the delimiter of its language. */
export type ExcelDelimiter = ',' | ';';

export interface Layout {
  /** A name for the result, such as `licences`. */
  readonly title: string;
  /** The requested fields and headings as spelt in the contract; undefined for all. */
  readonly fields: readonly string[] | undefined;
  readonly header: boolean | undefined;
  /** The delimiter of plain CSV (default: a comma). */
  readonly delimiter?: string | undefined;
  /** The delimiter of CSV for Excel; undefined for plain CSV. */
  readonly excel: ExcelDelimiter | undefined;
  readonly wide: boolean;
  /** IDs are printed because of `--quiet`, which every command accepts: what has no ID is printed as TSV. */
  readonly idsIfAny?: boolean;
  /** Width of the terminal in cells; undefined if unlimited. */
  readonly columns: number | undefined;
  /** Escapes control characters, because a terminal would obey them. */
  readonly terminal: boolean;
  readonly color: boolean;
}

/** The layout of a file. */
export const FILE_LAYOUT: Layout = {
  title: 'rows',
  fields: undefined,
  header: undefined,
  excel: undefined,
  wide: true,
  columns: undefined,
  terminal: false,
  color: false,
};

export interface Writer {
  list(shape: Field, layout: Layout): ListWriter;
  /** A single result; without it, like a list of one. */
  item?(value: unknown, shape: Field, layout: Layout): Text;
}
