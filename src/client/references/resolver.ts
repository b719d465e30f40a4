/**
 * The one rule that finds what a reference means: a prefix says what it is; without one, the item with that ID, else
 * the one with that key, else the one with that name. Nothing depends on what a text looks like.
 */
import type { Referent } from '../../contract/vocabulary.js';
import { loadOnce } from '../../core/maps.js';
import { findMany, findOne } from './find.js';
import { type Found, type Scope, scopeKey, type Wanted } from './found.js';
import type { ListHost } from './item-lists.js';
import { createItemLists } from './item-lists.js';

export type { Found, Listed, Scope, Wanted } from './found.js';
export type { Match } from './item-index.js';
export type { ListHost as ResolverHost } from './item-lists.js';

export type Resolver = ReturnType<typeof createResolver>;

export function createResolver(host: ListHost) {
  const known = new Map<string, Promise<Found>>();
  const lists = createItemLists(host);

  /**
   * Finds what a reference means. What was found is not looked up again, neither by the same text nor by its ID.
   * @throws EduError if the service is not available
   */
  function find(refersTo: Referent, typed: string, scope: Scope = {}): Promise<Found> {
    const keyOf = (text: string): string => `${refersTo} ${scopeKey(scope)} ${text}`;
    return loadOnce(known, keyOf(typed), async () => {
      const found = await findOne(refersTo, typed, scope, lists, host);
      // An ID that contains a colon may read as a prefix and another ID.
      if (found.is === 'one' && !found.match.id.includes(':')) known.set(keyOf(found.match.id), Promise.resolve(found));
      return found;
    });
  }

  return {
    find,
    findMany: <W extends Wanted>(refersTo: Referent, wanted: readonly W[]) => findMany(refersTo, wanted, lists, host),
    list: lists.list,
    schoolName: lists.schoolName,
  };
}
