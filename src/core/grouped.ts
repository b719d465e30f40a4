/** The items with each key, in their order. @param keysOf the keys of an item */
export function grouped<T>(items: Iterable<T>, keysOf: (item: T) => Iterable<string>): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items)
    for (const key of keysOf(item)) {
      const list = groups.get(key);
      if (list === undefined) groups.set(key, [item]);
      else list.push(item);
    }
  return groups;
}
