/** Generates licence codes: lowercase letters and digits (service-api-v1.md, "Licence"), unguessable. */

// 32 signs, so that five bits of a byte choose one without favouring any; the look-alikes l, o, 0 and 1 are left out.
const SIGNS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** How long a made code is: 16 signs of five bits, 80 bits. */
const LENGTH = 16;

/**
 * A new licence code.
 * @param randomBytes source of randomness; two codes are the same with a chance of 2⁻⁸⁰
 */
export const newLicenceCode = (randomBytes: (count: number) => Uint8Array): string =>
  licenceCodeOf(randomBytes(LENGTH));

/** The code that follows from bytes, of which it takes the first sixteen. */
export function licenceCodeOf(bytes: Uint8Array): string {
  let code = '';
  for (const byte of bytes.subarray(0, LENGTH)) code += SIGNS[byte % SIGNS.length];
  return code;
}
