/**
 * Prints tables. The first rows of a list determine the columns and their widths, so that printing starts early and
 * columns stay aligned over pages. A single item is a table of two columns, in which nothing is cut.
 */

import Table from 'cli-table3';
import type { Field } from '../../contract/vocabulary.js';
import { type Paint, painter } from '../color.js';
import { escapedExcerpt } from '../sanitize.js';
import { cut, isRightToLeft, widthOf, withFixedWidth, wrap } from '../width.js';
import type { Layout, ListWriter, Writer } from '../writers/writer.js';
import { type Fit, fit, GAP, type Measure } from './layout.js';
import { type Column, columnsOf, tableColumns } from './table-columns.js';

interface Piece {
  readonly text: string;
  readonly width: number;
}

/** @param style adds colours, which do not count for the width */
export const piece = (text: string, style: (text: string) => string = (plain) => plain): Piece => ({
  text: style(text),
  width: widthOf(text),
});

type Grid = ReturnType<typeof grid>;

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
function grid(columns: readonly { readonly width: number; readonly align: 'left' | 'right' }[]) {
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

/** Maximum length of a cell in a list, and of a value of a single item, in UTF-16 units. */
const MAX_CELL = 500;
const MAX_VALUE = 5000;

const MAX_WIDTH = 60;

/** The rows that determine the columns: about a screenful. Pages that a filter has thinned out are collected up to it. */
const FIRST_ROWS = 40;

/** Keeps right-to-left text from reordering the cells beside it (Unicode UAX #9: first strong isolate). */
const isolated = (text: string): string => (isRightToLeft(text) ? `\u2068${text}\u2069` : text);

const MIN_VALUE_WIDTH = 20;

/** Its width is given because measuring it would compile the expressions for all scripts in every table: 0.5 ms. */
const nothingIn = (paint: Paint): Piece => ({ text: paint('dim', '–'), width: 1 });
const NO_TITLE = piece('');

/** The text of a cell. The item's own ID is never cut. */
function textOf(column: Column, item: unknown): string {
  const isOwnId = column.rank === 0 && column.rigid;
  return withFixedWidth(
    escapedExcerpt(column.format(item, false).join(', '), isOwnId ? Number.POSITIVE_INFINITY : MAX_CELL),
  );
}

function measured(column: Column, cells: readonly Piece[]) {
  const title = widthOf(column.title);
  const natural = cells.reduce((max, { width }) => Math.max(max, width), Math.max(title, column.expected));
  const minWidth = column.rigid ? natural : Math.min(natural, Math.max(title, column.minWidth));
  return { column, natural, minWidth, rank: column.rank, rigid: column.rigid };
}

/** Text beyond the maximum width shifts the rest of its row, instead of widening the column for all rows. */
const unlimited = (measures: readonly Measure[]): Fit[] =>
  measures.map(({ natural, rigid }, index) => ({ index, width: rigid ? natural : Math.min(natural, MAX_WIDTH) }));

function tableWriter(shape: Field, layout: Layout): ListWriter {
  const paint = painter(layout.color);
  const nothing = nothingIn(paint);
  const limit = layout.wide ? undefined : layout.columns;
  const room = (measures: readonly Measure[]): Fit[] =>
    limit === undefined ? unlimited(measures) : fit(measures, limit);
  let shown: readonly Column[] = [];
  let widths: readonly number[] = [];
  let drawn: Grid | undefined;
  let first: unknown[] | undefined = [];
  let omitted = 0;

  function cellsOf(columns: readonly Column[], items: readonly unknown[]): Piece[][] {
    return columns.map((column) =>
      items.map((item) => {
        const text = textOf(column, item);
        return text === '' ? nothing : piece(text);
      }),
    );
  }

  /** Absent fields have no column, unless they were asked for. */
  function presentIn(items: readonly unknown[]): readonly Column[] {
    const all = tableColumns(shape, layout.fields).filter(({ wide }) => layout.wide || !wide);
    const present = all.filter(({ isAbsent }) => !items.every(isAbsent));
    return layout.fields !== undefined || present.length === 0 ? all : present;
  }

  function choose(items: readonly unknown[]): void {
    const all = presentIn(items);
    const cells = cellsOf(all, items);
    const wanted = all.map((column, index) => measured(column, cells[index] ?? []));
    const kept = room(wanted);
    shown = kept.flatMap(({ index }) => all[index] ?? []);
    widths = kept.map(({ width }) => width);
    drawn = grid(widths.map((width, index) => ({ width, align: shown[index]?.align ?? 'left' })));
    omitted = all.length - shown.length;
  }

  function head(): string {
    const titles = shown.map(({ title }, index) =>
      piece(cut(title.toUpperCase(), widths[index] ?? 0), (text) => paint('bold', text)),
    );
    return drawn?.head(titles) ?? '';
  }

  function fitted(cell: Piece, index: number): Piece {
    const width = widths[index] ?? 0;
    const isWhole = cell.width <= width || limit === undefined || shown[index]?.rigid;
    return cell === nothing ? cell : piece(isolated(isWhole ? cell.text : cut(cell.text, width)));
  }

  function rowsOf(items: readonly unknown[]): string {
    const cells = cellsOf(shown, items);
    const row = (at: number) => drawn?.row(cells.map((column, index) => fitted(column[at] ?? nothing, index))) ?? '';
    return items.map((_, at) => row(at)).join('');
  }

  function begin(items: readonly unknown[]): string {
    first = undefined;
    if (items.length === 0) return '';
    choose(items);
    return `${layout.header === false ? '' : head()}${rowsOf(items)}`;
  }

  return {
    page(items) {
      if (first === undefined) return rowsOf(items);
      first.push(...items);
      return first.length < FIRST_ROWS ? '' : begin(first);
    },
    end: () => begin(first ?? []),
    held: () => begin(first ?? []),
    omitted: () => omitted,
  };
}

function linesOf(column: Column, item: unknown, width: number | undefined): string[] {
  const phrases = column.format(item, true).map((phrase) => withFixedWidth(escapedExcerpt(phrase, MAX_VALUE)));
  return width === undefined ? phrases : phrases.flatMap((phrase) => wrap(phrase, width));
}

function itemTable(value: unknown, shape: Field, layout: Layout): string {
  const paint = painter(layout.color);
  const nothing = nothingIn(paint);
  const columns = columnsOf(value, shape, layout.fields);
  const titleWidth = columns.reduce((max, { title }) => Math.max(max, widthOf(title)), 0);
  const width = layout.columns === undefined ? undefined : Math.max(MIN_VALUE_WIDTH, layout.columns - titleWidth - GAP);
  const drawn = grid([
    { width: titleWidth, align: 'left' },
    { width: 1, align: 'left' },
  ]);
  const rows = columns.map((column) => {
    const lines = linesOf(column, value, width).map((line) => piece(isolated(line)));
    const [first = nothing, ...others] = lines;
    const title = piece(column.title, (plain) => paint('bold', plain));
    return [[title, first], ...others.map((line) => [NO_TITLE, line])].map(drawn.row).join('');
  });
  return rows.join('');
}

export const table = { list: tableWriter, item: itemTable } satisfies Writer;
