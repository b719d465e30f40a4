/** What `--query` made, as text: a list, an object or a plain value, none of which a contract describes. */
import type { Format } from '../../core/formats.js';
import { forPeople, forRecord } from '../sanitize.js';
import { cellText } from '../writers/records.js';
import type { Layout, Text, Writer } from '../writers/writer.js';
import { shapeOf } from './infer.js';

/** `[id, name]`, as a multi-select list makes it, is a record whose columns are numbered. */
function asRecord(row: unknown): unknown {
  return Array.isArray(row) ? Object.fromEntries(row.map((value, index) => [`${index + 1}`, value])) : row;
}

/**
 * The text of a result in a format. Lists are printed like lists, objects like single items; a plain value is itself
 * on a line, and nothing is an empty line, except in JSON.
 */
export function resultText(result: unknown, format: Format, writer: Writer, layout: Layout): Text {
  const isJson = format === 'json' || format === 'ndjson';
  if (Array.isArray(result)) {
    const items: readonly unknown[] = isJson ? result : result.map(asRecord);
    const list = writer.list(shapeOf(items), layout);
    return Buffer.concat([list.page(items), list.end()].map((text) => Buffer.from(text)));
  }
  if (isJson || (typeof result === 'object' && result !== null)) {
    return writer.item(result, shapeOf([result]), layout);
  }
  const text = cellText(result);
  return `${format === 'table' || format === 'csv' ? forPeople(text) : forRecord(text)}\n`;
}
