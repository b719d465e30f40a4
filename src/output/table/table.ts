/**
 * Tables for people. A list is headed and fits the terminal; the first page decides on its columns, so that it shows at
 * once, and later ones widen them where there is room. A single item is a table of two columns, in which nothing is cut.
 */
import type { Field } from '../../contract/vocabulary.js';
import { painter } from '../color.js';
import { excerpt } from '../sanitize.js';
import { cut, steady, widthOf, wrap } from '../width.js';
import { printableShape } from '../writers/records.js';
import type { Layout, ListWriter, Writer } from '../writers/writer.js';
import { type Column, tableColumns } from './columns.js';
import { type Grid, grid, type Piece, piece } from './grid.js';
import { type Fit, fit, GAP, type Measure } from './layout.js';

/** UTF-16 units that a cell of a list, and of a single item, shows of a text at most. */
const LONGEST_CELL = 500;
const LONGEST_VALUE = 5000;

/** Where nothing limits the table, a longer text stands out of its column instead of spreading it. */
const WIDEST = 60;

/** Cells that the values of a single item get at least. */
const NARROWEST = 20;

const NOTHING = '–';
const NO_TITLE = piece('');

/** What a column says of an item, on one line. An id is never cut. */
function textOf(column: Column, item: unknown): string {
  const isOwnId = column.rank === 0 && column.rigid;
  return steady(excerpt(column.say(item, false).join(', '), isOwnId ? Number.POSITIVE_INFINITY : LONGEST_CELL));
}

/** What a column needs, seen from the items at hand and from those before. */
function measure(column: Column, items: readonly unknown[], before = 0): Measure {
  const title = widthOf(column.title);
  const natural = items.reduce(
    (most: number, item) => Math.max(most, widthOf(textOf(column, item))),
    Math.max(title, before),
  );
  const least = column.rigid ? natural : Math.min(natural, Math.max(title, column.least));
  return { natural, least, rank: column.rank, rigid: column.rigid };
}

/** Without a limit a long text stands out of its column, instead of spreading it. */
const unlimited = (columns: readonly Column[], measures: readonly Measure[]): Fit[] =>
  measures.map(({ natural }, index) => ({
    index,
    width: columns[index]?.rigid ? natural : Math.min(natural, WIDEST),
  }));

function tableWriter(shape: Field, layout: Layout): ListWriter {
  const paint = painter(layout.color);
  const nothing = piece(NOTHING, (text) => paint('dim', text));
  const limit = layout.wide ? undefined : layout.columns;
  let columns: readonly Column[] = [];
  let measures: readonly Measure[] = [];
  let fits: readonly Fit[] = [];
  let drawn: Grid | undefined;
  let omitted = 0;

  /** Chooses the columns that there is room for. */
  function choose(items: readonly unknown[]): void {
    const all = tableColumns(printableShape(shape, items), layout.fields).filter(({ wide }) => layout.wide || !wide);
    const wanted = all.map((column) => measure(column, items));
    const room = limit === undefined ? unlimited(all, wanted) : fit(wanted, limit);
    columns = room.flatMap(({ index }) => all[index] ?? []);
    omitted = all.length - columns.length;
  }

  /** Widens the columns for these items, as far as there is room. */
  function widen(items: readonly unknown[]): void {
    measures = columns.map((column, index) => ({ ...measure(column, items, measures[index]?.natural), rank: 0 }));
    const before = fits;
    fits = limit === undefined ? unlimited(columns, measures) : fit(measures, limit);
    if (fits.every(({ width }, index) => width === before[index]?.width)) return;
    drawn = grid(fits.map(({ width }, index) => ({ width, align: columns[index]?.align ?? 'left' })));
  }

  function head(): string {
    const titles = columns.map(({ title }, index) =>
      piece(cut(title.toUpperCase(), fits[index]?.width ?? 0), (text) => paint('bold', text)),
    );
    return drawn?.head(titles) ?? '';
  }

  function cell(column: Column, index: number, item: unknown): Piece {
    const text = textOf(column, item);
    if (text === '') return nothing;
    return piece(limit === undefined || column.rigid ? text : cut(text, fits[index]?.width ?? 0));
  }

  return {
    page(items) {
      if (items.length === 0) return '';
      const isFirst = drawn === undefined;
      if (isFirst) choose(items);
      widen(items);
      let text = isFirst && layout.header !== false ? head() : '';
      for (const item of items) text += drawn?.row(columns.map((column, index) => cell(column, index, item))) ?? '';
      return text;
    },
    end: () => '',
    omitted: () => omitted,
  };
}

/** A line, or several, for each thing that a column says of the item. */
function linesOf(column: Column, item: unknown, width: number | undefined): string[] {
  const phrases = column.say(item, true).map((phrase) => steady(excerpt(phrase, LONGEST_VALUE)));
  return width === undefined || column.rigid ? phrases : phrases.flatMap((phrase) => wrap(phrase, width));
}

function itemTable(value: unknown, shape: Field, layout: Layout): string {
  const paint = painter(layout.color);
  const nothing = piece(NOTHING, (text) => paint('dim', text));
  const columns = tableColumns(printableShape(shape, [value]), layout.fields);
  const titleWidth = columns.reduce((most, { title }) => Math.max(most, widthOf(title)), 0);
  const width = layout.columns === undefined ? undefined : Math.max(NARROWEST, layout.columns - titleWidth - GAP);
  const drawn = grid([
    { width: titleWidth, align: 'left' },
    { width: 1, align: 'left' },
  ]);
  const rows = columns.map((column) => {
    const lines = linesOf(column, value, width).map((line) => piece(line));
    const [first = nothing, ...others] = lines;
    const title = piece(column.title, (plain) => paint('bold', plain));
    return [[title, first], ...others.map((line) => [NO_TITLE, line])].map(drawn.row).join('');
  });
  return rows.join('');
}

export const table: Writer = { list: tableWriter, item: itemTable };
