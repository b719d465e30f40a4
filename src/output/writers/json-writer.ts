/** Prints JSON and NDJSON with the service's names, values and order. */
import { exactJson } from '../../core/exact-json.js';
import { safeJsonBytes } from '../sanitize.js';
import { picker } from '../select/fields.js';
import type { Layout, ListWriter, Text, Writer } from './writer.js';

const COMMA = 0x2c;

function arrayWriter({ fields }: Layout): ListWriter {
  const pick = picker(fields);
  let isOpen = false;
  return {
    page(items) {
      if (items.length === 0) return '';
      // Removes the end of '[\n  {…},\n  {…}\n]'. In later pages the opening bracket becomes the comma.
      const bytes = safeJsonBytes(exactJson(items.map(pick), 2)).subarray(0, -2);
      if (isOpen) bytes[0] = COMMA;
      isOpen = true;
      return bytes;
    },
    end: () => (isOpen ? '\n]\n' : '[]\n'),
  };
}

function linesOf(items: readonly unknown[], { fields }: Layout): Text {
  const pick = picker(fields);
  let text = '';
  for (const item of items) text += `${exactJson(pick(item))}\n`;
  return text === '' ? '' : safeJsonBytes(text);
}

export const json: Writer = {
  list: (_shape, layout) => arrayWriter(layout),
  item: (value, _shape, { fields }) => safeJsonBytes(`${exactJson(picker(fields)(value), 2)}\n`),
};

export const ndjson: Writer = {
  list: (_shape, layout) => ({ page: (items) => linesOf(items, layout), end: () => '' }),
  item: (value, _shape, layout) => linesOf([value], layout),
};
