/** Waits for a state that another process has locked, without blocking the thread, so that signals are handled. */
import { isBusy } from './state-error.js';

/** Other processes hold the lock for milliseconds, and a reset for seconds. */
const MAX_WAIT_MS = 30_000;
const PAUSE_MS = 20;

/**
 * Runs work, and again while the state is locked.
 * @param work must change nothing when it fails
 * @throws StateError if the state is still locked after half a minute; the signal's reason if it is aborted
 */
export async function whenFree<T>(work: () => T, signal?: AbortSignal): Promise<T> {
  const end = performance.now() + MAX_WAIT_MS;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    signal?.throwIfAborted();
  }
}
