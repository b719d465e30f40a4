/** Generates ids, codes, tokens and EANs. */
import { createHash } from 'node:crypto';
import type { ServiceContext } from './service-context.js';

type Random = ServiceContext['random'];

/** 24 hexadecimal digits. */
export const newId = (random: Random): string => Buffer.from(random(12)).toString('hex');

const LETTERS_AND_DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Lowercase letters and digits, all equally likely. */
export function newCode(random: Random, length: number): string {
  // 252 is the largest multiple of 36 in a byte: using larger bytes would make some characters more likely.
  let code = '';
  while (code.length < length) {
    for (const byte of random(length)) {
      if (byte < 252 && code.length < length) code += LETTERS_AND_DIGITS[byte % 36];
    }
  }
  return code;
}

/** Generates codes until one is free. */
export function newFreeCode(random: Random, length: number, isTaken: (code: string) => boolean): string {
  const code = newCode(random, length);
  return isTaken(code) ? newFreeCode(random, length, isTaken) : code;
}

/** 256 random bits as text that needs no escaping in a URL. */
export const newToken = (random: Random): string => Buffer.from(random(32)).toString('base64url');

/** A random EAN-13. GS1 reserves the prefix 2 for internal numbers. */
export const newEan = (random: Random): string =>
  withCheckDigit(`2${Array.from(random(11), (byte) => byte % 10).join('')}`);

/** Appends the check digit of an EAN-13 to its first twelve digits. */
export function withCheckDigit(digits: string): string {
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** The id of a stored token or code: its SHA-256 in hex, so that the state contains no usable secret. */
export const secretId = (secret: string): string => createHash('sha256').update(secret).digest('hex');
