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

/** Runs a task when fewer than the max are running; others wait in a queue. */
export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

export function limiter(max: number): Limiter {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
