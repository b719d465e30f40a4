/** Counts differences, and formats them as text. */
import { exactJson, tokenAt } from '../../core/exact-json.js';
import { EXPORTED, type Resource } from '../../export/collect/resources.js';
import type { Compared, Difference } from '../../export/diff/diff.js';
import type { FieldChange } from '../../export/diff/field-changes.js';
import type { Paint } from '../../output/color.js';
import { counted } from '../../output/progress/meter.js';
import { escapedExcerpt } from '../../output/sanitize.js';

export const KINDS = ['added', 'removed', 'changed', 'not_visible', 'new_field', 'missing_field'] as const;

type Kind = Difference['change'];
export type Count = Record<Kind, number>;

export const noCount = (): Count => Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Count;

/** `3 changed`, `2 new fields`. */
const countOf = (kind: Kind, count: number): string =>
  `${counted(count)} ${kind.replace('_', ' ')}${kind.endsWith('_field') && count !== 1 ? 's' : ''}`;

/** `3 added, 1 removed`; empty if all are 0. */
export const countText = (count: Count): string =>
  KINDS.filter((kind) => count[kind] > 0)
    .map((kind) => countOf(kind, count[kind]))
    .join(', ');

export interface Tally {
  readonly total: Count;
  readonly byResource: Map<Resource, Count>;
  /** Lists that only one export could read, worded to follow "Cannot compare". */
  readonly hidden: string[];
  /** Like `hidden`, for lists that neither could read. */
  readonly unseen: string[];
}

export const newTally = (): Tally => ({ total: noCount(), byResource: new Map(), hidden: [], unseen: [] });

function noteHidden({ resource, hidden, only }: Compared, tally: Tally): void {
  if (only !== undefined) return void tally.hidden.push(`${resource}: only ${only} contains them`);
  for (const side of ['A', 'B', 'either'] as const) {
    const names = hidden.filter((one) => one.in === side).map(({ list }) => list);
    if (names.length === 0) continue;
    const of = names.filter((name) => name !== '').join(', ');
    const into = side === 'either' ? tally.unseen : tally.hidden;
    into.push(`${resource}${of === '' ? '' : ` of ${of}`}: not visible in ${side}`);
  }
}

/** Counts a comparison while it is read. */
export async function* tallied(comparison: AsyncIterable<Compared>, tally: Tally): AsyncGenerator<Compared> {
  for await (const compared of comparison) {
    const count = noCount();
    tally.byResource.set(compared.resource, count);
    noteHidden(compared, tally);
    async function* counting(): Compared['differences'] {
      for await (const some of compared.differences) {
        for (const { change } of some) {
          count[change]++;
          tally.total[change]++;
        }
        yield some;
      }
    }
    yield { ...compared, differences: counting() };
  }
}

/** In UTF-16 units. */
const MAX_LENGTH = 160;

const cut = (text: string): string => escapedExcerpt(text, MAX_LENGTH);

/** One side of a change; undefined if it does not have the field. */
export const shownValue = (change: FieldChange, side: 'before' | 'after'): string | undefined =>
  change[side] === undefined ? undefined : cut(tokenAt(change, side) ?? exactJson(change[side]));

const MARKS = {
  added: ['+', 'green'],
  removed: ['-', 'red'],
  changed: ['~', 'yellow'],
  not_visible: ['?', 'yellow'],
  new_field: ['*', 'yellow'],
  missing_field: ['*', 'yellow'],
} as const;

/** The item's natural key and name, as far as they differ from its key. */
export function nameOf({ resource, before, after, key }: Difference): string {
  const item = after ?? before ?? {};
  const { natural } = EXPORTED[resource];
  const names = [natural === undefined ? undefined : item[natural], item.name ?? item.title ?? item.className];
  const texts = [...new Set(names)].filter((name) => typeof name === 'string' && name !== '' && name !== key);
  return texts.map((name) => cut(String(name))).join(' ');
}

function headOf(difference: Difference): string {
  const { change, key, note } = difference;
  if (change === 'new_field') return `new field ${cut(key)} ${note}`;
  return change === 'missing_field' ? `missing field ${cut(key)} ${note}` : cut(key);
}

export function differenceText(difference: Difference, paint: Paint): string {
  const { change, fields } = difference;
  const [mark, style] = MARKS[change];
  const side = change !== 'not_visible' ? '' : ` (not visible in ${difference.after === null ? 'B' : 'A'})`;
  const name = nameOf(difference);
  const head = `  ${paint(style, `${mark} ${headOf(difference)}`)}${name === '' ? '' : ` ${name}`}${side}\n`;
  const lines = fields.map((one) => {
    const [before, after] = [shownValue(one, 'before') ?? 'nothing', shownValue(one, 'after') ?? 'nothing'];
    return `      ${cut(one.path)}: ${paint('red', before)} → ${paint('green', after)}\n`;
  });
  return head + lines.join('');
}

export function totals({ total, hidden, unseen }: Tally): string {
  const words = countText(total);
  if (words !== '') return words;
  return hidden.length + unseen.length > 0 ? 'No differences in what both can see.' : 'No differences.';
}

/** `licenses: 1 added, 1 removed` for each resource that differs. */
export const summaryLines = ({ byResource }: Pick<Tally, 'byResource'>): readonly string[] =>
  [...byResource].flatMap(([resource, count]) => (countText(count) === '' ? [] : `${resource}: ${countText(count)}\n`));
