/** Draws table rows with cli-table3. */
import Table from 'cli-table3';
import { widthOf } from '../width.js';
import { GAP } from './layout.js';

export interface Piece {
  readonly text: string;
  readonly width: number;
}

/** @param style adds colours, which do not count for the width */
export const piece = (text: string, style: (text: string) => string = (plain) => plain): Piece => ({
  text: style(text),
  width: widthOf(text),
});

export type Grid = ReturnType<typeof grid>;

/** No borders, only the gap between columns. */
const NONE = ['top', 'bottom', 'left', 'right', 'top-left', 'top-mid', 'top-right', 'bottom-left', 'bottom-mid'];
const CHARS = {
  ...Object.fromEntries([...NONE, 'bottom-right', 'left-mid', 'right-mid', 'mid', 'mid-mid'].map((name) => [name, ''])),
  middle: ' '.repeat(GAP),
};

const PLACEHOLDER = 'x';
const PLACEHOLDERS = /x+/g;

/**
 * cli-table3 draws one row of placeholders, which every row of text replaces: its time grows with the square of the rows
 * (10,000 rows: 11 s), and it measures by Unicode of 2019, which would align many scripts wrongly.
 */
export function grid(columns: readonly { readonly width: number; readonly align: 'left' | 'right' }[]) {
  const placeholders = columns.map(({ width }) => PLACEHOLDER.repeat(Math.max(1, width)));
  const table = new Table({
    chars: CHARS,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
  table.push(placeholders);
  const line = table.toString();
  const rule = line.replaceAll(PLACEHOLDER, '─');

  /** Text wider than its column shifts the rest of the line. */
  function row(pieces: readonly Piece[]): string {
    let next = 0;
    const filled = line.replace(PLACEHOLDERS, () => {
      const column = columns[next];
      const { text, width } = pieces[next++] ?? { text: '', width: 0 };
      const space = ' '.repeat(Math.max(0, (column?.width ?? 0) - width));
      return column?.align === 'right' ? space + text : text + space;
    });
    return `${filled.trimEnd()}\n`;
  }

  return { head: (titles: readonly Piece[]) => `${row(titles)}${rule}\n`, row };
}
