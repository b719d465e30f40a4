/**
 * Locates the syntax error of a JSON text. The engine's own messages give no place for short texts and quote the text,
 * which may contain secrets.
 */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
  /** What was expected; quotes nothing from the text. */
  readonly expected: string;
}

class Fault extends Error {
  readonly at: number;
  constructor(at: number, expected: string) {
    super(expected);
    this.at = at;
  }
}

/** The first syntax error of a text. @returns undefined if the text is JSON */
export function jsonFault(text: string): JsonFault | undefined {
  try {
    const end = space(text, value(text, space(text, 0), 0));
    if (end < text.length) throw new Fault(end, 'nothing more');
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const before = text.slice(0, error.at).split('\n');
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, expected: error.message };
  }
}

const MAX_DEPTH = 200;

function value(text: string, at: number, depth: number): number {
  if (depth > MAX_DEPTH) throw new Fault(at, 'less nesting');
  const first = text[at];
  if (first === '{') return members(text, at, '}', depth);
  if (first === '[') return members(text, at, ']', depth);
  if (first === '"') return string(text, at);
  const rest = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
  rest.lastIndex = at;
  if (!rest.test(text)) throw new Fault(at, 'a value');
  return rest.lastIndex;
}

function members(text: string, start: number, close: '}' | ']', depth: number): number {
  let at = space(text, start + 1);
  if (text[at] === close) return at + 1;
  for (;;) {
    if (close === '}') {
      if (text[at] !== '"') throw new Fault(at, 'a name in double quotes');
      at = space(text, string(text, at));
      if (text[at] !== ':') throw new Fault(at, 'a colon');
      at = space(text, at + 1);
    }
    at = space(text, value(text, at, depth + 1));
    if (text[at] === close) return at + 1;
    if (text[at] !== ',') throw new Fault(at, `a comma or ${close}`);
    at = space(text, at + 1);
  }
}

function string(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '"') return at + 1;
    if (char < ' ') throw new Fault(at, 'the closing quote of a text');
    if (char !== '\\') continue;
    const known = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y;
    known.lastIndex = at + 1;
    if (!known.test(text)) throw new Fault(at, 'an escape that JSON knows');
    at = known.lastIndex - 1;
  }
  throw new Fault(text.length, 'the closing quote of a text');
}

function space(text: string, at: number): number {
  let end = at;
  while (end < text.length && ' \t\n\r'.includes(text[end] ?? '')) end++;
  return end;
}
