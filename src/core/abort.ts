/** Watches an abort signal with one listener, because a listener for each request is slow. */
const watchers = new WeakMap<AbortSignal, (() => void)[]>();

function watch(signal: AbortSignal): (() => void)[] {
  const all: (() => void)[] = [];
  const runAll = () => {
    for (const one of all.splice(0)) one();
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
  all.push(run);
  return () => {
    const at = all.indexOf(run);
    if (at >= 0) all.splice(at, 1);
  };
}
