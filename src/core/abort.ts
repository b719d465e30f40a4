/** Watches an abort signal with one listener, because a listener for each request is slow. */
import { getOrSet } from './maps.js';

const watchers = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls a function once when a signal is aborted. All functions of a signal share one listener, which is never removed.
 * @returns a function that cancels the call
 */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  const all = getOrSet(watchers, signal, () => {
    const added = new Set<() => void>();
    const runAll = () => {
      for (const one of added) one();
      added.clear();
    };
    signal.addEventListener('abort', runAll, { once: true });
    return added;
  });
  all.add(run);
  return () => all.delete(run);
}
