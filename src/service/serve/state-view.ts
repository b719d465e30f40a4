/** The records of a state without secrets, for the control route. */
import type { Store } from '../store/store.js';

/** The collections that may be read: those of tokens, codes and applications contain secrets or their digests. */
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

const MAX_RECORDS = 1_000;

/** The number of records of each collection. */
export const countsIn = (store: Store): Record<CollectionName, number> =>
  store.read(
    () =>
      Object.fromEntries(COLLECTIONS.map((name) => [name, store[name].count({})])) as Record<CollectionName, number>,
  );

/** A page of a collection after the position `after`, and where the next page starts. */
export const recordsIn = (store: Store, name: CollectionName, after = 0): { items: readonly object[]; next?: number } =>
  store.read(() => {
    const { items, next } = store[name].page({}, after, MAX_RECORDS);
    return { items, ...(next === undefined ? {} : { next }) };
  });
