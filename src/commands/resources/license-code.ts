/** Generates unguessable licence codes of lowercase letters and digits (service-api-v1.md, "Licence"). */

// 32 characters, so that `byte % 32` favours none. Without l, o, 0 and 1, which look alike.
const ALPHABET = Buffer.from('abcdefghijkmnpqrstuvwxyz23456789');

/** 16 characters of five bits: 80 bits. */
const LENGTH = 16;

/** @param randomBytes two codes are equal with a probability of 2⁻⁸⁰ */
export const newLicenceCode = (randomBytes: (count: number) => Uint8Array): string =>
  licenceCodeOf(randomBytes(LENGTH));

/** Derives a code from the first 16 bytes. */
export function licenceCodeOf(bytes: Uint8Array): string {
  // Written as bytes, because a job derives a code for each row, and concatenation allocates much more.
  const code = Buffer.allocUnsafe(LENGTH);
  for (let at = 0; at < LENGTH; at++) code[at] = ALPHABET[(bytes[at] ?? 0) % ALPHABET.length] ?? 0;
  return code.toString('latin1');
}
