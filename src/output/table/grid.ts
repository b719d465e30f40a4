/** Draws table rows with cli-table3; loaded when the first table is printed. */
import Table from 'cli-table3';
import { widthOf } from '../width.js';
import { GAP } from './layout.js';

/** One line of a cell: what is written, and the cells of the terminal that it takes. */
export interface Piece {
  readonly text: string;
  readonly width: number;
}

/** @param style makes the coloured text of the plain one */
export const piece = (text: string, style: (text: string) => string = (plain) => plain): Piece => ({
  text: style(text),
  width: widthOf(text),
});

export interface Column {
  readonly width: number;
  readonly align: 'left' | 'right';
}

export interface Grid {
  /** The titles with a rule below them. */
  head(titles: readonly Piece[]): string;
  /** A line of the table. Text wider than its column stands out of it. */
  row(pieces: readonly Piece[]): string;
}

/** No frame, only the gap between columns. */
const NONE = ['top', 'bottom', 'left', 'right', 'top-left', 'top-mid', 'top-right', 'bottom-left', 'bottom-mid'];
const CHARS = {
  ...Object.fromEntries([...NONE, 'bottom-right', 'left-mid', 'right-mid', 'mid', 'mid-mid'].map((name) => [name, ''])),
  middle: ' '.repeat(GAP),
};

const STAND_IN = 'x';
const STAND_INS = /x+/g;

/**
 * A table of these columns. cli-table3 draws one row of stand-ins, and every line of text takes their place: it needs
 * time with the square of the rows (10,000 rows: 11 s), and measures by Unicode of 2019, so that it would cut and pad
 * many scripts wrongly.
 */
export function grid(columns: readonly Column[]): Grid {
  const standIns = columns.map(({ width }) => STAND_IN.repeat(Math.max(1, width)));
  const table = new Table({
    chars: CHARS,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
  table.push(standIns);
  const line = table.toString();
  const rule = line.replaceAll(STAND_IN, '─');

  function row(pieces: readonly Piece[]): string {
    let next = 0;
    const filled = line.replace(STAND_INS, () => {
      const column = columns[next];
      const { text, width } = pieces[next++] ?? { text: '', width: 0 };
      const space = ' '.repeat(Math.max(0, (column?.width ?? 0) - width));
      return column?.align === 'right' ? space + text : text + space;
    });
    return `${filled.trimEnd()}\n`;
  }

  return { head: (titles) => `${row(titles)}${rule}\n`, row };
}
