/** The interface of output formats. */
import type { Field } from '../../contract/vocabulary.js';

export type Text = string | Uint8Array;

export interface ListWriter {
  /** The text for more items; called in order. */
  page(items: readonly unknown[]): Text;
  /** The text behind the last item. Not called when the list could not be completed. */
  end(): Text;
  /** Number of columns that did not fit. */
  omitted?(): number;
}

/** What formats need to know about how to print. */
export interface Layout {
  /** The fields asked for, spelt as the contract spells them; all if left out. */
  readonly fields: readonly string[] | undefined;
  /** Whether a line of names comes first; by default as is usual for the format. */
  readonly header: boolean | undefined;
  readonly excel: boolean;
  /** Of csv: a comma if left out. */
  readonly delimiter?: ',' | ';' | undefined;
  /** All columns of a table, however wide. */
  readonly wide: boolean;
  /** Cells of a line on the terminal; undefined when nothing limits them. */
  readonly columns: number | undefined;
  /** Whether the text goes to a terminal, which obeys control characters. */
  readonly terminal: boolean;
  readonly color: boolean;
}

export interface Writer {
  /** Checks whether items of a shape can be printed. @throws usage error */
  check?(shape: Field): void;
  list(shape: Field, layout: Layout): ListWriter;
  item(value: unknown, shape: Field, layout: Layout): Text;
}
