/** Constant-time comparison of secrets. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares in a time that does not depend on where two texts differ. */
export const sameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());
