/** The key that signs plans: EDU_PLAN_KEY. */
import { createHmac } from 'node:crypto';
import { usageError } from '../core/errors.js';
import type { Env } from '../core/io.js';
import { SHORT_HASH } from './short-hash.js';

/** A shorter key could be guessed from a signed plan. */
const MIN_LENGTH = 32;

/** @param flag that needs the key @throws EduError `usage` if there is no key, or a short one */
export function planKey({ EDU_PLAN_KEY: given = '' }: Env, flag: string): string {
  const key = given.trim();
  if (key.length >= MIN_LENGTH) return key;
  const why = key === '' ? 'EDU_PLAN_KEY is not set' : `EDU_PLAN_KEY has less than ${MIN_LENGTH} characters`;
  throw usageError(
    `Cannot use ${flag}: ${why}.`,
    'Make a key with: openssl rand -hex 32. Keep it where only those can read it who may approve plans.',
  );
}

/** A name for a key that does not disclose it. */
export const keyId = (key: string): string =>
  createHmac('sha256', key).update('ID of a key of edu plans').digest('hex').slice(0, SHORT_HASH);
