/** Reads a list ahead of a slow reader, because cursors are short-lived (service-api-v1.md, "Conventions"). */

/** Bytes of responses that may wait for the reader: about 40,000 licences. */
const MAX_BYTES = 16 * 1024 * 1024;

export interface SizedPage {
  readonly items: readonly unknown[];
  /** Its approximate size: that of the response. */
  readonly bytes: number;
}

/**
 * The items of pages, which are read until more than `maxBytes` wait for the caller.
 * @param read reads the pages; its signal is aborted when the caller stops, or `outer` is aborted
 * @throws the error of `read`, after the pages before it
 */
export async function* readAhead(
  read: (signal: AbortSignal) => AsyncIterable<SizedPage>,
  outer?: AbortSignal,
  maxBytes = MAX_BYTES,
): AsyncGenerator<readonly unknown[]> {
  const stop = new AbortController();
  const abort = () => stop.abort(outer?.reason);
  if (outer?.aborted) abort();
  outer?.addEventListener('abort', abort, { once: true });
  const waiting: SizedPage[] = [];
  let bytes = 0;
  let isOver = false;
  let failure: { readonly error: unknown } | undefined;
  // Never both sides wait: the caller waits for a page, and `read` only while there are some.
  let wake = (): void => {};
  const woken = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });

  async function fill(): Promise<void> {
    try {
      for await (const page of read(stop.signal)) {
        waiting.push(page);
        bytes += page.bytes;
        wake();
        while (bytes > maxBytes && !isOver) await woken();
        if (isOver) return;
      }
    } catch (error) {
      failure = { error };
    }
    isOver = true;
    wake();
  }

  const filling = fill();
  try {
    for (;;) {
      const page = waiting.shift();
      if (page !== undefined) {
        bytes -= page.bytes;
        wake();
        yield page.items;
      } else if (failure !== undefined) throw failure.error;
      else if (isOver) return;
      else await woken();
    }
  } finally {
    outer?.removeEventListener('abort', abort);
    isOver = true;
    stop.abort();
    wake();
    await filling;
  }
}
