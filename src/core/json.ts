/** Types of parsed JSON, and access by path. */

/** Whether a value is a JSON object: neither null nor an array. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export type JsonObject = Readonly<Record<string, unknown>>;

/** The value at a dotted path of own members, or undefined. */
export function getPath(value: unknown, path: string): unknown {
  // Most paths are a single name, which needs no split.
  if (!path.includes('.')) return isObject(value) && Object.hasOwn(value, path) ? value[path] : undefined;
  let inner = value;
  for (const name of path.split('.')) {
    if (!isObject(inner) || !Object.hasOwn(inner, name)) return undefined;
    inner = inner[name];
  }
  return inner;
}
