/** Draws rows of measured text with cli-table3. The only file that knows it; loaded when the first table is printed. */
import Table from 'cli-table3';
import { GAP } from './layout.js';
import { widthOf } from './width.js';

/** One line of a cell: what is written, and the cells of the terminal that it takes. */
export interface Piece {
  readonly text: string;
  readonly width: number;
}

/** The lines of a cell. */
export type Cell = readonly Piece[];

export interface Drawing {
  readonly widths: readonly number[];
  readonly aligns?: readonly ('left' | 'right')[];
  /** A first row, with a rule below it. */
  readonly head?: readonly Piece[] | undefined;
  readonly rows: readonly (readonly Cell[])[];
}

/** @param style what makes the coloured text of the plain one */
export const piece = (text: string, style: (text: string) => string = (plain) => plain): Piece => ({
  text: style(text),
  width: widthOf(text),
});

const STAND_IN = 'x';

/** No frame: only the gap between columns, and the rule below the head. */
const CHARS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '─',
  'mid-mid': ' '.repeat(GAP),
  right: '',
  'right-mid': '',
  middle: ' '.repeat(GAP),
};

/**
 * The rows as text, a line break behind each line. cli-table3 measures by Unicode of 2019 and would cut or pad wrongly,
 * so it lays out stand-ins of the right number of cells, and the text takes their place in what it drew. Text wider
 * than its column stands out of it.
 */
export function draw({ widths, aligns = [], head, rows }: Drawing): string {
  const standIn = ({ width }: Piece, column: number): string =>
    STAND_IN.repeat(Math.min(width, widths[column] ?? width));
  const table = new Table({
    chars: CHARS,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colWidths: [...widths],
    colAligns: [...aligns],
    ...(head === undefined ? {} : { head: head.map(standIn) }),
  });
  for (const row of rows) {
    table.push(row.map((cell, column) => cell.map((line) => standIn(line, column)).join('\n')));
  }
  const pieces = [...(head ?? []), ...rows.flatMap(inLines)].filter(({ width }) => width > 0);
  let next = 0;
  const drawn = table.toString().replace(/ +$/gm, '');
  return `${drawn.replace(/x+/g, () => pieces[next++]?.text ?? '')}\n`;
}

/** The pieces of a row in the order in which they are drawn: line by line. */
function inLines(row: readonly Cell[]): Piece[] {
  const height = Math.max(...row.map((cell) => cell.length));
  return Array.from({ length: height }, (_, line) => row.flatMap((cell) => cell[line] ?? [])).flat();
}
