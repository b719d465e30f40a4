/** Filters of licences: by book, user, term and activations. */

import { textOf, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { idsOf } from '../../client/references/id-in.js';
import { idOfItem } from '../../client/references/item-index.js';
import { license, licenses } from '../../contract/licenses.js';
import { dayIn } from '../../core/day.js';
import { isKind } from '../../core/errors.js';
import { forEachConcurrently } from '../../core/for-each.js';
import { asId, countAt, getPath } from '../../core/json.js';
import { andMore } from '../../core/plural.js';
import { allOf, type Check, checkFilters, notShown, seatsOf, termChecks } from '../kinds/list-filter.js';
import type { ListFilter } from '../kinds/spec.js';

const CONCURRENCY = 6;

/** A licence for books has at least one, so null means that the service does not show them. */
const bookCheck =
  (wanted: readonly string[]): Check =>
  (item) => {
    const books = getPath(item, 'books') ?? (getPath(item, 'type') === 'Teacher' ? [] : undefined);
    return idsOf(books)?.some((id) => wanted.includes(id)) ?? notShown('books');
  };

const organizationCheck =
  (wanted: string): Check =>
  (item) => {
    const id = asId(getPath(item, 'organization.id'));
    return id === undefined ? notShown('organization') : id === wanted;
  };

/** A licence for teachers without a date never ends. */
function endOf(item: unknown): string | null | undefined {
  const date = dayIn(getPath(item, 'expiration.date'));
  return date ?? (getPath(item, 'type') === 'Teacher' ? null : undefined);
}

const whyEndless = (item: unknown): string =>
  getPath(item, 'expiration.type') === 'Days' || countAt(item, 'expiration.days') !== undefined
    ? 'the end is N days after activation'
    : notShown('end');

/** Keeps licences that a user has activated. Reads the activations only if `endUsers` may be incomplete. */
export function holderFilter(userId: string, context: Context): ListFilter {
  const unseen: string[] = [];

  async function isAmongActivations(id: string, count: number | undefined): Promise<boolean> {
    const client = await context.client();
    const users: string[] = [];
    try {
      for await (const page of client.pages(licenses.activations, { params: { id } }, { signal: context.signal }))
        for (const user of page.flatMap((one) => asId(getPath(one, 'user')) ?? [])) users.push(user);
      if (users.includes(userId)) return true;
      if (users.length >= (count ?? 0)) return false;
    } catch (error) {
      if (!isKind(error, 'forbidden', 'not_found')) throw error;
    }
    unseen.push(id);
    return false;
  }

  async function isHolder(item: unknown): Promise<boolean> {
    const named = new Set(idsOf(getPath(item, 'endUsers')));
    if (named.has(userId)) return true;
    const count = seatsOf(item).used;
    if (count !== undefined && count <= named.size) return false;
    const id = idOfItem(license, item);
    if (id !== undefined) return isAmongActivations(id, count);
    unseen.push('without an ID');
    return false;
  }

  return {
    async keep(items) {
      const kept: boolean[] = [];
      await forEachConcurrently(items.entries(), CONCURRENCY, async ([index, item]) => {
        kept[index] = await isHolder(item);
      });
      return items.filter((_, index) => kept[index]);
    },
    notes() {
      if (unseen.length === 0) return [];
      const what = unseen.length === 1 ? 'licence' : `${unseen.length} licences`;
      return [`Whether the user holds ${what} ${andMore(unseen.sort())} is not known: not all activations are shown.`];
    },
  };
}

/** Undefined if no flag is given. */
export async function licenceFilter(values: Values, context: Context): Promise<ListFilter | undefined> {
  const books = textsOf(values, 'book');
  const organization = textOf(values, 'organization');
  const holder = textOf(values, 'user');
  const checks = [
    ...(books.length === 0 ? [] : [bookCheck(books)]),
    ...(organization === undefined ? [] : [organizationCheck(organization)]),
    ...termChecks(values, context.now(), endOf, whyEndless),
  ];
  const [fits, known] = checkFilters(checks, license.noun);
  return allOf([fits, holder === undefined ? undefined : holderFilter(holder, context), known]);
}
