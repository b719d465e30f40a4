/** Caches the records of a store in memory, which no other process can change. */
import type { Cache } from './collection.js';

const MAX_CACHED = 10_000;

/** A cache by id that each write empties. @param writes starts and ends of writes so far: odd during a write */
export function cacheBetweenWrites(writes: () => number): Cache {
  let cache = new Map<string, unknown>();
  let since = -1;
  return <T>(id: string, find: () => T): T => {
    const now = writes();
    if (now % 2 === 1) return find();
    if (now !== since || cache.size >= MAX_CACHED) {
      cache = new Map();
      since = now;
    }
    if (cache.has(id)) return cache.get(id) as T;
    const found = find();
    cache.set(id, found);
    return found;
  };
}
