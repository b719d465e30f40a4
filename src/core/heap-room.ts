/** Checks how much of the heap is taken, so that a command ends with an error before V8 aborts the process. */

/** Share of the heap that items may take: what is done with them takes some, too. */
const MAX_SHARE = 0.5;

/** Collects garbage now. The flag is set at run time, since `gc` is no part of Node's API. */
function collectGarbage(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--expose-gc');
  (process.getBuiltinModule('node:vm').runInNewContext('gc') as () => void)();
}

/**
 * Makes a check that is called while items are collected.
 * @returns false as soon as what is in use takes more than half of the heap
 */
export function heapRoom(): () => boolean {
  const { getHeapStatistics } = process.getBuiltinModule('node:v8');
  const max = getHeapStatistics().heap_size_limit * MAX_SHARE;
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
