/** Prints YAML 1.2 (https://yaml.org/spec/1.2.2); a list is one sequence, written item by item. */
import { safeJson } from '../sanitize.js';
import { picker } from '../select/fields.js';
import type { Layout, Writer } from './writer.js';

/** Text without a sign that YAML gives a meaning to, on its ends or within. */
const PLAIN = /^\p{L}(?:[\p{L}\p{N} _./@+-]*[\p{L}\p{N}_])?$/u;
/** What YAML 1.1, too, would read as something else than text. */
const RESERVED = /^(?:true|false|yes|no|on|off|null|y|n|e[\d+-]*)$/i;

/** A JSON string is a YAML string; control characters are escaped in it. */
const scalar = (value: unknown): string => {
  if (typeof value === 'string' && PLAIN.test(value) && !RESERVED.test(value)) return value;
  return safeJson(JSON.stringify(value ?? null));
};

const isNested = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

/** The lines of a value, without the indentation of its first line. */
function block(value: unknown, indent: string): string {
  if (!isNested(value)) return scalar(value);
  const deeper = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item) => `- ${block(item, deeper)}`)
    : Object.entries(value).map(([name, inner]) => {
        if (!isNested(inner)) return `${scalar(name)}: ${scalar(inner)}`;
        return `${scalar(name)}:\n${deeper}${block(inner, deeper)}`;
      });
  return lines.join(`\n${indent}`);
}

const pickerFor = ({ fields }: Layout): ((value: unknown) => unknown) =>
  fields === undefined ? (value) => value : picker(fields);

export const yaml: Writer = {
  list(_shape, layout) {
    const pick = pickerFor(layout);
    let isEmpty = true;
    return {
      page(items) {
        if (items.length > 0) isEmpty = false;
        return items.map((item) => `- ${block(pick(item), '  ')}\n`).join('');
      },
      end: () => (isEmpty ? '[]\n' : ''),
    };
  },
  item: (value, _shape, layout) => `${block(pickerFor(layout)(value), '')}\n`,
};
