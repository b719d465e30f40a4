/** Prints tables in GitHub Flavored Markdown (https://github.github.com/gfm/#tables-extension-). */
import type { Field } from '../../contract/vocabulary.js';
import { forMarkdown, forPeople } from '../sanitize.js';
import { type Column, columnsOf, tableColumns } from '../table/table-columns.js';
import { rowWriter } from './records.js';
import type { Layout, ListWriter, Writer } from './writer.js';

const escaped = (text: string): string => forMarkdown(forPeople(text));

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;

const cellOf = (column: Column, item: unknown): string => escaped(column.format(item, false).join(', '));

function head(columns: readonly Column[]): string {
  const rules = columns.map(({ align }) => (align === 'right' ? '---:' : '---'));
  return row(columns.map(({ title }) => escaped(title))) + row(rules);
}

function listWriter(shape: Field, layout: Layout): ListWriter {
  const columns = tableColumns(shape, layout.fields).filter(({ wide }) => layout.wide || !wide);
  return rowWriter(
    () => (layout.header === false ? '' : head(columns)),
    (item) => row(columns.map((column) => cellOf(column, item))),
  );
}

export const markdown = {
  list: listWriter,
  item(value: unknown, shape: Field, layout: Layout) {
    const columns = columnsOf(value, shape, layout.fields);
    const lines = columns.map((column) => row([escaped(column.title), cellOf(column, value)]));
    return (layout.header === false ? '' : row(['Field', 'Value']) + row(['---', '---'])) + lines.join('');
  },
} satisfies Writer;
