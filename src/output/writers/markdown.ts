/** Prints tables in GitHub Flavored Markdown (https://github.github.com/gfm/#tables-extension-). */
import type { Field } from '../../contract/vocabulary.js';
import { forPeople } from '../sanitize.js';
import { type Column, tableColumns } from '../table/columns.js';
import { printableShape } from './records.js';
import type { Layout, ListWriter, Writer } from './writer.js';

/** Signs that Markdown or HTML gives a meaning to. A backslash before punctuation takes it away. */
const SIGNS = /[\\`*_[\]<>|~&$!#]/g;

const escaped = (text: string): string => forPeople(text).replace(SIGNS, '\\$&');

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;

const cellOf = (column: Column, item: unknown): string => escaped(column.say(item, false).join(', '));

function head(columns: readonly Column[]): string {
  const rules = columns.map(({ align }) => (align === 'right' ? '---:' : '---'));
  return row(columns.map(({ title }) => escaped(title))) + row(rules);
}

function listWriter(shape: Field, layout: Layout): ListWriter {
  let columns: readonly Column[] | undefined;

  function start(items: readonly unknown[]): string {
    const all = tableColumns(printableShape(shape, items), layout.fields);
    columns = all.filter(({ wide }) => layout.wide || !wide);
    return layout.header === false ? '' : head(columns);
  }

  return {
    page(items) {
      if (items.length === 0) return '';
      const first = columns === undefined ? start(items) : '';
      return first + items.map((item) => row((columns ?? []).map((column) => cellOf(column, item)))).join('');
    },
    end: () => (columns === undefined ? start([]) : ''),
  };
}

export const markdown: Writer = {
  list: listWriter,
  item(value, shape, layout) {
    const columns = tableColumns(printableShape(shape, [value]), layout.fields);
    const lines = columns.map((column) => row([escaped(column.title), cellOf(column, value)]));
    return (layout.header === false ? '' : row(['Field', 'Value']) + row(['---', '---'])) + lines.join('');
  },
};
