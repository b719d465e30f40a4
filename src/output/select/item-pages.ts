/** Pages of items: how every list arrives, and every step passes it on. */
import { EduError, isKind } from '../../core/errors.js';

export type Pages = AsyncIterable<readonly unknown[]>;

export const PAGE_SIZE = 1000;

/** The only page of a list that is complete in memory. */
export async function* onePage<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  yield items;
}

/** Pages of a list that is complete in memory. */
export async function* inPages(items: readonly unknown[]): AsyncGenerator<readonly unknown[]> {
  for (let start = 0; start < items.length; start += PAGE_SIZE) yield items.slice(start, start + PAGE_SIZE);
}

/** @throws what `change` throws, after the pages before it */
export async function* mapped(
  pages: Pages,
  change: (page: readonly unknown[]) => readonly unknown[] | Promise<readonly unknown[]>,
): Pages {
  for await (const page of pages) yield await change(page);
}

/** @param last the items after all pages */
export async function* followed(pages: Pages, last: () => readonly unknown[]): Pages {
  yield* pages;
  yield last();
}

/**
 * Applies a step that needs the whole list to what could be read of it.
 * @throws the error of a list of which a part could not be read, after the items
 */
export async function* ofWhole(pages: Pages, step: (pages: Pages) => Pages): Pages {
  let failure: EduError | undefined;
  async function* readable(): Pages {
    try {
      yield* pages;
    } catch (error) {
      if (!isKind(error, 'partial')) throw error;
      failure = error;
    }
  }
  const fail = (): void => {
    if (failure !== undefined) throw failure;
  };
  try {
    yield* step(readable());
  } finally {
    // Reported even if a limit ended the list.
    fail();
  }
}

/**
 * Reads a list into memory.
 * @param what the start of the error if it does not fit: `--sort`
 * @throws EduError `internal` before memory is exhausted
 */
export async function collect(pages: Pages, what: string, hint: string): Promise<unknown[]> {
  const { heapRoom } = await import('../../core/heap-room.js');
  const hasRoom = heapRoom();
  const all: unknown[] = [];
  for await (const page of pages) {
    for (const item of page) all.push(item);
    if (!hasRoom()) throw new EduError('internal', `${what} needs more memory than available.`, { hint });
  }
  return all;
}
