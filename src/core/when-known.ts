/** Continues with a value that may have to be waited for. */

/** Calls a function with a value: at once, or when its promise resolves. Rows of jobs avoid promises, which cost time. */
export const whenKnown = <T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> =>
  value instanceof Promise ? value.then(next) : next(value);
