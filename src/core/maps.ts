/** Makes values once, and fills maps. */

/** Returns a function that calls `make` the first time, and returns the same value each time. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The value of a key, made and stored if there is none. */
export function getOrSet<K, V>(
  map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

/** The promise of a key, made and stored if there is none. A rejected one is forgotten, so that a later call tries again. */
export function loadOnce<K, V>(
  map: { get(key: K): Promise<V> | undefined; set(key: K, value: Promise<V>): unknown; delete(key: K): unknown },
  key: K,
  load: () => Promise<V>,
): Promise<V> {
  return getOrSet(map, key, () => {
    const loading = load();
    loading.catch(() => map.delete(key));
    return loading;
  });
}

/** The items with each key, in their order. @param keysOf the keys of an item */
export function grouped<T>(items: Iterable<T>, keysOf: (item: T) => Iterable<string>): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) for (const key of keysOf(item)) getOrSet(groups, key, () => []).push(item);
  return groups;
}
