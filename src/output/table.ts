/**
 * Tables for people. A list is headed and fits the terminal; its widths are decided by the first page, so that it shows
 * at once. A single item is a table of two columns, in which nothing is cut.
 */
import type { Field } from '../contract/vocabulary.js';
import { type Paint, painter } from './color.js';
import { type Column, tableColumns } from './columns.js';
import { type Cell, draw, piece } from './draw.js';
import { type Fit, fit, GAP } from './layout.js';
import { printableShape } from './records.js';
import { excerpt } from './sanitize.js';
import { cut, steady, widthOf, wrap } from './width.js';
import type { Layout, ListWriter, Writer } from './writer.js';

/** Rows drawn at a time: the drawing takes time with the square of them. */
const ROWS_AT_ONCE = 20;

/** UTF-16 units that a cell of a list, and of a single item, shows of a text at most. */
const LONGEST_CELL = 500;
const LONGEST_VALUE = 5000;

/** Where nothing limits the table, a longer text stands out of its column instead of spreading it. */
const WIDEST = 60;

/** Cells that the values of a single item get at least. */
const NARROWEST = 20;

const NOTHING = '–';

const textOf = (column: Column, item: unknown): string =>
  steady(excerpt(column.say(item, false).join(', '), LONGEST_CELL));

interface Plan {
  readonly columns: readonly Column[];
  readonly fits: readonly Fit[];
  /** Whether cells are cut to their width. */
  readonly cuts: boolean;
}

function plan(shape: Field, layout: Layout, items: readonly unknown[]): Plan {
  const all = tableColumns(printableShape(shape, items), layout.fields);
  const columns = all.filter(({ wide }) => layout.wide || !wide);
  const measures = columns.map((column) => {
    const title = widthOf(column.title);
    const longest = Math.max(title, ...items.map((item) => widthOf(textOf(column, item))));
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
  return { columns, fits, cuts };
}

function cellOf(column: Column, width: number, item: unknown, cuts: boolean, paint: Paint): Cell {
  const text = textOf(column, item);
  if (text === '') return [piece(NOTHING, (plain) => paint('dim', plain))];
  return [piece(cuts && !column.rigid ? cut(text, width) : text)];
}

function tableWriter(shape: Field, layout: Layout): ListWriter {
  const paint = painter(layout.color);
  let planned: Plan | undefined;

  function drawRows({ columns, fits, cuts }: Plan, items: readonly unknown[], headed: boolean): string {
    const shown = fits.flatMap(({ index, width }) => {
      const column = columns[index];
      return column === undefined ? [] : [{ column, width }];
    });
    return draw({
      widths: shown.map(({ width }) => width),
      aligns: shown.map(({ column }) => column.align),
      head: headed
        ? shown.map(({ column, width }) =>
            piece(cut(column.title.toUpperCase(), width), (title) => paint('bold', title)),
          )
        : undefined,
      rows: items.map((item) => shown.map(({ column, width }) => cellOf(column, width, item, cuts, paint))),
    });
  }

  return {
    page(items) {
      let text = '';
      for (let start = 0; start < items.length; start += ROWS_AT_ONCE) {
        const headed = planned === undefined && layout.header !== false;
        planned ??= plan(shape, layout, items);
        text += drawRows(planned, items.slice(start, start + ROWS_AT_ONCE), headed);
      }
      return text;
    },
    end: () => '',
    omitted: () => titlesWithout(planned),
  };
}

function titlesWithout(planned: Plan | undefined): string[] {
  const shown = new Set(planned?.fits.map(({ index }) => index));
  return planned?.columns.filter((_, index) => !shown.has(index)).map(({ title }) => title) ?? [];
}

/** A line, or several, for each thing that a column says of the item. */
function valueLines(column: Column, item: unknown, width: number | undefined, paint: Paint): Cell {
  const texts = column.say(item, true).map((phrase) => steady(excerpt(phrase, LONGEST_VALUE)));
  if (texts.length === 0) return [piece(NOTHING, (plain) => paint('dim', plain))];
  return texts
    .flatMap((text) => (width === undefined || column.rigid ? [text] : wrap(text, width)))
    .map((line) => piece(line));
}

function itemTable(value: unknown, shape: Field, layout: Layout): string {
  const paint = painter(layout.color);
  const columns = tableColumns(printableShape(shape, [value]), layout.fields);
  const titleWidth = Math.max(...columns.map(({ title }) => widthOf(title)));
  const width = layout.columns === undefined ? undefined : Math.max(NARROWEST, layout.columns - titleWidth - GAP);
  const rows = columns.map((column): readonly Cell[] => [
    [piece(column.title, (title) => paint('bold', title))],
    valueLines(column, value, width, paint),
  ]);
  const valueWidth = Math.max(...rows.flatMap(([, cell]) => cell?.map((line) => line.width) ?? []));
  return draw({ widths: [titleWidth, valueWidth], rows });
}

export const table: Writer = { list: tableWriter, item: itemTable };
