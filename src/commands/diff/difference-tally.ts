/** Counts differences by resource and kind. */

import type { Resource } from '../../export/collect/resources.js';
import type { Compared, Difference } from '../../export/diff/diff.js';
import { counted } from '../../output/progress/meter.js';
import { KINDS } from './diff-shape.js';

type Kind = Difference['change'];
export type Count = Record<Kind, number>;

export const noCount = (): Count => {
  return { added: 0, removed: 0, changed: 0, not_visible: 0, new_field: 0, missing_field: 0 };
};

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
}

export const newTally = (): Tally => ({ total: noCount(), byResource: new Map(), hidden: [] });

function hiddenIn({ resource, hidden, only }: Compared, into: string[]): void {
  if (only !== undefined) {
    into.push(`${resource}: only ${only} holds them`);
    return;
  }
  for (const side of ['A', 'B'] as const) {
    const names = hidden.filter((one) => one.in === side).map(({ list }) => list);
    if (names.length === 0) continue;
    const of = names.filter((name) => name !== '').join(', ');
    into.push(`${resource}${of === '' ? '' : ` of ${of}`}: not visible in ${side}`);
  }
}

/** Counts a comparison while it is read. */
export async function* tallied(comparison: AsyncIterable<Compared>, tally: Tally): AsyncGenerator<Compared> {
  for await (const compared of comparison) {
    const count = noCount();
    tally.byResource.set(compared.resource, count);
    hiddenIn(compared, tally.hidden);
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
