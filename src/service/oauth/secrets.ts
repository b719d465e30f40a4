/** Constant-time comparison of secrets. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** Hashing makes the lengths equal, which `timingSafeEqual` requires. */
export const sameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());
