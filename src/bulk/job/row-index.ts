/** Finds a row by its identity among a million, with 8 to 16 bytes per row. */
import { DIGEST_BYTES } from './identity.js';

/**
 * Indexes the identities of a job's rows.
 * @param rows all identities, in order
 * @returns a function from an identity in a buffer to its row, counted from 1; 0 if there is none
 */
export function indexRows(rows: Buffer): (from: Buffer, at: number) => number {
  const count = rows.length / DIGEST_BYTES;
  let size = 16;
  while (size < count * 2) size *= 2;
  const places = new Uint32Array(size);
  for (let row = 1; row <= count; row++) {
    let place = rows.readUInt32LE((row - 1) * DIGEST_BYTES) & (size - 1);
    while (places[place] !== 0) place = (place + 1) & (size - 1);
    places[place] = row;
  }
  return (from, at) => {
    let place = from.readUInt32LE(at) & (size - 1);
    for (;;) {
      const row = places[place] ?? 0;
      if (row === 0) return 0;
      const start = (row - 1) * DIGEST_BYTES;
      if (rows.compare(from, at, at + DIGEST_BYTES, start, start + DIGEST_BYTES) === 0) return row;
      place = (place + 1) & (size - 1);
    }
  };
}
