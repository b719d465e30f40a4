/**
 * Parses and prints JSON without loss. JavaScript numbers cannot hold every whole number of more than 15 digits, nor
 * every fraction: such tokens are kept and printed as they were read.
 */

/** Cheap to search for, and rare; what it finds may be a part of a hexadecimal id. */
const EXPONENT = /\d[eE][+-]?\d{3}/;
const LARGE_EXPONENT = /(?:^|[[:,\s])-?\d[\d.]*[eE][+-]?\d{3}/;

/** Characters of a number that JavaScript may not hold, without sign and exponent. */
const LONG = 16;
const [ZERO, NINE, POINT] = [0x30, 0x39, 0x2e] as const;

const isOfNumber = (unit: number): boolean => (unit >= ZERO && unit <= NINE) || unit === POINT;

/** Returns true if a number of at least LONG digits and points stands outside of quotes. */
function hasLongNumber(text: string): boolean {
  // One of 16 characters in a row stands at a multiple of 16: the others need not be looked at.
  for (let at = LONG - 1; at < text.length; at += LONG) {
    if (!isOfNumber(text.charCodeAt(at))) continue;
    let from = at;
    let to = at + 1;
    while (from > 0 && isOfNumber(text.charCodeAt(from - 1))) from--;
    while (to < text.length && isOfNumber(text.charCodeAt(to))) to++;
    if (to - from >= LONG && /^$|[[:,\s-]/.test(text.charAt(from - 1))) return true;
    at = Math.max(at, to - LONG);
  }
  return false;
}

/** Returns true for a text that must be looked at twice. */
const isSuspicious = (text: string): boolean =>
  hasLongNumber(text) || (EXPONENT.test(text) && LARGE_EXPONENT.test(text));

/** A number where it stands (RFC 8259 section 6). */
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** The numbers of an object or list as they were read, by key. A copy by spread keeps them. */
const TOKENS = Symbol('numbers as they were read');

type Holder = { [TOKENS]?: Map<string, string> };

/** Nothing was read that needs to be written in another way than JSON.stringify does. */
let isPlain = true;

let mark = '';
/** Begins strings that stand for numbers while they are parsed or written; unguessable. */
function markOf(): string {
  if (mark === '') mark = process.getBuiltinModule('node:crypto').randomBytes(16).toString('hex');
  return mark;
}

/** Significant digits and exponent: the same for all spellings of a number. */
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

function isHeld(token: string): boolean {
  const value = Number(token);
  if (!Number.isFinite(value)) return false;
  if (isWhole(token)) return token.length < 16 || String(value) === token;
  return normalized(token) === normalized(String(value));
}

/** What stands for a number that JavaScript cannot hold. */
const inMemory = (token: string): string | number =>
  isWhole(token) || !Number.isFinite(Number(token)) ? token : Number(token);

/** The place behind a string's closing quote. @param start that of its opening one */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') return at + 1;
    if (sign === '\\') at++;
  }
  return text.length;
}

/** A JSON text whose numbers that JavaScript can't hold are strings behind the mark. */
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
    if (!isHeld(token)) {
      result += `${text.slice(done, at)}"${markOf()}${token}"`;
      done = at + token.length;
    }
    at += token.length;
  }
  return result + text.slice(done);
}

function revive(this: Holder, key: string, value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith(mark)) return value;
  const token = value.slice(mark.length);
  this[TOKENS] ??= new Map();
  this[TOKENS].set(key, token);
  isPlain = false;
  return inMemory(token);
}

/**
 * The value of a JSON text.
 * @throws SyntaxError when it is none
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!isSuspicious(text)) return value;
  const replaced = marked(text);
  return replaced === text ? value : JSON.parse(replaced, revive);
}

/** Puts a number at a key of an object or list, to be written as it is spelt. @param token a number as JSON spells it */
export function putNumber(holder: object, key: string, token: string): void {
  (holder as Record<string, unknown>)[key] = inMemory(token);
  if (String(inMemory(token)) === token && Number.isSafeInteger(Number(token))) {
    (holder as Record<string, unknown>)[key] = Number(token);
    return;
  }
  (holder as Holder)[TOKENS] ??= new Map();
  (holder as Holder)[TOKENS]?.set(key, token);
  isPlain = false;
}

/** The number that stands at a key as it was read, if JavaScript cannot hold it and it is still there. */
export function tokenAt(holder: object, key: string): string | undefined {
  if (isPlain) return undefined;
  const token = (holder as Holder)[TOKENS]?.get(key);
  return token !== undefined && (holder as Record<string, unknown>)[key] === inMemory(token) ? token : undefined;
}

/** The JSON of a value, its numbers as they were read. @param space as of JSON.stringify */
export function exactJson(value: unknown, space?: number): string {
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
