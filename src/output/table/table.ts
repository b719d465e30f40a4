/**
 * Tables for people. A list is headed and fits the terminal; its widths are decided by the first page, so that it shows
 * at once. A single item is a table of two columns, in which nothing is cut.
 */
import type { Field } from '../../contract/vocabulary.js';
import { painter } from '../color.js';
import { excerpt } from '../sanitize.js';
import { cut, steady, widthOf, wrap } from '../width.js';
import { printableShape } from '../writers/records.js';
import type { Layout, ListWriter, Writer } from '../writers/writer.js';
import { type Column, tableColumns } from './columns.js';
import { type Grid, grid, type Piece, piece } from './grid.js';
import { type Fit, fit, GAP } from './layout.js';

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

interface Shown extends Fit {
  readonly column: Column;
}

interface Plan {
  readonly shown: readonly Shown[];
  /** How many columns there was no room for. */
  readonly omitted: number;
  /** Whether cells are cut to their width. */
  readonly cuts: boolean;
}

function plan(shape: Field, layout: Layout, items: readonly unknown[]): Plan {
  const all = tableColumns(printableShape(shape, items), layout.fields);
  const columns = all.filter(({ wide }) => layout.wide || !wide);
  const measures = columns.map((column) => {
    const title = widthOf(column.title);
    const longest = items.reduce((most: number, item) => Math.max(most, widthOf(textOf(column, item))), title);
    return {
      natural: longest,
      least: column.rigid ? longest : Math.min(longest, Math.max(title, column.least)),
      rank: column.rank,
    };
  });
  const cuts = layout.columns !== undefined && !layout.wide;
  const fits = cuts
    ? fit(measures, layout.columns ?? 0)
    : measures.map(({ natural }, index) => ({
        index,
        width: columns[index]?.rigid ? natural : Math.min(natural, WIDEST),
      }));
  const shown = fits.flatMap(({ index, width }) => {
    const column = columns[index];
    return column === undefined ? [] : [{ column, index, width }];
  });
  return { shown, omitted: columns.length - shown.length, cuts };
}

function tableWriter(shape: Field, layout: Layout): ListWriter {
  const paint = painter(layout.color);
  const nothing = piece(NOTHING, (text) => paint('dim', text));
  let planned: Plan | undefined;
  let drawn: Grid | undefined;

  function start(items: readonly unknown[]): string {
    planned = plan(shape, layout, items);
    const { shown } = planned;
    drawn = grid(shown.map(({ column, width }) => ({ width, align: column.align })));
    const titles = shown.map(({ column, width }) =>
      piece(cut(column.title.toUpperCase(), width), (title) => paint('bold', title)),
    );
    return layout.header === false ? '' : drawn.head(titles);
  }

  function cell({ column, width }: Shown, item: unknown): Piece {
    const text = textOf(column, item);
    if (text === '') return nothing;
    return piece(planned?.cuts && !column.rigid ? cut(text, width) : text);
  }

  return {
    page(items) {
      if (items.length === 0) return '';
      let text = drawn === undefined ? start(items) : '';
      for (const item of items) text += drawn?.row(planned?.shown.map((column) => cell(column, item)) ?? []) ?? '';
      return text;
    },
    end: () => '',
    omitted: () => planned?.omitted ?? 0,
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
