/**
 * A buffer between what makes text and a stream that may be slow, so that a pager or a busy reader does not stand between
 * two pages of a list: the service's cursors are short-lived. Knows nothing of formats.
 */
import type { Out } from '../core/io.js';
import type { Text } from './writers/writer.js';

/**
 * UTF-16 units or bytes that wait for the reader at most, before what makes them has to wait: some 5,000 licences. What
 * the service has sent beyond that waits on disk, by the walk over the list.
 */
const MOST_WAITING = 4 * 1024 * 1024;

export interface Spool {
  /** Takes the text; waits only when too much is waiting already. Throws what writing an earlier text threw. */
  write(text: Text): Promise<void>;
  /** Resolves when the reader has taken everything. */
  end(): Promise<void>;
}

export function spool(out: Out, mostWaiting = MOST_WAITING): Spool {
  const waiting: Text[] = [];
  let size = 0;
  let failure: { readonly error: unknown } | undefined;
  let running: Promise<void> | undefined;
  let wake: (() => void) | undefined;

  async function run(): Promise<void> {
    try {
      for (let text = waiting.shift(); text !== undefined; text = waiting.shift()) {
        await out.write(text);
        size -= text.length;
        if (size <= mostWaiting) wake?.();
      }
    } catch (error) {
      failure = { error };
      waiting.length = 0;
    }
    running = undefined;
    wake?.();
  }

  const rethrow = (): void => {
    if (failure !== undefined) throw failure.error;
  };

  return {
    async write(text) {
      rethrow();
      if (text.length === 0) return;
      waiting.push(text);
      size += text.length;
      running ??= run();
      while (running !== undefined && size > mostWaiting) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      rethrow();
    },
    async end() {
      await running;
      rethrow();
    },
  };
}
