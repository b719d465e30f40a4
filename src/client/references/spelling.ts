/** Parses a reference, and brings the spellings of one key or name into one form. */
import type { Resource, Written } from '../../contract/resource.js';
import { getPath } from '../../core/json.js';

/** A reference as typed, without its prefix and the blanks around it. */
export interface Reference {
  /** What a prefix such as `code:` says that it is; without one, it is tried as each. */
  readonly only?: 'id' | 'key' | 'name';
  readonly text: string;
}

const PREFIXES = (['id', 'name'] as const).map((only) => [`${only}:`, only] as const);

/** @param resources those that the reference can point to; their keys define further prefixes */
export function readReference(typed: string, resources: readonly Resource[]): Reference {
  const text = typed.normalize('NFC').trim();
  const keys = resources.flatMap(({ written }) => written.flatMap(({ prefix }) => prefix ?? []));
  const all = [...PREFIXES, ...keys.map((prefix) => [prefix, 'key'] as const)];
  const found = all.find(([prefix]) => text.startsWith(prefix));
  return found === undefined ? { text } : { only: found[1], text: text.slice(found[0].length).trim() };
}

/** The form in which names are compared: equal but for case and blanks. */
export const nameForm = (text: string): string => text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();

/** The digits of a number that may be written with hyphens, such as an EAN; undefined for another text. */
export function digitsOf(text: string): string | undefined {
  const digits = text.replace(/[\s\u2010-\u2015-]/g, '');
  return /^\d+$/.test(digits) ? digits : undefined;
}

/** The form in which EANs are compared: without hyphens and leading zeros. */
export const eanForm = (text: string): string => digitsOf(text)?.replace(/^0+(?=\d)/, '') ?? nameForm(text);

/** The form in which keys of this kind are compared. */
export const keyForm = (key: Written['key'], text: string): string =>
  key === 'number' ? eanForm(text) : nameForm(text);

/** The text of a key or name of an item; empty if it has none. */
export const writtenText = ({ field }: Written, item: unknown): string =>
  (typeof field === 'string' ? [field] : field)
    .map((path) => getPath(item, path))
    .filter((part) => typeof part === 'string')
    .join(' ')
    .trim();
