/** Random values that nobody can guess, and digests of them to keep. They know nothing of what they open. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** So many random bytes; the source of all randomness here. */
export type RandomBytes = (size: number) => Uint8Array;

/** 256 random bits in characters that need no escaping anywhere (RFC 6749 §10.10 asks for at least 128). */
export const newSecret = (random: RandomBytes): string => Buffer.from(random(32)).toString('base64url');

/** What is kept of a code or token: who reads the store can't use it. */
export const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** Compares in a time that does not depend on where two texts differ. */
export const sameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());
