/** The records of a state without secrets, for the control route. */
import type { Store } from '../store/store.js';
import { NotFound } from './test-users.js';

/** The collections that may be read: those of tokens, codes and applications contain secrets or their digests. */
const COLLECTIONS = [
  'organizations',
  'roles',
  'users',
  'books',
  'readers',
  'files',
  'licences',
  'activations',
  'subscriptions',
  'subscriptionUses',
  'classes',
  'classMembers',
  'modifications',
  'logins',
] as const;

export type CollectionName = (typeof COLLECTIONS)[number];

const MAX_RECORDS = 1_000;

/** The number of records of each collection. */
export const countsIn = (store: Store) =>
  store.read(() => Object.fromEntries(COLLECTIONS.map((name) => [name, store[name].count({})])));

/** A page of a collection after the position `after`, and where the next page starts. @throws NotFound */
export function recordsIn(store: Store, given: string, after = 0): { items: readonly object[]; next?: number } {
  const name = COLLECTIONS.find((one) => one === given);
  if (name === undefined) {
    throw new NotFound(`there is no collection ${JSON.stringify(given)}: choose from ${COLLECTIONS.join(', ')}`);
  }
  const { items, next } = store.read(() => store[name].page({}, after, MAX_RECORDS));
  return { items, ...(next === undefined ? {} : { next }) };
}
