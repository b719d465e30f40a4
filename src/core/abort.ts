/** Watches an abort signal with one listener, because a listener for each request is slow. */
const watchers = new WeakMap<AbortSignal, Set<() => void>>();

function watch(signal: AbortSignal): Set<() => void> {
  const all = new Set<() => void>();
  const runAll = () => {
    for (const one of all) one();
    all.clear();
  };
  signal.addEventListener('abort', runAll, { once: true });
  watchers.set(signal, all);
  return all;
}

/**
 * Calls a function once when a signal is aborted. All functions of a signal share one listener, which is never removed.
 * @returns a function that cancels the call
 */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  const all = watchers.get(signal) ?? watch(signal);
  all.add(run);
  return () => all.delete(run);
}
