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

const ORDER = Object.keys(KIND);

const SIGN = { create: '+', assign: '+', update: '~', unassign: '-', delete: '-', cancel: '-', none: '!' } as const;
export type Sign = (typeof SIGN)[keyof typeof SIGN];
const SIGNS: readonly Sign[] = ['+', '~', '-', '!'];

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

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** `lastName Brand → Brandt`, for each field that changes. */
function changesOf(before: Fields, after: Fields): string {
  return Object.keys(after)
    .filter((field) => !same(before[field], after[field]) && field in before)
    .map((field) => `${field} ${shown(before[field])} → ${shown(after[field])}`)
    .join(', ');
}

function detailOf({ verb, resource, before, after, why }: Step): string {
  if (verb === 'update') return [changesOf(before ?? {}, after ?? {}), why].filter(Boolean).join('; ');
  if (verb === 'create' && resource === 'users')
    return isObject(after) && Array.isArray(after.roles) && after.roles.length > 0 ? shown(after.roles) : '';
  if (verb === 'create' && resource === 'classes') return shown(after?.subject);
  if (verb === 'create' && resource === 'licenses') return shown(after?.name);
  if (verb === 'create' && resource === 'schools') return shown(after?.city);
  return why;
}

/** A step or conflict as the cells of a line. */
export function lineOf(step: Step | Conflict): Line {
  const sign = SIGN[step.verb];
  const facts = { sign, kind: KIND[step.resource], key: step.key };
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
    (step.verb === 'none' ? 1000 : 0) + ORDER.indexOf(step.resource) * 10 + SIGNS.indexOf(SIGN[step.verb]);
  return [...sections.values()]
    .map((all) => ({ ...(all[0] as Step | Conflict).section, all }))
    .sort((a, b) => Number(a.id === null) - Number(b.id === null) || compareText(a.id ?? a.name, b.id ?? b.name))
    .map(({ id, name, all }) => ({
      title: id === null ? (name === '' ? 'Other' : `${name} (new)`) : `${id} ${name}`.trimEnd(),
      lines: all.sort((a, b) => rank(a) - rank(b)).map(lineOf),
    }));
}
