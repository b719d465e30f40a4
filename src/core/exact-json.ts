/**
 * Parses and prints JSON without loss. JavaScript numbers cannot represent every whole number of more than 15 digits, nor
 * every fraction; such tokens are stored and printed as they were read.
 */

/**
 * An item of a list as the service sent it, not parsed. Only for text that `exactJson` would print in the same way, with
 * the keys in the contract's order.
 */
export class JsonText {
  readonly id: string;
  readonly text: string;

  constructor(id: string, text: string) {
    this.id = id;
    this.text = text;
  }
}

/**
 * Matches a text that may contain a number that must be preserved: one of at least 16 digits and points, or with an
 * exponent of at least three digits.
 */
const SUSPICIOUS = /[[:, \n\r\t]-?\d(?:[\d.]{15}|[\d.]*[eE][+-]?\d{3})/;

/** A JSON number (RFC 8259 section 6). */
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** The original tokens of numbers in an object or list, by key. A symbol, so that copies by spread keep them. */
const TOKENS = Symbol('numbers as they were read');

type Holder = { [TOKENS]?: Map<string, string> };

/** True if no number had to be preserved so far, so that JSON.stringify is enough. */
let isPlain = true;

let mark = '';
/** Prefix of strings that represent numbers during parsing and printing; random, so that no text contains it. */
function markOf(): string {
  if (mark === '') mark = process.getBuiltinModule('node:crypto').randomBytes(16).toString('hex');
  return mark;
}

/** Significant digits and exponent, equal for all spellings of a number. */
function normalized(token: string): string {
  const [mantissa = '', exponent = '0'] = token.toLowerCase().replace('-', '').split('e', 2);
  const [whole = '', fraction = ''] = mantissa.split('.', 2);
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  const significant = digits.slice(0, end);
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  return significant === '' ? '0' : `${token.startsWith('-') ? '-' : ''}${significant}e${power}`;
}

const isWhole = (token: string): boolean => /^-?\d+$/.test(token);

function isRepresentable(token: string): boolean {
  const value = Number(token);
  if (!Number.isFinite(value)) return false;
  if (isWhole(token)) return token.length < 16 || String(value) === token;
  return normalized(token) === normalized(String(value));
}

/** The value for a number that JavaScript cannot represent. */
const inMemory = (token: string): string | number =>
  isWhole(token) || !Number.isFinite(Number(token)) ? token : Number(token);

/** The index after a string's closing quote. @param start index of its opening quote */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at];
    if (char === '"') return at + 1;
    if (char === '\\') at++;
  }
  return text.length;
}

/** Replaces numbers that JavaScript cannot represent by strings with the mark. */
function marked(text: string): string {
  let result = '';
  let done = 0;
  for (let at = 0; at < text.length; ) {
    if (text[at] === '"') {
      at = endOfString(text, at);
      continue;
    }
    NUMBER.lastIndex = at;
    const [token] = NUMBER.exec(text) ?? [];
    if (token === undefined) {
      at++;
      continue;
    }
    if (!isRepresentable(token)) {
      result += `${text.slice(done, at)}"${markOf()}${token}"`;
      done = at + token.length;
    }
    at += token.length;
  }
  return result + text.slice(done);
}

function setToken(holder: Holder, key: string, token: string): void {
  holder[TOKENS] ??= new Map();
  holder[TOKENS].set(key, token);
  isPlain = false;
}

function revive(this: Holder, key: string, value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith(mark)) return value;
  const token = value.slice(mark.length);
  setToken(this, key, token);
  return inMemory(token);
}

/** Parses a JSON text, preserving all numbers. @throws SyntaxError if it is not JSON */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'number' && !SUSPICIOUS.test(text)) return value;
  const replaced = marked(text);
  return replaced === text ? value : JSON.parse(replaced, revive);
}

/** Sets a number that `exactJson` prints exactly as given. @param token a JSON number */
export function putNumber(holder: object, key: string, token: string): void {
  const number = Number(token);
  const isExact = Number.isSafeInteger(number) && String(number) === token;
  (holder as Record<string, unknown>)[key] = isExact ? number : inMemory(token);
  if (!isExact) setToken(holder, key, token);
}

/** The original token of a number that JavaScript cannot represent, unless the value was changed. */
export function tokenAt(holder: object, key: string): string | undefined {
  if (isPlain) return undefined;
  const token = (holder as Holder)[TOKENS]?.get(key);
  return token !== undefined && (holder as Record<string, unknown>)[key] === inMemory(token) ? token : undefined;
}

/** Keeps the original token of a number that is copied to another object. @param as its key there */
export function keepToken(from: object, to: object, key: string, as = key): void {
  const token = tokenAt(from, key);
  if (token !== undefined) setToken(to, as, token);
}

/** Prints a value with its numbers as they were read. @param space as for JSON.stringify */
export function exactJson(value: unknown, space?: number): string {
  if (value instanceof JsonText) return value.text;
  if (isPlain) return JSON.stringify(value, null, space);
  const text = JSON.stringify(
    value,
    function (this: object, key: string, member: unknown) {
      const token = tokenAt(this, key);
      return token === undefined ? member : `${markOf()}${token}`;
    },
    space,
  );
  return text?.replaceAll(new RegExp(`"${markOf()}([^"]*)"`, 'g'), '$1');
}
