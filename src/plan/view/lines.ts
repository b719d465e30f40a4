/** The lines that show the steps and conflicts of a plan. */
import { grouped } from '../../core/maps.js';
import { compareText } from '../../core/sort/compare-text.js';
import type { Conflict, Subject } from '../steps.js';
import type { PlanView, StepView } from './view.js';

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
  '=': { word: 'present', style: 'dim' },
  '!': { word: 'conflict', style: 'yellow' },
} as const;
export type Sign = keyof typeof SIGNS;

const ORDER = Object.keys(SIGNS);
const SIGN = { create: '+', assign: '+', update: '~', unassign: '-', delete: '-', cancel: '-' } as const;

const STANDING = { present: '=', stale: '!' } as const;

export function signOf(step: StepView | Conflict): Sign {
  if ('verb' in step) return '!';
  const { standing } = step;
  return standing.is === 'open' ? SIGN[step.step.verb] : STANDING[standing.is];
}

export interface Line {
  readonly sign: Sign;
  readonly kind: string;
  readonly key: string;
  readonly detail: string;
  readonly note: string;
  /** Further fields of a new item. */
  readonly more: string;
}

function lineOf(step: StepView | Conflict): Line {
  if ('verb' in step)
    return { sign: '!', kind: KIND[step.resource], key: step.key, detail: step.why, note: '', more: '' };
  const { key, standing, detail, more, why } = step;
  const facts = { sign: signOf(step), kind: KIND[step.step.resource], key };
  if (standing.is === 'present') return { ...facts, detail: 'already done', note: '', more: '' };
  if (standing.is === 'stale') return { ...facts, detail: `not sent: ${standing.why}`, note: '', more: '' };
  const note = step.mails ? 'e-mail with a password' : '';
  return { ...facts, detail: [detail, why].filter(Boolean).join('; '), note, more };
}

/** The lines of a plan by organization, in display order. */
export function sectionsOf({
  steps,
  conflicts,
}: PlanView): readonly { readonly title: string; readonly lines: readonly Line[] }[] {
  const sections = grouped<StepView | Conflict>([...steps, ...conflicts], ({ section: { id, name } }) => [
    id ?? `\u0000${name}`,
  ]);
  const rank = (one: StepView | Conflict): number => {
    const { resource } = 'verb' in one ? one : one.step;
    return ('verb' in one ? 1000 : 0) + KINDS.indexOf(resource) * 10 + ORDER.indexOf(signOf(one));
  };
  return [...sections.values()]
    .map((all) => ({ ...(all[0] as StepView | Conflict).section, all }))
    .sort((a, b) => Number(a.id === null) - Number(b.id === null) || compareText(a.id ?? a.name, b.id ?? b.name))
    .map(({ id, name, all }) => ({
      title: id === null ? (name === '' ? 'Other' : `${name} (new)`) : `${id} ${name}`.trimEnd(),
      lines: all.sort((a, b) => rank(a) - rank(b)).map(lineOf),
    }));
}
