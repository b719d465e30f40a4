/**
 * JSON, two spaces deep on a terminal and in a pipe alike: a list is one array whatever the number of pages, byte for
 * byte what `JSON.stringify` makes of the whole; and NDJSON, an object a line. The service's own names, values, order.
 */
import { picker } from './fields.js';
import { safeJsonBytes } from './sanitize.js';
import type { Layout, ListWriter, Text, Writer } from './writer.js';

type Pick = (items: readonly unknown[]) => readonly unknown[];

function pickerFor({ fields }: Layout): Pick {
  if (fields === undefined) return (items) => items;
  const pick = picker(fields);
  return (items) => items.map(pick);
}

const one = (value: unknown, layout: Layout): unknown => pickerFor(layout)([value])[0];

function arrayWriter(pick: Pick): ListWriter {
  let open = false;
  return {
    page(items) {
      if (items.length === 0) return '';
      // '[\n  {…},\n  {…}\n]' without its last line, so that the next page can follow.
      const text = JSON.stringify(pick(items), null, 2).slice(open ? 1 : 0, -2);
      const joined = open ? `,${text}` : text;
      open = true;
      return safeJsonBytes(joined);
    },
    end: () => (open ? '\n]\n' : '[]\n'),
  };
}

function linesOf(items: readonly unknown[]): Text {
  let text = '';
  for (const item of items) text += `${JSON.stringify(item)}\n`;
  return text === '' ? '' : safeJsonBytes(text);
}

export const json: Writer = {
  list: (_shape, layout) => arrayWriter(pickerFor(layout)),
  item: (value, _shape, layout) => safeJsonBytes(`${JSON.stringify(one(value, layout), null, 2)}\n`),
};

export const ndjson: Writer = {
  list(_shape, layout) {
    const pick = pickerFor(layout);
    return { page: (items) => linesOf(pick(items)), end: () => '' };
  },
  item: (value, _shape, layout) => linesOf([one(value, layout)]),
};
