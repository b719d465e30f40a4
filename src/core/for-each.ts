/** Limits concurrent work. */

/**
 * Works on each item, in order.
 * @param concurrency max items at the same time
 * @throws the first error of `work`; items under way are then left to finish
 */
export async function forEachConcurrently<T>(
  items: Iterable<T>,
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = left.next(); !next.done; next = left.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

/** Runs a task when fewer than the max are running; others wait, those of a smaller `order` first (default 0). */
export type Limiter = <T>(work: () => Promise<T>, order?: number) => Promise<T>;

export function limiter(max: number): Limiter {
  let running = 0;
  const waiting: { readonly order: number; readonly start: () => void }[] = [];
  const wait = (order: number): Promise<void> =>
    new Promise((start) => {
      const at = waiting.findLastIndex((other) => other.order <= order);
      waiting.splice(at + 1, 0, { order, start });
    });
  return async (work, order = 0) => {
    if (running >= max) await wait(order);
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next.start();
    }
  };
}
