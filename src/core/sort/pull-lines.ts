/** Converts the pushed lines of a merge to an async generator. */
import type { Sorted } from './sorter.js';

/** Lines per batch. */
const BLOCK = 1000;

/** Ends a merge before its last line. */
class Stopped extends Error {}

/** Yields all lines in batches. The merge waits between batches, and ends if the caller stops. */
export async function* pullLines({ each }: Pick<Sorted, 'each'>): AsyncGenerator<readonly Buffer[]> {
  const full: Buffer[][] = [];
  let block: Buffer[] = [];
  let isEnded = false;
  let isStopped = false;
  let wake = (): void => {};
  let proceed = (): void => {};
  const pushed = (line: Buffer): Promise<void> | undefined => {
    block.push(line);
    if (block.length < BLOCK) return undefined;
    full.push(block);
    block = [];
    wake();
    return new Promise((resolve, reject) => {
      proceed = () => (isStopped ? reject(new Stopped()) : resolve());
    });
  };
  let failure: { readonly error: unknown } | undefined;
  const merged = each((_, line) => pushed(line))
    .catch((error) => {
      failure = { error };
    })
    .then(() => {
      isEnded = true;
      wake();
    });
  try {
    for (;;) {
      const next = full.shift();
      if (next !== undefined) {
        yield next;
        proceed();
      } else if (isEnded) break;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
    if (failure !== undefined) throw failure.error;
    if (block.length > 0) yield block;
  } finally {
    isStopped = true;
    proceed();
    await merged;
  }
}
