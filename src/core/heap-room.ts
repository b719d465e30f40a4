/** Checks the use of the heap, so that a command fails with an error before V8 aborts the process. */

/** Bytes of the heap limit reserved for the young generation: three semi-spaces of 16 MB. */
const NEW_SPACE = 48 * 1024 * 1024;
/** Share of the remaining heap for collected items, because processing them needs memory too. */
const MAX_SHARE = 0.5;

/**
 * Runs a garbage collection. Useful after large objects were dropped, because V8 would let the heap grow first. The flag
 * is set at run time, because Node has no API for it.
 */
export function collectGarbage(): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  setFlagsFromString('--expose-gc');
  const gc = process.getBuiltinModule('node:vm').runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  gc();
}

/** Returns a function to call while items are collected. It returns false once more than half of the heap is in use. */
export function heapRoom(): () => boolean {
  const { getHeapStatistics } = process.getBuiltinModule('node:v8');
  const { heap_size_limit: limit } = getHeapStatistics();
  const max = Math.max(limit - NEW_SPACE, limit / 4) * MAX_SHARE;
  /** Used bytes above which a garbage collection is run for an exact result. */
  let suspicious = max;
  return () => {
    if (getHeapStatistics().used_heap_size < suspicious) return true;
    collectGarbage();
    const used = getHeapStatistics().used_heap_size;
    suspicious = Math.max(max, used + max / 4);
    return used < max;
  };
}
