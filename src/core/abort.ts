/** Watches abort signals at next to no cost: a listener of its own for each request would take longer than most else. */

const watchers = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls a function when a signal is aborted, like a listener that is removed then. A signal has one listener for all of
 * them, which is added once and stays.
 * @returns stops it
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
