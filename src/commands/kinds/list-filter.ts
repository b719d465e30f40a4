/** Filters of lists: `--search`, and filters by term and activations. */
import { isOn, numberOf, percentOf, textOf, type Values } from '../../cli/command.js';
import { idIn } from '../../client/references/id-in.js';
import type { Resource } from '../../contract/resource.js';
import { dayOf } from '../../core/day.js';
import { usageError } from '../../core/errors.js';
import { fold } from '../../core/fold.js';
import { getPath } from '../../core/json.js';
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
  // The service returns EANs without the hyphens that books show.
  const digits = /^\d[\d -]*$/.test(wanted) ? wanted.replace(/[ -]/g, '') : wanted;
  const textOfItem = (item: unknown): string => {
    const texts = fields === undefined ? textsIn(item) : fields.flatMap((path) => textsIn(getPath(item, path)));
    return fold(texts.join(' '));
  };
  return {
    keep: (items) =>
      items.filter((item) => {
        const own = textOfItem(item);
        return own.includes(wanted) || own.includes(digits);
      }),
  };
}

/** @returns undefined if the service does not show it; a text of digits is a number that JavaScript cannot represent */
function countAt(item: unknown, path: string): number | undefined {
  const value = getPath(item, path);
  return typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value)) ? Number(value) : undefined;
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

/** Returns the end of an item's term: null if it never ends, undefined if it is not known. */
type EndOf = (item: unknown) => string | null | undefined;

/** The warning of items that a filter cannot check; none for no items. */
const leftOut = (count: number, [one, several]: Resource['noun'], why: string): readonly string[] =>
  count === 0 ? [] : [`${plural(count, `${one} is`, `${several} are`)} left out: ${why}.`];

/**
 * Filters by term and activations; none without such flags. The second counts the items that cannot be checked: it comes
 * after all other filters, which may leave them out.
 * @param now milliseconds since the epoch
 */
export function termFilters(values: Values, now: number, noun: Resource['noun'], endOf: EndOf): readonly ListFilter[] {
  const [before, after] = [textOf(values, 'expires-before'), textOf(values, 'expires-after')];
  const [expired, unused, full] = ['expired', 'unused', 'full'].map((name) => isOn(values, name));
  const [free, used] = [numberOf(values, 'free'), percentOf(values, 'used')];
  const dated = before !== undefined || after !== undefined || expired;
  const limited = full || free !== undefined || used !== undefined;
  if (!dated && !unused && !limited) return [];
  const today = dayOf(now);
  let undated = 0;
  let uncounted = 0;

  /** @returns undefined if the service does not show the activations */
  function isUsed(item: unknown): boolean | undefined {
    if (!unused && !limited) return true;
    const { seats, used: count, isFull, isUnused } = seatsOf(item);
    if (count === undefined || (limited && seats === undefined)) return undefined;
    const allowed = seats ?? 0;
    return (
      (!unused || isUnused) &&
      (!full || isFull) &&
      (free === undefined || allowed - count >= free) &&
      // None of no seats is no share.
      (used === undefined || (allowed > 0 && count * 100 >= used * allowed))
    );
  }

  /** @returns undefined if the end is not known */
  function ends(item: unknown): boolean | undefined {
    if (!dated) return true;
    const end = endOf(item);
    if (end === undefined) return undefined;
    if (end === null) return false;
    return (before === undefined || end < before) && (after === undefined || end > after) && (!expired || end < today);
  }

  function isKnown(item: unknown): boolean {
    if (isUsed(item) === undefined) uncounted++;
    else if (ends(item) === undefined) undated++;
    else return true;
    return false;
  }

  return [
    { keep: (items) => items.filter((item) => isUsed(item) !== false && ends(item) !== false) },
    {
      keep: (items) => items.filter(isKnown),
      notes: () => [
        ...leftOut(undated, noun, `${undated === 1 ? 'it ends' : 'they end'} N days after activation`),
        ...leftOut(uncounted, noun, 'the service does not show the activations'),
      ],
    },
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
