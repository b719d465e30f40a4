/** Checks values of responses before something is decided by them, which printing them needs not. */
import type { Endpoint, Field } from '../../contract/vocabulary.js';
import { excerpt } from '../../core/clean-text.js';
import { EduError } from '../../core/errors.js';
import { exactJson } from '../../core/exact-json.js';
import { asId, isObject } from '../../core/json.js';

/** True for a value that is neither an object nor a list and of the kind of its field; numbers and texts may stand for each other. */
function isScalar({ kind, choices = [] }: Field, value: unknown): boolean {
  const isNumeric = kind === 'number' || kind === 'integer' || typeof choices[0] === 'number';
  if (kind === 'boolean') return typeof value === 'boolean';
  if (isNumeric && typeof value === 'string') return value.trim() !== '' && Number.isFinite(Number(value));
  return typeof value === 'number' || (!isNumeric && typeof value === 'string');
}

/**
 * Describes the first part of a value that is of another kind than its field. Blank members fit, except IDs of items.
 * @param path where the value is; empty for a whole item
 * @param isItem true for an item, or an item of a list
 * @returns undefined if there is none
 */
function misfit(field: Field, value: unknown, path = '', isItem = true): string | undefined {
  const { kind, of, fields, id } = field;
  const at = (name: string | number): string => (path === '' ? `${name}` : `${path}.${name}`);
  const wrong = (): string => `${path || 'item'} ${excerpt(exactJson(value), 60)}`;
  if (of !== undefined) {
    if (!Array.isArray(value)) return wrong();
    for (const [index, one] of value.entries()) {
      const found = one === null ? `${at(index)} null` : misfit(of, one, at(index));
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (fields === undefined) return kind === 'any' || kind === 'file' || isScalar(field, value) ? undefined : wrong();
  if (!isObject(value)) return wrong();
  if (isItem && id !== undefined && asId(value[id]) === undefined)
    return `${at(id)} ${excerpt(exactJson(value[id] ?? null), 60)}`;
  for (const name in fields) {
    const member = value[name];
    if (member === undefined || member === null) continue;
    const found = misfit(fields[name] as Field, member, at(name), false);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** @throws EduError `invalid_response` for an item of a response that must not be acted on */
export function requireFit<T>({ list, returns, path, method }: Endpoint, item: T): T {
  const field = list?.of ?? returns;
  const found = field && misfit(field, item);
  if (found === undefined) return item;
  const message = `the service returned an item with the invalid ${found} in ${path}`;
  throw new EduError('invalid_response', message, { isReason: true, method, path });
}
