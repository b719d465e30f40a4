/** Compares the sent fields with a response, under the response's field names. */
import type { Field, Fields } from '../../contract/vocabulary.js';
import { excerpt } from '../../core/clean-text.js';
import { getPath, isObject, type JsonObject } from '../../core/json.js';

const plain = (value: unknown): string => String(value).normalize('NFC').trim();

function sameScalar(field: Field, sent: unknown, shown: unknown): boolean {
  const [a, b] = [plain(sent), plain(shown)];
  if (field.kind === 'number' || field.kind === 'integer') return Number(a) === Number(b);
  // The service may return a date as a timestamp.
  if (field.kind === 'date') return b === a || b.startsWith(`${a}T`) || b.startsWith(`${a} `);
  return field.kind === 'choice' ? a.toLowerCase() === b.toLowerCase() : a === b;
}

const idOf = (value: unknown): string => plain(isObject(value) ? (value.id ?? '') : value);

/** Compares lists of IDs; the response may contain objects, in another order. */
function sameList(sent: readonly unknown[], shown: readonly unknown[]): boolean {
  const [a, b] = [new Set(sent.map(idOf)), new Set(shown.map(idOf))];
  return a.size === b.size && [...a].every((id) => b.has(id));
}

const shownValue = (value: unknown): string => excerpt(JSON.stringify(value) ?? 'nothing', 60);

/** A field in which a response differs from the request. */
export interface Difference {
  readonly field: string;
  /** `name is "A", not "B"` */
  readonly text: string;
}

/**
 * The fields in which a response differs from the request. Fields that were not sent, or are not in the response, count
 * as equal.
 * @param fields the body's fields in the contract
 */
export function differences(fields: Fields, sent: JsonObject, shown: JsonObject, prefix = ''): readonly Difference[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const wanted = sent[name];
    if (wanted === undefined || wanted === null || field.kind === 'file' || field.readBack === false) return [];
    const found = getPath(shown, field.readAs ?? name);
    if (found === undefined) return [];
    if (isObject(wanted) && isObject(found)) return differences(field.fields ?? {}, wanted, found, `${prefix}${name}.`);
    const same =
      Array.isArray(wanted) && Array.isArray(found)
        ? sameList(wanted, found)
        : !isObject(wanted) && !isObject(found) && sameScalar(field, wanted, found ?? '');
    const path = `${prefix}${name}`;
    return same ? [] : [{ field: path, text: `${path} is ${shownValue(found)}, not ${shownValue(wanted)}` }];
  });
}

/** Compares keys leniently, as a service may: ignores surrounding spaces and Unicode form, and optionally case. */
export function sameKey(sent: string, shown: unknown, anyCase: boolean): boolean {
  if (typeof shown !== 'string') return false;
  const [a, b] = [plain(sent), plain(shown)];
  return anyCase ? a.toLowerCase() === b.toLowerCase() : a === b;
}
