/** Formats values for tables: yes and no, names instead of references, `3/10`, `365 days`. */

import { isObject, type JsonObject } from '../../core/json.js';
import { cellText } from '../writers/records.js';

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** `2026-01-31T08:30:00.123+0100` → `2026-01-31 08:30:00 +0100`, in the service's time zone. */
const TIMESTAMP = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/;
const moment = (value: string): string =>
  value.replace(TIMESTAMP, (_, day: string, time: string, zone?: string) => `${day} ${time}${zone ? ` ${zone}` : ''}`);

const personOf = ({ firstName, lastName }: JsonObject): string =>
  [firstName, lastName].map(text).filter(Boolean).join(' ');

function nameOf(item: JsonObject): string {
  const person = personOf(item);
  const address = text(item.email);
  if (person !== '') return address === '' ? person : `${person} <${address}>`;
  return text(item.title) || text(item.translatedName) || text(item.name) || address;
}

function describe(item: JsonObject, detailed: boolean): string {
  const name = nameOf(item);
  const id = text(item.id);
  if (name !== '') return detailed && id !== '' ? `${name} (${id})` : name;
  // An organization reference.
  if (id !== '') return [text(item.type), id].filter(Boolean).join(' ');
  const parts = Object.entries(item).map(([key, value]) => [splitCamelCase(key), phrases(value, detailed).join(', ')]);
  return parts
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key} ${value}`)
    .join(', ');
}

/** `pageNumberOffset` → `page number offset`. A single letter begins a word, as in `iPad`. */
export const splitCamelCase = (name: string): string =>
  name
    .replace(/([a-z]{2}|\d)([A-Z])/g, '$1 $2')
    .replace(/(?<![A-Za-z])(?![a-z][A-Z])[A-Za-z]+/g, (word) => word.toLowerCase());

/** Permissions by resource: `Create/Update Book`. Undefined if the items are something else. */
function permissions(items: readonly unknown[]): string[] | undefined {
  const operations = new Map<string, string[]>();
  for (const item of items) {
    const { resource, operation } = objectOf(item);
    if (typeof resource !== 'string' || typeof operation !== 'string') return undefined;
    operations.set(resource, [...(operations.get(resource) ?? []), operation]);
  }
  return [...operations].map(([resource, names]) => `${names.join('/')} ${resource}`);
}

/**
 * Formats a value as phrases: none for null, one per item of a list.
 * @param detailed adds the IDs of referenced items
 */
export function phrases(value: unknown, detailed: boolean): string[] {
  if (value === null || value === undefined || value === '') return [];
  if (typeof value === 'boolean') return [value ? 'yes' : 'no'];
  if (typeof value === 'string') return [moment(value)];
  if (Array.isArray(value)) {
    return permissions(value) ?? value.map((item) => phrases(item, detailed).join(', ') || '–');
  }
  const phrase = isObject(value) ? describe(value, detailed) : cellText(value);
  return phrase === '' ? [] : [phrase];
}

/** Formatters for columns that combine several fields of an item. */
export const FORMATTERS = {
  /** For licences and subscriptions: `3/10` activations are used. */
  used(item: unknown, detailed: boolean): string[] {
    const { numberOfActivations, maximumActivations } = objectOf(item);
    if (numberOfActivations === undefined && maximumActivations === undefined) return [];
    return [`${text(numberOfActivations) || '?'}${detailed ? ' of ' : '/'}${text(maximumActivations) || '?'}`];
  },
  /** For licences: the last day, or the validity after activation. */
  expiry(item: unknown, detailed: boolean): string[] {
    const { date, days } = objectOf(objectOf(item).expiration);
    if (text(date) !== '') return [text(date)];
    return text(days) === '' ? [] : [`${text(days)} days${detailed ? ' after activation' : ''}`];
  },
  /** For groups of licences: the used share of seats, as a bar and a percentage. */
  bar(item: unknown): string[] {
    const { activated, seats } = objectOf(item);
    const share = Number(seats) > 0 ? Math.min(1, Number(activated) / Number(seats)) : 0;
    // The last cell is drawn in eighths, so that a small share is visible.
    const eighths = Math.ceil(share * 80);
    const cells = '█'.repeat(eighths >> 3) + ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'][eighths & 7];
    return [`${cells.padEnd(10, '░')} ${`${Math.round(share * 100)}%`.padStart(4)}`];
  },
  /** The name without the e-mail address. */
  person(item: unknown): string[] {
    const name = personOf(objectOf(item));
    return name === '' ? [] : [name];
  },
} satisfies Record<string, (item: unknown, detailed: boolean) => string[]>;
