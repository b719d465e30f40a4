/** Prints the result of a query over all data: a list, an object or a plain value. */

import { JsonText } from '../../core/json-text.js';
import type { FormatTraits } from '../formats.js';
import { forPeople, forRecord } from '../sanitize.js';
import { cellText, shapeOf } from '../writers/records.js';
import type { Layout, Text, Writer } from '../writers/writer.js';

const PAGE = 1000;

/** A row such as `[id, name]`, from a multi-select list, becomes a record with numbered columns; a large number a text. */
export function asRecord(row: unknown): unknown {
  if (row instanceof JsonText) return row.text;
  return Array.isArray(row) ? Object.fromEntries(row.map((value, index) => [`${index + 1}`, value])) : row;
}

/**
 * Lists are printed as lists, objects as single items. A plain value is printed on a line, and nothing as an empty
 * line, except in formats for programs.
 */
export function* resultText(
  result: unknown,
  { machine, escaped }: FormatTraits,
  writer: Writer,
  layout: Layout,
): Generator<Text> {
  if (Array.isArray(result)) {
    const items: readonly unknown[] = machine ? result : result.map(asRecord);
    const list = writer.list(machine ? { kind: 'any', description: '' } : shapeOf(items), layout);
    for (let start = 0; start < items.length; start += PAGE) yield list.page(items.slice(start, start + PAGE));
    yield list.end();
  } else if (machine || (typeof result === 'object' && result !== null && !(result instanceof JsonText))) {
    yield writer.item(result, shapeOf([result]), layout);
  } else {
    const text = cellText(result);
    yield `${escaped ? forRecord(text) : forPeople(text)}\n`;
  }
}
