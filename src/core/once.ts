/** Makes a value when it is first used. */

/** Returns a function that calls `make` the first time, and returns the same value each time. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
