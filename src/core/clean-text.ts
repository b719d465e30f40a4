/** Shortens foreign text for messages: one line, without control or bidi characters. */

// Escape sequences go whole, so that "\x1b[31mred" leaves no "[31m" behind (ECMA-48: CSI, then OSC, then two-byte ones).
const ESCAPES =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]/g;

// C0, DEL, C1, line and paragraph separators, soft hyphen, zero-width and bidi controls, byte order mark.
const INVISIBLE = /[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g;

/** One harmless line: control and bidi characters become spaces, runs of spaces one, lone surrogates U+FFFD. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(ESCAPES, ' ').replace(INVISIBLE, ' ').replace(/\s+/g, ' ').trim();
}

/** Maximum number of characters of the service's own words in a message. */
export const LONGEST_EXCERPT = 300;

/**
 * The beginning of a text, cleaned.
 * @param most characters (code points) to keep; a cut text ends in `…`
 */
export function excerpt(text: string, most = LONGEST_EXCERPT): string {
  // Megabytes are not cleaned to show a line of them.
  const clean = cleanText(text.length > most * 8 ? text.slice(0, most * 8) : text);
  const signs = [...clean.slice(0, most * 2)];
  if (signs.length <= most && clean.length <= most * 2) return clean;
  return `${signs.slice(0, most).join('').trimEnd()}…`;
}
