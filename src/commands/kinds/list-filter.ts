/** Filters of lists: `--search`, and filters by term and activations. */
import { isOn, numberOf, percentOf, textOf, type Values } from '../../cli/command.js';
import { idIn } from '../../client/references/id-in.js';
import { digitsOf } from '../../client/references/spelling.js';
import type { Resource } from '../../contract/resource.js';
import { dayOf } from '../../core/day.js';
import { usageError } from '../../core/errors.js';
import { fold } from '../../core/fold.js';
import { countAt, getPath } from '../../core/json.js';
import { plural } from '../../core/plural.js';
import type { ListFilter } from './spec.js';

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** @param fields the fields to search; default: all texts of an item */
export function searchFilter(text: string, fields: readonly string[] | undefined): ListFilter {
  const wanted = fold(text);
  // Every text contains an empty one.
  if (wanted === '') throw usageError(`--search: "${text}" is nothing to look for, since accents are ignored.`);
  // Books show EANs with hyphens, which the service may store or not.
  const digits = digitsOf(text);
  const textsOf = (item: unknown): readonly string[] =>
    fields === undefined ? textsIn(item) : fields.flatMap((path) => textsIn(getPath(item, path)));
  const isFound = (item: unknown): boolean => {
    const texts = textsOf(item);
    const hasDigits = digits !== undefined && texts.some((one) => digitsOf(one)?.includes(digits));
    return hasDigits || fold(texts.join(' ')).includes(wanted);
  };
  return { keep: (items) => items.filter(isFound) };
}

interface Seats {
  readonly seats: number | undefined;
  readonly used: number | undefined;
  /** True if no seat is left; false if there never was one. */
  readonly isFull: boolean;
  readonly isUnused: boolean;
}

/** Seats of a licence or subscription: how many people can use it, and how many do. */
export function seatsOf(item: unknown): Seats {
  const seats = countAt(item, 'maximumActivations');
  const used = countAt(item, 'numberOfActivations');
  const isFull = seats !== undefined && seats > 0 && used !== undefined && used >= seats;
  return { seats, used, isFull, isUnused: used === 0 };
}

/** A condition on an item. @returns why it cannot be decided, if that is so */
export type Check = (item: unknown) => boolean | string;

export const notShown = (what: string): string => `the service does not show the ${what}`;

/**
 * Filters by conditions; none without any. The second counts the items that cannot be checked: it comes after all other
 * filters, which may leave them out.
 */
export function checkFilters(checks: readonly Check[], [one, several]: Resource['noun']): readonly ListFilter[] {
  if (checks.length === 0) return [];
  const unknown = new Map<string, number>();
  function isKnown(item: unknown): boolean {
    const why = checks.map((check) => check(item)).find((result) => typeof result === 'string');
    if (why !== undefined) unknown.set(why, (unknown.get(why) ?? 0) + 1);
    return why === undefined;
  }
  return [
    { keep: (items) => items.filter((item) => checks.every((check) => check(item) !== false)) },
    {
      keep: (items) => items.filter(isKnown),
      notes: () =>
        Array.from(unknown, ([why, count]) => `${plural(count, `${one} is`, `${several} are`)} left out: ${why}.`),
    },
  ];
}

/**
 * The conditions on term and activations that flags set.
 * @param now milliseconds since the epoch
 * @param endOf the end of an item's term: null if it never ends, undefined if it is not known
 * @param why the end of an item is not known
 */
export function termChecks(
  values: Values,
  now: number,
  endOf: (item: unknown) => string | null | undefined,
  why: (item: unknown) => string = () => notShown('end'),
): readonly Check[] {
  const [before, after] = [textOf(values, 'expires-before'), textOf(values, 'expires-after')];
  const [expired, unused, full] = ['expired', 'unused', 'full'].map((name) => isOn(values, name));
  const free = numberOf(values, 'free');
  const used = percentOf(values, 'used');
  const limited = full || free !== undefined || used !== undefined;
  const today = dayOf(now);

  function isUsed(item: unknown): boolean | string {
    const { seats, used: count, isFull, isUnused } = seatsOf(item);
    if (count === undefined || (limited && seats === undefined)) return notShown('activations');
    const allowed = seats ?? 0;
    return (
      (!unused || isUnused) &&
      (!full || isFull) &&
      (free === undefined || allowed - count >= free) &&
      // 0 of 0 seats is no percentage.
      (used === undefined || (allowed > 0 && count * 100 >= used * allowed))
    );
  }

  function ends(item: unknown): boolean | string {
    const day = endOf(item);
    if (day === undefined) return why(item);
    if (day === null) return false;
    return (before === undefined || day < before) && (after === undefined || day > after) && (!expired || day < today);
  }

  return [
    ...(unused || limited ? [isUsed] : []),
    ...(before !== undefined || after !== undefined || expired ? [ends] : []),
  ];
}

/** Keeps the first of several items with one ID; what has no ID is compared as a whole. */
export function distinct(id = 'id'): (items: readonly unknown[]) => readonly unknown[] {
  const seen = new Set<unknown>();
  return (items) => items.filter((item) => seen.size < seen.add(getPath(item, id) ?? idIn(item) ?? item).size);
}

/** Combines filters: an item has to pass all of them. */
export function allOf(filters: readonly (ListFilter | undefined)[]): ListFilter | undefined {
  const given = filters.filter((filter) => filter !== undefined);
  if (given.length === 0) return undefined;
  return {
    async keep(items) {
      let kept = items;
      for (const filter of given) kept = await filter.keep(kept);
      return kept;
    },
    notes: () => given.flatMap((filter) => filter.notes?.() ?? []),
  };
}
