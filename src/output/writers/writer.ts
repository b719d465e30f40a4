/** The interface of output formats. */
import type { Field } from '../../contract/vocabulary.js';

export type Text = string | Uint8Array;

export interface ListWriter {
  page(items: readonly unknown[]): Text;
  /** Formats the end of the list. Not called if the list is incomplete. */
  end(): Text;
  /** Number of columns left out because they did not fit. */
  omitted?(): number;
}

export interface Layout {
  /** The requested fields as spelt in the contract; undefined for all. */
  readonly fields: readonly string[] | undefined;
  readonly header: boolean | undefined;
  readonly excel: boolean;
  readonly delimiter?: ',' | ';' | undefined;
  readonly wide: boolean;
  /** Width of the terminal in cells; undefined if unlimited. */
  readonly columns: number | undefined;
  /** Escapes control characters, because a terminal would obey them. */
  readonly terminal: boolean;
  readonly color: boolean;
}

export interface Writer {
  /** @throws EduError `usage` if items of this shape cannot be printed */
  check?(shape: Field): void;
  list(shape: Field, layout: Layout): ListWriter;
  item(value: unknown, shape: Field, layout: Layout): Text;
}
