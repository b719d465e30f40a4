/** Parameters of a request, each of which may be given once (RFC 6749 §3.1, §3.2). */
import { BodyTooLarge, type HttpRequest, readBytes } from '../../core/http.js';

/** The largest body that a form or a token request may have, in bytes. */
const MOST_BODY = 64 * 1024;

export interface Parameters {
  /** The value of a parameter; undefined when it is missing or empty (RFC 6749 §3.1: empty means left out). */
  get(name: string): string | undefined;
  /** Names that were given more than once. */
  readonly repeated: ReadonlySet<string>;
}

/** Parameters from pairs. */
export function parametersOf(pairs: Iterable<readonly [string, string]>): Parameters {
  const values = new Map<string, string>();
  const repeated = new Set<string>();
  for (const [name, value] of pairs) {
    if (values.has(name)) repeated.add(name);
    else values.set(name, value);
  }
  return { get: (name) => values.get(name) || undefined, repeated };
}

function jsonPairs(text: string): (readonly [string, string])[] {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not an object');
  return Object.entries(value).flatMap(([name, item]) => (typeof item === 'string' ? [[name, item] as const] : []));
}

/**
 * Reads the parameters of a body, form-urlencoded or JSON. The document does not show which the token request has: the
 * Content-Type decides, and without a useful one the first character.
 * @returns undefined when the body is neither, or too large
 */
export async function bodyParameters({ headers, body = '' }: HttpRequest): Promise<Parameters | undefined> {
  try {
    const text = (await readBytes(body, MOST_BODY)).toString();
    const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
    const isJson =
      type !== 'application/x-www-form-urlencoded' && (type === 'application/json' || text.trimStart().startsWith('{'));
    return parametersOf(isJson ? jsonPairs(text) : new URLSearchParams(text));
  } catch (error) {
    if (error instanceof BodyTooLarge || error instanceof SyntaxError) return;
    if (error instanceof Error && error.message === 'not an object') return;
    throw error;
  }
}
