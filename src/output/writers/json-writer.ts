/** Prints JSON and NDJSON with the service's names, values and order. */
import { exactJson } from '../../core/exact-json.js';
import { safeJsonBytes } from '../sanitize.js';
import { picker } from '../select/fields.js';
import type { Layout, ListWriter, Text, Writer } from './writer.js';

const COMMA = 0x2c;

type Pick = (items: readonly unknown[]) => readonly unknown[];

function pickerFor({ fields }: Layout): Pick {
  if (fields === undefined) return (items) => items;
  const pick = picker(fields);
  return (items) => items.map(pick);
}

const one = (value: unknown, layout: Layout): unknown => pickerFor(layout)([value])[0];

function arrayWriter(pick: Pick): ListWriter {
  let isOpen = false;
  return {
    page(items) {
      if (items.length === 0) return '';
      // Removes the end of '[\n  {…},\n  {…}\n]'. In later pages the opening bracket becomes the comma.
      const bytes = safeJsonBytes(exactJson(pick(items), 2)).subarray(0, -2);
      if (isOpen) bytes[0] = COMMA;
      isOpen = true;
      return bytes;
    },
    end: () => (isOpen ? '\n]\n' : '[]\n'),
  };
}

function linesOf(items: readonly unknown[]): Text {
  let text = '';
  for (const item of items) text += `${exactJson(item)}\n`;
  return text === '' ? '' : safeJsonBytes(text);
}

export const json: Writer = {
  list: (_shape, layout) => arrayWriter(pickerFor(layout)),
  item: (value, _shape, layout) => safeJsonBytes(`${exactJson(one(value, layout), 2)}\n`),
};

export const ndjson: Writer = {
  list(_shape, layout) {
    const pick = pickerFor(layout);
    return { page: (items) => linesOf(pick(items)), end: () => '' };
  },
  item: (value, _shape, layout) => linesOf([one(value, layout)]),
};
