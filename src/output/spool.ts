/**
 * Buffers text for a slow reader, so that a pager never delays the next page: the service's cursors are short-lived.
 */
import type { Out } from '../core/io.js';
import type { Text } from './writers/writer.js';

/**
 * UTF-16 units or bytes in the buffer before `write` waits: some 5,000 licences. Pages that arrive meanwhile are kept on
 * disk by the pagination.
 */
const MAX_WAITING = 4 * 1024 * 1024;

export interface Spool {
  /** Adds text; waits only while the buffer is full. Throws the error of an earlier write. */
  write(text: Text): Promise<void>;
  /** Resolves when the reader has taken everything. */
  end(): Promise<void>;
}

export function spool(out: Out, maxWaiting = MAX_WAITING): Spool {
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
        if (size <= maxWaiting) wake?.();
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
      while (running !== undefined && size > maxWaiting) {
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
