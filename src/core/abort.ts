/** Watches an abort signal with one listener, because a listener for each request is slow. */

const watchers = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls a function once when a signal is aborted. All functions of a signal share one listener, which is never removed.
 * @returns a function that cancels the call
 */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  let all = watchers.get(signal);
  if (all === undefined) {
    const added = new Set<() => void>();
    all = added;
    watchers.set(signal, added);
    signal.addEventListener(
      'abort',
      () => {
        for (const one of added) one();
        added.clear();
      },
      { once: true },
    );
  }
  const own = all;
  own.add(run);
  return () => own.delete(run);
}
