/** Buffers text for a slow reader, so that a pager never delays the next request: the service's cursors expire soon. */
import type { Out } from '../core/io.js';
import type { Text } from './writers/writer.js';

/**
 * Maximum size of the buffer, in UTF-16 units or bytes: about 5,000 licences. While it is full, the pagination stores
 * pages on disk.
 */
const MAX_WAITING = 4 * 1024 * 1024;

export interface Spool {
  /** Waits only while the buffer is full. @throws the error of an earlier write */
  write(text: Text): Promise<void>;
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
