/** Escapes characters in text from the service that would control a terminal: cursor, colour, direction, line break. */

/**
 * Controls (C0, DEL, C1), line and paragraph separators, direction marks and overrides, invisible characters (soft
 * hyphen, zero-width space, word joiner, byte order mark, annotations, tags) and lone surrogates. The joiners U+200C and
 * U+200D are allowed, because Persian and Sinhala names need them.
 */
const UNSAFE =
  /[\0-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\u{e0000}-\u{e007f}]/gu;

/** Printable ASCII, which is safe and by far the most common text. */
const PLAIN = /^[ -~]*$/;
const PLAIN_WITHOUT_BACKSLASH = /^[ -[\]-~]*$/;

/** More combining marks than this on one letter cover the lines above and below. */
const MARK_FLOOD = /(\p{M}{8})\p{M}+/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(char: string): string {
  const short = SHORT[char];
  if (short !== undefined) return short;
  const hex = Number(char.codePointAt(0)).toString(16);
  if (hex.length <= 2) return `\\x${hex.padStart(2, '0')}`;
  return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\u{${hex}}`;
}

/** Escapes unsafe characters and line breaks. Not reversible: backslashes stay as they are. */
export function forPeople(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(UNSAFE, escaped).replace(MARK_FLOOD, '$1');
}

/** Like `forPeople`, but keeps line breaks and tabs. */
export const forTerminal = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => line.split('\t').map(forPeople).join('\t'))
    .join('\n');

/** Like `forPeople`, but doubles backslashes, so that the escapes can be decoded. */
export function forRecord(text: string): string {
  if (PLAIN_WITHOUT_BACKSLASH.test(text)) return text;
  return text.replaceAll('\\', '\\\\').replace(UNSAFE, escaped);
}

/** Like `forRecord`, for TSV with a header, which table readers read: a quote at the start would open a quoted cell. */
export const forTable = (text: string): string => forRecord(text).replace(/^"/, '\\x22');

/** @param maxLength in UTF-16 units; a longer text is cut, followed by its length */
export function escapedExcerpt(text: string, maxLength: number): string {
  if (text.length <= maxLength) return forPeople(text);
  // Do not split a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text[maxLength - 1] ?? '') ? maxLength - 1 : maxLength;
  return `${forPeople(text.slice(0, end))}… (${text.length} characters)`;
}

/** Characters with a meaning in Markdown or HTML, which a backslash escapes. */
const SPECIAL_IN_MARKDOWN = /[\\`*_[\]<>|~&$!#]/g;

/**
 * What GitHub and GitLab would turn into a mention, which notifies people, or into a link, even if it is escaped: `@team`,
 * `#12`, `!12`, `GH-12`, addresses.
 */
const REFERENCE = /(?<![\w.+-])@(?=\w)|[#!](?=\d)|\bGH-(?=\d)|\b(?:https?|ftp):(?=\/\/)|\bwww(?=\.)/gi;

/** Escapes a text for Markdown. An empty comment, which is not shown, ends a reference before it is one. */
export const forMarkdown = (text: string): string =>
  text.replace(SPECIAL_IN_MARKDOWN, '\\$&').replace(REFERENCE, '$&<!-- -->');

/** Characters that JSON.stringify does not escape and that may control a terminal. */
const UNSAFE_IN_JSON = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const unicodeEscape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Characters that people do not see and language models read, controls included, except line breaks. */
const UNSEEN =
  /[\0-\x09\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\u{e0000}-\u{e007f}]|\p{Variation_Selector}/gu;

/** Escapes everything in a JSON text that is not visible as `\u…`, which leaves the data unchanged. */
export const visibleJson = (json: string): string =>
  json.replace(UNSEEN, (found) => found.split('').map(unicodeEscape).join(''));

/** The first UTF-8 bytes of the characters in `UNSAFE_IN_JSON`. */
const SUSPECTS = ['\x7f', '\xc2', '\xd8\x9c', '\xe2\x80', '\xe2\x81'];

/** Escapes C1, DEL and direction marks as `\u…`, which leaves the data unchanged. */
export const safeJson = (json: string): string => json.replace(UNSAFE_IN_JSON, unicodeEscape);

/**
 * `safeJson` as UTF-8. Searching bytes first is ten times faster than the regular expression, which most JSON does not
 * need: 200,000 items are 80 MB.
 */
export function safeJsonBytes(json: string): Buffer {
  const bytes = Buffer.from(json);
  return SUSPECTS.some((suspect) => bytes.includes(suspect, 0, 'latin1')) ? Buffer.from(safeJson(json)) : bytes;
}
