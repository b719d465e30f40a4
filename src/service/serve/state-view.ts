/** The records of a state, as JSON, without secrets. */
import type { Store } from '../store/store.js';

/** Collections that may be seen: those of tokens, codes and applications hold secrets or their digests. */
export const COLLECTIONS = [
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

export const isCollection = (name: string): name is CollectionName => (COLLECTIONS as readonly string[]).includes(name);

/** Records that are shown at once. */
const MAX_RECORDS = 1_000;

/** How many records each collection has. */
export const countsIn = (store: Store): Record<CollectionName, number> =>
  store.read(
    () =>
      Object.fromEntries(COLLECTIONS.map((name) => [name, store[name].count({})])) as Record<CollectionName, number>,
  );

/** The first thousand records of a collection behind `after`, and where the rest begins. */
export const recordsIn = (store: Store, name: CollectionName, after = 0): { items: readonly object[]; next?: number } =>
  store.read(() => {
    const { items, next } = store[name].page({}, after, MAX_RECORDS);
    return { items, ...(next === undefined ? {} : { next }) };
  });
