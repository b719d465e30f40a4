/** Generates ids, codes and other random texts of the service. */
import type { ServiceContext } from './service-context.js';

type Random = ServiceContext['random'];

/** A new id: 24 hexadecimal digits. */
export const newId = (random: Random): string => Buffer.from(random(12)).toString('hex');

const LETTERS_AND_DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Text of lowercase letters and digits, each as likely as the other. */
export function newCode(random: Random, length: number): string {
  // 252 is the largest multiple of 36 in a byte: taking more would favour some characters.
  let code = '';
  while (code.length < length) {
    for (const byte of random(length)) {
      if (byte < 252 && code.length < length) code += LETTERS_AND_DIGITS[byte % 36];
    }
  }
  return code;
}

/** A secret that can't be guessed, in characters that need no escaping in an address. */
export const newToken = (random: Random): string => Buffer.from(random(32)).toString('base64url');

/** Twelve digits and their check digit, as an EAN-13 has it. The prefix 2 is kept for numbers of one's own (GS1). */
export function newEan(random: Random): string {
  const digits = [2, ...Array.from(random(11), (byte) => byte % 10)];
  const sum = digits.reduce((total, digit, index) => total + digit * (index % 2 === 0 ? 1 : 3), 0);
  return [...digits, (10 - (sum % 10)) % 10].join('');
}
