/** Validates addresses from the service before they are opened. An invalid one is rejected, never repaired. */
import { excerpt } from '../../core/clean-text.js';
import { EduError } from '../../core/errors.js';
import { isLoopback } from '../../core/loopback.js';

/** In characters; some browsers accept fewer. */
const MAX_LENGTH = 8 * 1024;

/**
 * Accepts https (http on this machine) without user name and password, and nothing that a program could read as an
 * option, a second argument or a file.
 * @returns the normalized address, pure ASCII
 * @throws EduError `invalid_response` without the address, because anyone who reads it could use it once
 */
export function checkServiceAddress(address: unknown): string {
  const bad = (why: string): EduError =>
    new EduError('invalid_response', `Cannot open the address from the service: ${why}`, {
      hint: 'Report this to the operator of the service.',
    });
  if (typeof address !== 'string' || address === '') throw bad('it is not text');
  if (address.length > MAX_LENGTH) throw bad(`it is ${address.length} characters long`);
  // The URL parser would remove or repair these characters.
  if (/[\s\\\p{Cc}\p{Cf}"'<>`]/u.test(address)) throw bad('it contains an invalid character');
  if (!/^https?:\/\/[^/]/i.test(address) || !URL.canParse(address)) {
    throw bad(`it is not a web address${schemeOf(address)}`);
  }
  const url = new URL(address);
  if (url.username !== '' || url.password !== '' || /^https?:\/\/[^/?#]*@/i.test(address)) {
    throw bad('it contains a user name or password');
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) throw bad('it is not encrypted (http)');
  return url.href;
}

function schemeOf(address: string): string {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1];
  return scheme === undefined ? '' : ` (${excerpt(scheme, 20)})`;
}
