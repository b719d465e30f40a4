/** Parses the parameters of a request, each of which may be given once (RFC 6749 §3.1, §3.2). */
import { BodyTooLarge, type HttpRequest, readBytes } from '../../core/http.js';
import { isObject } from '../../core/json.js';

const MAX_BODY_BYTES = 64 * 1024;

export interface Parameters {
  /** Undefined for a missing or empty parameter (RFC 6749 §3.1: an empty one counts as omitted). */
  get(name: string): string | undefined;
  readonly repeated: ReadonlySet<string>;
}

export function parametersOf(pairs: Iterable<readonly [string, string]>): Parameters {
  const values = new Map<string, string>();
  const repeated = new Set<string>();
  for (const [name, value] of pairs) {
    if (values.has(name)) repeated.add(name);
    else values.set(name, value);
  }
  return { get: (name) => values.get(name) || undefined, repeated };
}

/**
 * Reads the parameters of a form-urlencoded or JSON body. The API document does not show the encoding of the token
 * request: the Content-Type decides, or the first character if the Content-Type is neither.
 * @returns undefined when the body is neither, or too large
 */
export async function bodyParameters({ headers, body = '' }: HttpRequest): Promise<Parameters | undefined> {
  try {
    const text = (await readBytes(body, MAX_BODY_BYTES)).toString();
    const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
    const isJson =
      type !== 'application/x-www-form-urlencoded' && (type === 'application/json' || text.trimStart().startsWith('{'));
    if (!isJson) return parametersOf(new URLSearchParams(text));
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return undefined;
    return parametersOf(Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
  } catch (error) {
    if (error instanceof BodyTooLarge || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
