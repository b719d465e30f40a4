/** Writes all bytes to an open file, because a single write may be partial. */
import { writeSync } from 'node:fs';

/** @throws the system's error */
export function writeAll(handle: number, content: string | Uint8Array): void {
  let rest = typeof content === 'string' ? Buffer.from(content) : content;
  while (rest.length > 0) rest = rest.subarray(writeSync(handle, rest));
}
