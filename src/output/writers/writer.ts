/** What every format gives: text for the pages of a list, and for one item. Pure; where the text goes is not known here. */
import type { Field } from '../../contract/vocabulary.js';

export type Text = string | Uint8Array;

export interface ListWriter {
  /** The text for more items; called in order. */
  page(items: readonly unknown[]): Text;
  /** What follows the last item. Not called when the list could not be completed. */
  end(): Text;
  /** How many columns there was no room for. */
  omitted?(): number;
}

/** What formats need to know about how to print. */
export interface Layout {
  /** The fields asked for, spelt as the contract spells them; all if left out. */
  readonly fields: readonly string[] | undefined;
  /** Whether a line of names comes first; the format's own habit if left out. */
  readonly header: boolean | undefined;
  readonly excel: boolean;
  /** All columns of a table, however wide. */
  readonly wide: boolean;
  /** Cells of a line on the terminal; undefined when nothing limits them. */
  readonly columns: number | undefined;
  /** Whether the text goes to a terminal, which obeys control characters. */
  readonly terminal: boolean;
  readonly color: boolean;
}

export interface Writer {
  list(shape: Field, layout: Layout): ListWriter;
  item(value: unknown, shape: Field, layout: Layout): Text;
}
