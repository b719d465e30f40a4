/** Prints JSON and NDJSON with the service's names, values and order. */
import { exactJson } from '../../core/exact-json.js';
import { safeJsonBytes } from '../sanitize.js';
import type { ListWriter, Text, Writer } from './writer.js';

const COMMA = 0x2c;

function arrayWriter(): ListWriter {
  let isOpen = false;
  return {
    page(items) {
      if (items.length === 0) return '';
      // Removes the end of '[\n  {…},\n  {…}\n]'. In later pages the opening bracket becomes the comma.
      const bytes = safeJsonBytes(exactJson(items, 2)).subarray(0, -2);
      if (isOpen) bytes[0] = COMMA;
      isOpen = true;
      return bytes;
    },
    end: () => (isOpen ? '\n]\n' : '[]\n'),
  };
}

const linesOf = (items: readonly unknown[]): Text =>
  safeJsonBytes(items.map((item) => `${exactJson(item)}\n`).join(''));

export const json = {
  list: arrayWriter,
  item: (value: unknown) => safeJsonBytes(`${exactJson(value, 2)}\n`),
} satisfies Writer;

export const ndjson: Writer = { list: () => ({ page: linesOf, end: () => '' }) };
