/** Describes steps in words, with the fields that change. */
import { isObject } from '../../core/json.js';
import { grouped } from '../../core/maps.js';
import { compareText } from '../../core/sort/compare-text.js';
import type { Conflict, Fields, Step, Subject } from '../steps.js';

const KIND: Readonly<Record<Subject, string>> = {
  publishers: 'publisher',
  schools: 'school',
  users: 'user',
  classes: 'class',
  members: 'member',
  licenses: 'licence',
  holders: 'holder',
  books: 'book',
  readers: 'reader',
};

const KINDS = Object.keys(KIND);

/** In display order. */
export const SIGNS = {
  '+': { word: 'add', style: 'green' },
  '~': { word: 'change', style: 'yellow' },
  '-': { word: 'remove', style: 'red' },
  '!': { word: 'conflict', style: 'yellow' },
} as const;
export type Sign = keyof typeof SIGNS;

const ORDER = Object.keys(SIGNS);
const SIGN = { create: '+', assign: '+', update: '~', unassign: '-', delete: '-', cancel: '-', none: '!' } as const;

export const signOf = ({ verb }: Pick<Step | Conflict, 'verb'>): Sign => SIGN[verb];

export interface Line {
  readonly sign: Sign;
  readonly kind: string;
  readonly key: string;
  readonly detail: string;
  readonly note: string;
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(shown).join(', ');
  if (!isObject(value)) return String(value);
  if (value.type === 'Days') return `${shown(value.days)} days`;
  if (value.type === 'Date') return shown(value.date);
  if ('step' in value) return `step ${shown(value.step)}`;
  const { name = value.id } = value;
  if (name !== undefined) return shown(name);
  return Object.entries(value)
    .map(([field, inner]) => `${field} ${shown(inner)}`)
    .join(', ');
}

/** `lastName Brand → Brandt`, for each field that changes. */
function changesOf(before: Fields, after: Fields): string {
  return Object.keys(after)
    .filter((field) => field in before && JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => `${field} ${shown(before[field])} → ${shown(after[field])}`)
    .join(', ');
}

/** The field of a created item that is shown beside its key. */
const DETAILS: Partial<Record<Subject, string>> = {
  users: 'roles',
  classes: 'subject',
  licenses: 'name',
  schools: 'city',
};

function detailOf({ verb, resource, before, after, why }: Step): string {
  if (verb === 'update') return [changesOf(before ?? {}, after ?? {}), why].filter(Boolean).join('; ');
  const field = verb === 'create' ? DETAILS[resource] : undefined;
  if (field === undefined) return why;
  const value = after?.[field];
  return Array.isArray(value) && value.length === 0 ? '' : shown(value);
}

export function lineOf(step: Step | Conflict): Line {
  const facts = { sign: signOf(step), kind: KIND[step.resource], key: step.key };
  if (step.verb === 'none') return { ...facts, detail: step.why, note: '' };
  return { ...facts, detail: detailOf(step), note: step.mails ? 'e-mail with a password' : '' };
}

/** The lines of a plan by organization, in display order. */
export function sectionsOf(
  steps: readonly Step[],
  conflicts: readonly Conflict[],
): readonly { readonly title: string; readonly lines: readonly Line[] }[] {
  const sections = grouped<Step | Conflict>([...steps, ...conflicts], ({ section: { id, name } }) => [
    id ?? `\u0000${name}`,
  ]);
  const rank = (step: Step | Conflict): number =>
    (step.verb === 'none' ? 1000 : 0) + KINDS.indexOf(step.resource) * 10 + ORDER.indexOf(signOf(step));
  return [...sections.values()]
    .map((all) => ({ ...(all[0] as Step | Conflict).section, all }))
    .sort((a, b) => Number(a.id === null) - Number(b.id === null) || compareText(a.id ?? a.name, b.id ?? b.name))
    .map(({ id, name, all }) => ({
      title: id === null ? (name === '' ? 'Other' : `${name} (new)`) : `${id} ${name}`.trimEnd(),
      lines: all.sort((a, b) => rank(a) - rank(b)).map(lineOf),
    }));
}
