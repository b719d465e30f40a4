/** Checks how much of the heap is in use, so that a command ends with an error before V8 aborts the process. */

/** Bytes of the limit that V8 reserves for new objects: three semi-spaces of 16 MB. */
const NEW_SPACE = 48 * 1024 * 1024;
/** Share of the rest that items may take: what is done with them takes some, too. */
const MAX_SHARE = 0.5;

/** Collects garbage now. The flag is set at run time, since `gc` is no part of Node's API. */
function collectGarbage(): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  setFlagsFromString('--expose-gc');
  const gc = process.getBuiltinModule('node:vm').runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  gc();
}

/**
 * Makes a check that is called while items are collected.
 * @returns a function that returns false as soon as what is in use takes more than half of the heap
 */
export function heapRoom(): () => boolean {
  const { getHeapStatistics } = process.getBuiltinModule('node:v8');
  const { heap_size_limit: limit } = getHeapStatistics();
  const max = Math.max(limit - NEW_SPACE, limit / 4) * MAX_SHARE;
  /** Bytes from which on it is worth finding out what is garbage. */
  let suspicious = max;
  return () => {
    if (getHeapStatistics().used_heap_size < suspicious) return true;
    collectGarbage();
    const used = getHeapStatistics().used_heap_size;
    suspicious = Math.max(max, used + max / 4);
    return used < max;
  };
}
