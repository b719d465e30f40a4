/** A plan as text: a tree for a terminal, Markdown for the comment of a pull request, and its counts. */
import { grouped } from '../../core/maps.js';
import { plural } from '../../core/plural.js';
import { compareText } from '../../core/sort/compare-text.js';
import type { Paint } from '../../output/color.js';
import { escapedExcerpt, forMarkdown, forPeople } from '../../output/sanitize.js';
import { isRightToLeft, widthOf, wrap } from '../../output/width.js';
import { SHORT_HASH, type Subject } from '../steps.js';
import type { Entry, Leaving, PlanView } from './view.js';

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
const SIGNS = {
  '+': { word: 'add', style: 'green' },
  '~': { word: 'change', style: 'yellow' },
  '-': { word: 'remove', style: 'red' },
  '=': { word: 'present', style: 'dim' },
  '!': { word: 'conflict', style: 'yellow' },
} as const;
type Sign = keyof typeof SIGNS;

const ORDER = Object.keys(SIGNS);
const SIGN = { create: '+', assign: '+', update: '~', unassign: '-', delete: '-', cancel: '-', none: '!' } as const;

const STANDING = { present: '=', stale: '!' } as const;

const signOf = ({ verb, standing }: Entry): Sign => (standing.is === 'open' ? SIGN[verb] : STANDING[standing.is]);

interface Line {
  readonly sign: Sign;
  readonly kind: string;
  readonly key: string;
  readonly detail: string;
  readonly note: string;
  /** Further fields of a new item. */
  readonly more: string;
}

function lineOf(entry: Entry): Line {
  const { resource, key, standing, detail, more, why } = entry;
  const facts = { sign: signOf(entry), kind: KIND[resource], key };
  if (standing.is === 'present') return { ...facts, detail: 'already done', note: '', more: '' };
  if (standing.is === 'stale') return { ...facts, detail: `not sent: ${standing.why}`, note: '', more: '' };
  const note = entry.mails ? 'e-mail with a password' : '';
  return { ...facts, detail: [detail, why].filter(Boolean).join('; '), note, more };
}

/** The lines of a plan by organization, in display order. */
export function sectionsOf({
  steps,
  conflicts,
}: PlanView): readonly { readonly title: string; readonly lines: readonly Line[] }[] {
  const sections = grouped<Entry>([...steps, ...conflicts], ({ section: { id, name } }) => [id ?? `\u0000${name}`]);
  const rank = (one: Entry): number =>
    (one.verb === 'none' ? 1000 : 0) + KINDS.indexOf(one.resource) * 10 + ORDER.indexOf(signOf(one));
  return [...sections.values()]
    .map((all) => ({ ...(all[0] as Entry).section, all }))
    .sort((a, b) => Number(a.id === null) - Number(b.id === null) || compareText(a.id ?? a.name, b.id ?? b.name))
    .map(({ id, name, all }) => ({
      title: id === null ? (name === '' ? 'Other' : `${name} (new)`) : `${id} ${name}`.trimEnd(),
      lines: all.sort((a, b) => rank(a) - rank(b)).map(lineOf),
    }));
}

const MAX_NAMED = 3;

export function summaryOf({ steps, conflicts }: PlanView) {
  const counts = { add: 0, change: 0, remove: 0, present: 0, conflict: 0 };
  for (const step of steps) counts[SIGNS[signOf(step)].word]++;
  const emails = steps.filter(({ mails, standing }) => mails && standing.is === 'open').length;
  const { conflict: stale, ...others } = counts;
  return { ...others, stale, emails, conflicts: conflicts.length };
}

function leavingText(leaving: readonly Leaving[]): string {
  if (leaving.length === 0) return '';
  const named = leaving.slice(0, MAX_NAMED).map(({ from, count, of }) => `${count} of ${of} in ${from}`);
  const more = leaving.length - MAX_NAMED;
  return ` (${named.join(', ')}${more > 0 ? `, ${more} more` : ''})`;
}

