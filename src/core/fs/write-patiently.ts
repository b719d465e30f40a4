/** Writes to descriptors that may be non-blocking. */
import { codeOf } from './disk-errors.js';

/** Delay before writing again to a descriptor whose reader is busy. */
const RETRY_MS = 2;

/**
 * Writes all bytes to a descriptor that may be non-blocking, which another process may have made it.
 * @param write returns the number of bytes that it wrote
 */
export async function writePatiently(
  bytes: Uint8Array,
  write: (rest: Uint8Array) => number | Promise<number>,
  signal?: AbortSignal,
): Promise<void> {
  for (let rest = bytes; rest.length > 0; ) {
    try {
      rest = rest.subarray(await write(rest));
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') throw error;
      signal?.throwIfAborted();
      await new Promise((settle) => setTimeout(settle, RETRY_MS));
    }
  }
}
