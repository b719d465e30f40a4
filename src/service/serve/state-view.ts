/** The records of a state without secrets, for the control route. */
import { VISIBLE } from '../store/schema.js';
import type { Store } from '../store/store.js';
import { NotFound } from './test-users.js';

const MAX_RECORDS = 1_000;

/** A page of a collection after the position `after`, and where the next page starts. @throws NotFound */
export function recordsIn(store: Store, given: string, after = 0): { items: readonly object[]; next?: number } {
  const name = VISIBLE.find((one) => one === given);
  if (name === undefined) {
    throw new NotFound(`there is no collection ${JSON.stringify(given)}: choose from ${VISIBLE.join(', ')}`);
  }
  const { items, next } = store.read(() => store[name].page({}, after, MAX_RECORDS));
  return { items, ...(next === undefined ? {} : { next }) };
}
