/**
 * Reads the authorization response from a query: a code, an error, or neither. The state is checked first, for errors
 * too, because any page can send a browser here (RFC 6749, section 10.12; RFC 9700, 4.7).
 */
import { createHash, timingSafeEqual } from 'node:crypto';

export type Answer =
  /** Not an answer: something is missing or repeated. */
  | { readonly kind: 'malformed' }
  /** An answer, but to another login. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'code'; readonly code: string; readonly state: string }
  | {
      readonly kind: 'refused';
      readonly state: string;
      readonly error: string;
      readonly description: string | undefined;
    };

/** The digest that a state is compared by, so that comparing tells nothing about how much of it was right. */
export const digestOf = (state: string): Buffer => createHash('sha256').update(state).digest();

/**
 * Reads the answer in a query.
 * @param query without its question mark
 * @param digests of the states that are waited for
 */
export function answerIn(query: string, digests: readonly Buffer[]): Answer {
  const parameters = new URLSearchParams(query);
  const [state, code, error, description] = ['state', 'code', 'error', 'error_description'].map((name) =>
    parameters.getAll(name),
  ) as [string[], string[], string[], string[]];
  if (state.length !== 1 || code.length + error.length !== 1 || description.length > 1) return { kind: 'malformed' };
  const [given = ''] = state;
  if (given === '') return { kind: 'malformed' };
  const digest = digestOf(given);
  // Every digest is compared, so that the time taken says nothing about which one was right.
  const right = digests.filter((expected) => timingSafeEqual(expected, digest)).length > 0;
  if (!right) return { kind: 'foreign' };
  if (error[0] !== undefined) return { kind: 'refused', state: given, error: error[0], description: description[0] };
  if (!code[0]) return { kind: 'malformed' };
  return { kind: 'code', code: code[0], state: given };
}
