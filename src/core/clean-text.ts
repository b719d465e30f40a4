/** Prepares foreign text for messages: short, on one line, without control or bidi characters. */

// Whole escape sequences, so that "\x1b[31mred" leaves no "[31m" behind (ECMA-48: CSI, OSC, two-byte sequences).
const ESCAPES =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]/g;

// C0, DEL, C1, line and paragraph separators, soft hyphen, zero-width and bidi controls, byte order mark.
const INVISIBLE = /[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g;

/** Sanitizes text to one line: control and bidi characters become spaces, lone surrogates U+FFFD. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(ESCAPES, ' ').replace(INVISIBLE, ' ').replace(/\s+/g, ' ').trim();
}

/** The beginning of a text, sanitized. @param maxLength max code points; a shortened text ends in `…` */
export function excerpt(text: string, maxLength = 300): string {
  // A long text is cut first, so that megabytes are not sanitized to show one line.
  const clean = cleanText(text.length > maxLength * 8 ? text.slice(0, maxLength * 8) : text);
  const chars = [...clean.slice(0, maxLength * 2)];
  if (chars.length <= maxLength && clean.length <= maxLength * 2) return clean;
  return `${chars.slice(0, maxLength).join('').trimEnd()}…`;
}

/** Adds a full stop to a text, unless it ends with punctuation, as foreign text may. */
export const endSentence = (text: string): string => (/[.?!…]$/.test(text) ? text : `${text}.`);