/** `2 to add, 1 to change, 1 e-mail. Plan 3f9a21c0` */
function summaryText(plan: PlanView): string {
  const { add, change, remove, present, stale, emails, conflicts } = summaryOf(plan);
  const parts = [
    ...(add > 0 ? [`${add} to add`] : []),
    ...(change > 0 ? [`${change} to change`] : []),
    ...(remove > 0 ? [`${remove} to remove${leavingText(plan.leaving)}`] : []),
    ...(emails > 0 ? [plural(emails, 'e-mail')] : []),
    ...(present > 0 ? [`${present} already done`] : []),
    ...(stale > 0 ? [`${stale} stale`] : []),
    ...(conflicts > 0 ? [plural(conflicts, 'conflict')] : []),
  ];
  const text = add + change + remove === 0 ? ['nothing to do', ...parts].join(', ') : parts.join(', ');
  return `${text[0]?.toUpperCase()}${text.slice(1)}. Plan ${plan.hash.slice(0, SHORT_HASH)}`;
}

const MAX_LENGTH = 160;

const cell = (text: string): string => forMarkdown(escapedExcerpt(text, MAX_LENGTH));

const rowOf = ({ sign, kind, key, detail, note, more }: Line): string =>
  `| ${SIGNS[sign].word} | ${kind} | ${cell(key)} | ${[cell(detail), note, cell(more)].filter(Boolean).join('; ')} |\n`;

/** A heading with a table for each organization, then the summary. */
export function* markdownOf(plan: PlanView): Generator<string> {
  for (const { title, lines } of sectionsOf(plan)) {
    yield `### ${cell(title)}\n\n| | What | Name | Details |\n|---|---|---|---|\n`;
    for (const line of lines) yield rowOf(line);
    yield '\n';
  }
  yield `${cell(summaryText(plan))}\n`;
}

const MIN_KIND = 8;

const widest = (texts: readonly string[]): number => texts.reduce((max, text) => Math.max(max, widthOf(text)), 0);

const padded = (text: string, width: number): string => text.padEnd(width - widthOf(text) + text.length);

/** Aligns keys and details of lines of one kind. */
function aligned(lines: readonly Line[]): (line: Line) => string {
  const changes = lines.filter(({ sign, detail, note }) => sign !== '!' && detail + note !== '');
  const kinds = [...grouped(changes, ({ kind }) => [kind])].map(([kind, same]) => {
    const key = widest(same.map((line) => line.key)) + 3;
    const detail = widest(same.map((line) => line.detail)) + 4;
    return [kind, { key, detail }] as const;
  });
  const widths = new Map(kinds);
  return ({ sign, kind, key, detail, note }) => {
    if (detail + note === '') return key;
    const width = widths.get(kind);
    if (sign === '!' || width === undefined) return `${key}  ${detail}`;
    return `${padded(key, width.key)}${note === '' ? detail : `${padded(detail, width.detail)}${note}`}`;
  };
}

/** Marks keep two right-to-left values from changing places around the arrow (Unicode UAX #9). */
const plain = ({ key, detail, more, ...line }: Line): Line => ({
  ...line,
  key: forPeople(key),
  detail: isRightToLeft(detail) ? forPeople(detail).replaceAll('→', '\u200e→\u200e') : forPeople(detail),
  more: forPeople(more),
});

/**
 * The lines of a tree, each with its line break.
 * @param isFull with all fields of new items
 * @param columns where lines break between words; undefined for nowhere
 */
export function* treeOf(plan: PlanView, paint: Paint, isFull: boolean, columns = Infinity): Generator<string> {
  for (const { title, lines } of sectionsOf(plan)) {
    yield `${paint('bold', forPeople(title))}\n`;
    const shown = lines.map(plain);
    const width = Math.max(MIN_KIND, widest(shown.map(({ kind }) => kind)) + 2);
    const textOf = aligned(shown);
    const indent = ' '.repeat(width + 4);
    for (const line of shown) {
      const more = isFull && line.more !== '' ? `  (${line.more})` : '';
      const parts = wrap(`${textOf(line)}${more}`, columns - indent.length).map((part) => part.trim());
      yield `  ${paint(SIGNS[line.sign].style, line.sign)} ${line.kind.padEnd(width)}${parts.join(`\n${indent}`)}\n`;
    }
  }
  // Sanitized for the terminal, because a summary contains names of classes.
  yield `${wrap(forPeople(summaryText(plan)), columns).join('\n')}\n`;
}
