/**
 * CSV by RFC 4180 (https://www.rfc-editor.org/rfc/rfc4180) with LF, as Unix tools write it; `--excel` adds what Excel
 * needs: a byte order mark, CRLF, and a quote before anything that it would take for a formula; in languages other than
 * English also semicolons and decimal commas.
 */
import type { Field } from '../../contract/vocabulary.js';
import { guardFormula } from '../../core/formula.js';
import { forPeople } from '../sanitize.js';
import { cellText, printableShape, recordColumns } from './records.js';
import type { Layout, ListWriter, Writer } from './writer.js';

const BYTE_ORDER_MARK = '\ufeff';

const NEEDS_QUOTES = { ',': /[",\r\n]/, ';': /[";\r\n]/ } as const;

/** @returns a function from a value to its cell. Only text can be a formula: a negative number stays a number. */
function cellOf(layout: Layout, delimiter: ',' | ';'): (value: unknown) => string {
  const needsQuotes = NEEDS_QUOTES[delimiter];
  const quoted = (text: string): string => (needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return (value) => {
    const raw = cellText(value);
    const text = layout.terminal ? forPeople(raw) : raw;
    if (!layout.excel) return quoted(text);
    if (typeof value === 'number') return quoted(delimiter === ';' ? text.replace('.', ',') : text);
    return quoted(typeof value === 'boolean' ? text : guardFormula(text));
  };
}

function csvWriter(shape: Field, layout: Layout): ListWriter {
  const lineEnd = layout.excel ? '\r\n' : '\n';
  const delimiter = layout.delimiter ?? ',';
  const cell = cellOf(layout, delimiter);
  let columns: ReturnType<typeof recordColumns> | undefined;

  // A record that is one empty cell would be an empty line, which readers skip.
  const line = (text: string): string => `${text === '' ? '""' : text}${lineEnd}`;

  function start(items: readonly unknown[]): string {
    columns = recordColumns(printableShape(shape, items), layout.fields);
    const header =
      layout.header === false ? '' : line(columns.map(({ name }) => cell(name || 'value')).join(delimiter));
    return (layout.excel ? BYTE_ORDER_MARK : '') + header;
  }

  function record(item: unknown): string {
    let text = '';
    let isFirst = true;
    for (const { read } of columns ?? []) {
      text += isFirst ? cell(read(item)) : delimiter + cell(read(item));
      isFirst = false;
    }
    return line(text);
  }

  return {
    page(items) {
      if (items.length === 0) return '';
      let text = columns === undefined ? start(items) : '';
      for (const item of items) text += record(item);
      return text;
    },
    end: () => (columns === undefined ? start([]) : ''),
  };
}

export const csv: Writer = {
  list: csvWriter,
  item: (value, shape, layout) => csvWriter(shape, layout).page([value]),
};
