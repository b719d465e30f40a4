/** Delays closing until all running requests have finished, because they may still have files to remove. */
import type { Send } from '../core/http.js';

export function closeWhenIdle(close: () => void) {
  let running = 0;
  let isClosing = false;
  const closeIfIdle = (): void => {
    if (isClosing && running === 0) close();
  };
  return {
    /** Wraps a `Send` so that its requests are waited for. */
    counted:
      (send: Send): Send =>
      async (request) => {
        running++;
        try {
          return await send(request);
        } finally {
          running--;
          closeIfIdle();
        }
      },
    close(): void {
      isClosing = true;
      closeIfIdle();
    },
  };
}
