/**
 * Reads the authorization response from a query: a code, an error, or neither. The state is checked first, for errors
 * too, because any page can send a browser here (RFC 6749, section 10.12; RFC 9700, 4.7).
 */
import { createHash, timingSafeEqual } from 'node:crypto';

export type Answer =
  /** A parameter is missing or repeated. */
  | { readonly kind: 'malformed' }
  /** The response belongs to another login. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'code'; readonly code: string; readonly state: string }
  | {
      readonly kind: 'refused';
      readonly state: string;
      readonly error: string;
      readonly description: string | undefined;
    };

/** The digest by which a state is compared, so that timing reveals nothing about the state. */
export const digestOf = (state: string): Buffer => createHash('sha256').update(state).digest();

/** @param query without question mark @param digests digests of the expected states */
export function answerIn(query: string, digests: readonly Buffer[]): Answer {
  const parameters = new URLSearchParams(query);
  const [state, code, error, description] = ['state', 'code', 'error', 'error_description'].map((name) =>
    parameters.getAll(name),
  ) as [string[], string[], string[], string[]];
  if (state.length !== 1 || code.length + error.length !== 1 || description.length > 1) return { kind: 'malformed' };
  const [given = ''] = state;
  if (given === '') return { kind: 'malformed' };
  const digest = digestOf(given);
  // Every digest is compared, so that timing does not reveal which one matched.
  const right = digests.filter((expected) => timingSafeEqual(expected, digest)).length > 0;
  if (!right) return { kind: 'foreign' };
  if (error[0] !== undefined) return { kind: 'refused', state: given, error: error[0], description: description[0] };
  if (!code[0]) return { kind: 'malformed' };
  return { kind: 'code', code: code[0], state: given };
}
