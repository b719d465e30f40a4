/** Limits how many tasks run at a time; the others wait in a queue. */
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
