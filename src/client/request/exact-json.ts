/**
 * JSON as the service wrote it, as far as JavaScript can hold it. A whole number of more than 15 digits would come out as
 * another one, an id or code above all, and 1e999 as null: such a number is taken as its text instead.
 */

/** What a text must hold to be looked at twice: it is rare, and cheap to find. */
const SUSPICIOUS = /\d{16}|\d[eE]\+?\d{3}/;

/** A number where it stands (RFC 8259 section 6). */
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function isHeld(token: string): boolean {
  const value = Number(token);
  if (!Number.isFinite(value)) return false;
  // Fractions are rounded everywhere, and nobody takes one for a name.
  return !/^-?\d{16,}$/.test(token) || String(value) === token;
}

/** The place behind a string's closing quote. @param start that of its opening one */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') return at + 1;
    if (sign === '\\') at++;
  }
  return text.length;
}

/** A JSON text whose numbers that JavaScript can't hold are strings. */
function quoted(text: string): string {
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
      result += `${text.slice(done, at)}"${token}"`;
      done = at + token.length;
    }
    at += token.length;
  }
  return result + text.slice(done);
}

/**
 * The value of a JSON text.
 * @throws SyntaxError when it is none
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return SUSPICIOUS.test(text) ? JSON.parse(quoted(text)) : value;
}
