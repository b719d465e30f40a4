/** Sets the size of V8's young generation. */
import { setFlag } from '../../core/v8-flags.js';

let done = false;

/** Size of V8's young generation, both halves, in bytes. */
function youngSpace(): number {
  const spaces = process.getBuiltinModule('node:v8').getHeapSpaceStatistics();
  return spaces.find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
}

/**
 * Keeps V8's young generation small. It would grow to 48 MB during a list, although objects of a page are short-lived: a
 * million licences take 125 MB instead of 155 MB. Only on Node 20, where this was measured.
 * @param size bytes up to which it may grow first: does nothing until then
 */
export function keepYoungSpaceSmall(size = 0): void {
  if (done || youngSpace() < size) return;
  done = true;
  setFlag('semi-space-growth-factor', 1);
}
