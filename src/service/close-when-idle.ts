/** Delays closing until all running requests have finished, because they may still have files to remove. */
import type { Send } from '../core/http.js';

export interface Closing {
  /** Wraps a `Send` so that its requests are waited for. */
  readonly counted: (send: Send) => Send;
  readonly close: () => void;
}

export function closeWhenIdle(close: () => void): Closing {
  let running = 0;
  let isClosing = false;
  const closeIfIdle = (): void => {
    if (isClosing && running === 0) close();
  };
  return {
    counted: (send) => async (request) => {
      running++;
      try {
        return await send(request);
      } finally {
        running--;
        closeIfIdle();
      }
    },
    close() {
      isClosing = true;
      closeIfIdle();
    },
  };
}
