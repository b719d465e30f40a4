/** Writes all bytes to an open file: the system may take a part of them only. */
import { writeSync } from 'node:fs';

/** @throws the system's error */
export function writeAll(handle: number, content: string | Uint8Array): void {
  let rest = typeof content === 'string' ? Buffer.from(content) : content;
  while (rest.length > 0) rest = rest.subarray(writeSync(handle, rest));
}
