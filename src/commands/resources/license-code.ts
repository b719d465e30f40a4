/** Generates unguessable licence codes of lowercase letters and digits (service-api-v1.md, "Licence"). */

// 32 characters, so that `byte % 32` favours none. Without l, o, 0 and 1, which look alike.
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

/** 16 characters of five bits: 80 bits. */
const LENGTH = 16;

/** @param randomBytes two codes are equal with a probability of 2⁻⁸⁰ */
export const newLicenceCode = (randomBytes: (count: number) => Uint8Array): string =>
  licenceCodeOf(randomBytes(LENGTH));

/** Derives a code from the first 16 bytes. */
export function licenceCodeOf(bytes: Uint8Array): string {
  let code = '';
  for (const byte of bytes.subarray(0, LENGTH)) code += ALPHABET[byte % ALPHABET.length];
  return code;
}
