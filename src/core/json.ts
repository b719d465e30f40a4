/** Types of parsed JSON, and access by path. */

/** True if a value is a JSON object: neither null nor an array. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export type JsonObject = Readonly<Record<string, unknown>>;

/** The value at a dotted path of own members, or undefined. */
export function getPath(value: unknown, path: string): unknown {
  // Splitting the path would cost more than all else here.
  if (!path.includes('.')) return isObject(value) && Object.hasOwn(value, path) ? value[path] : undefined;
  let inner = value;
  for (const name of path.split('.')) {
    if (!isObject(inner) || !Object.hasOwn(inner, name)) return undefined;
    inner = inner[name];
  }
  return inner;
}

/** An ID as text: a service may return numbers. @returns undefined if it is blank, or no ID */
export const asId = (value: unknown): string | undefined =>
  (typeof value === 'string' && value.trim() !== '') || typeof value === 'number' ? String(value) : undefined;

/** A count at a path, which may be a text of digits, as in a csv; undefined if it is not known. */
export function countAt(item: unknown, path: string): number | undefined {
  const value = getPath(item, path);
  return typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value)) ? Number(value) : undefined;
}

/** True if V8's error for a text means that it ended too early. */
const isCut = (message: string, length: number): boolean =>
  /end of JSON input|Unterminated string/.test(message) || message.includes(` position ${length}`);

/** The place of the first syntax error of a text, both counted from 1; undefined if the text is JSON. */
export function jsonFault(text: string): { readonly line: number; readonly column: number } | undefined {
  const messageFor = (length: number): string | undefined => {
    try {
      JSON.parse(text.slice(0, length));
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
  };
  if (messageFor(text.length) === undefined) return undefined;
  // V8 names no position for an unexpected token, so the longest beginning without an error is searched.
  let [from, to] = [0, text.length];
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    const message = messageFor(middle);
    if (message === undefined || isCut(message, middle)) from = middle;
    else to = middle - 1;
  }
  const lines = text.slice(0, from).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

/** Follows the nesting of a JSON text, one character after the other. */
export class JsonNesting {
  /** Number of open brackets and braces. */
  depth = 0;
  #inText = false;
  #escaped = false;

  /** @returns true if the character is outside of texts */
  next(char: string): boolean {
    if (this.#inText) {
      if (this.#escaped) this.#escaped = false;
      else if (char === '\\') this.#escaped = true;
      else if (char === '"') this.#inText = false;
      return false;
    }
    if (char === '"') this.#inText = true;
    else if (char === '{' || char === '[') this.depth++;
    else if (char === '}' || char === ']') this.depth--;
    return true;
  }
}

/** Later code follows JSON from outside by recursion. No documented body is nested more than four levels. */
export const MAX_JSON_DEPTH = 100;

/** Counts brackets in the text, because recursing through the parsed value could overflow the stack. */
export function isTooDeep(json: string): boolean {
  const nesting = new JsonNesting();
  for (let at = 0; at < json.length && nesting.depth <= MAX_JSON_DEPTH; at++) nesting.next(json.charAt(at));
  return nesting.depth > MAX_JSON_DEPTH;
}
