/** Prints YAML 1.2 (https://yaml.org/spec/1.2.2). A list is one sequence, written item by item. */
import { tokenAt } from '../../core/exact-json.js';
import { safeJson } from '../sanitize.js';
import type { Writer } from './writer.js';

/** Text that needs no quotes: no character in it has a meaning in YAML. */
const PLAIN = /^\p{L}(?:[\p{L}\p{N} _./@+-]*[\p{L}\p{N}_])?$/u;
/** Words that YAML 1.1 parsers read as booleans, null or numbers. */
const RESERVED = /^(?:true|false|yes|no|on|off|null|y|n|e[\d+-]*)$/i;

/** JSON strings, which escape control characters, are valid YAML. */
const scalar = (value: unknown): string => {
  if (typeof value === 'string' && PLAIN.test(value) && !RESERVED.test(value)) return value;
  return safeJson(JSON.stringify(value ?? null));
};

const isNested = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

/** The first line is not indented. */
function block(value: unknown, indent: string): string {
  if (!isNested(value)) return scalar(value);
  const deeper = `${indent}  `;
  const text = (name: string, inner: unknown): string => tokenAt(value, name) ?? block(inner, deeper);
  const lines = Array.isArray(value)
    ? value.map((item, index) => `- ${text(String(index), item)}`)
    : Object.entries(value).map(
        ([name, inner]) => `${scalar(name)}:${isNested(inner) ? `\n${deeper}` : ' '}${text(name, inner)}`,
      );
  return lines.join(`\n${indent}`);
}

export const yaml = {
  list() {
    let isEmpty = true;
    return {
      page(items) {
        if (items.length > 0) isEmpty = false;
        return items.map((item) => `- ${block(item, '  ')}\n`).join('');
      },
      end: () => (isEmpty ? '[]\n' : ''),
    };
  },
  item: (value: unknown) => `${block(value, '')}\n`,
} satisfies Writer;
