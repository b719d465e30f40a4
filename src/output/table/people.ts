/** Formats values for people: yes and no, names instead of references, `3/10`, `365 days`. */
import { cellText } from '../writers/records.js';

type Thing = Readonly<Record<string, unknown>>;

const asThing = (value: unknown): Thing | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Thing) : undefined;

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** `2026-01-31T08:30:00.123+0100` → `2026-01-31 08:30:00 +0100`. The time zone stays the service's own. */
const TIMESTAMP = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/;
const moment = (value: string): string =>
  value.replace(TIMESTAMP, (_, day: string, time: string, zone?: string) => `${day} ${time}${zone ? ` ${zone}` : ''}`);

/** The name that a thing goes by, if it has one. */
function nameOf(thing: Thing): string {
  const person = [thing.firstName, thing.lastName].map(text).filter(Boolean).join(' ');
  const address = text(thing.email);
  if (person !== '') return address === '' ? person : `${person} <${address}>`;
  return text(thing.title) || text(thing.translatedName) || text(thing.name) || address;
}

function describe(thing: Thing, detailed: boolean): string {
  const name = nameOf(thing);
  const id = text(thing.id);
  if (name !== '') return detailed && id !== '' ? `${name} (${id})` : name;
  // An organization reference.
  if (id !== '') return [text(thing.type), id].filter(Boolean).join(' ');
  const parts = Object.entries(thing).map(([key, value]) => [inWords(key), phrases(value, detailed).join(', ')]);
  return parts
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key} ${value}`)
    .join(', ');
}

/** `pageNumberOffset` → `page number offset`. */
export const inWords = (name: string): string => name.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();

/** Permissions by what they are for: `Create/Update Book`. Undefined when the items are something else. */
function permissions(items: readonly unknown[]): string[] | undefined {
  const operations = new Map<string, string[]>();
  for (const item of items) {
    const { resource, operation } = asThing(item) ?? {};
    if (typeof resource !== 'string' || typeof operation !== 'string') return undefined;
    operations.set(resource, [...(operations.get(resource) ?? []), operation]);
  }
  return [...operations].map(([resource, names]) => `${names.join('/')} ${resource}`);
}

/**
 * A value as phrases: none for null, one for each item of a list.
 * @param detailed with the ids of the things named, where there is room
 */
export function phrases(value: unknown, detailed: boolean): string[] {
  if (value === null || value === undefined || value === '') return [];
  if (typeof value === 'boolean') return [value ? 'yes' : 'no'];
  if (typeof value === 'string') return [moment(value)];
  if (Array.isArray(value)) {
    return permissions(value) ?? value.map((item) => phrases(item, detailed).join(', ') || '–');
  }
  const thing = asThing(value);
  const phrase = thing === undefined ? cellText(value) : describe(thing, detailed);
  return phrase === '' ? [] : [phrase];
}

/** What a column can say that no single field says. Each takes the whole item. */
export const SAYINGS = {
  /** A licence or subscription: `3/10` of its activations are used. */
  used(item: unknown, detailed: boolean): string[] {
    const { numberOfActivations, maximumActivations } = asThing(item) ?? {};
    if (numberOfActivations === undefined && maximumActivations === undefined) return [];
    return [`${text(numberOfActivations) || '?'}${detailed ? ' of ' : '/'}${text(maximumActivations) || '?'}`];
  },
  /** A licence: the last day, or how long after activation. */
  expiry(item: unknown, detailed: boolean): string[] {
    const { date, days } = asThing(asThing(item)?.expiration) ?? {};
    if (text(date) !== '') return [text(date)];
    return text(days) === '' ? [] : [`${text(days)} days${detailed ? ' after activation' : ''}`];
  },
  /** A group of licences: the used share of its seats as a bar and a percentage. */
  bar(item: unknown): string[] {
    const { activated, seats } = asThing(item) ?? {};
    const share = Number(seats) > 0 ? Math.min(1, Number(activated) / Number(seats)) : 0;
    // A share above nothing shows: the last cell is drawn in eighths.
    const eighths = Math.ceil(share * 80);
    const cells = '█'.repeat(eighths >> 3) + ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'][eighths & 7];
    return [`${cells.padEnd(10, '░')} ${`${Math.round(share * 100)} %`.padStart(5)}`];
  },
  /** A person's name alone. */
  person(item: unknown): string[] {
    const { firstName, lastName } = asThing(item) ?? {};
    const name = [text(firstName), text(lastName)].filter(Boolean).join(' ');
    return name === '' ? [] : [name];
  },
} satisfies Record<string, (item: unknown, detailed: boolean) => string[]>;
