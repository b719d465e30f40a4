/** Decodes an input: by --encoding, a byte order mark, or strict UTF-8. An encoding is never guessed. */
import { isUtf8 } from 'node:buffer';
import { cleanText } from '../clean-text.js';
import { type EduError, type Problem, usageError } from '../errors.js';
import { getOrSet } from '../maps.js';
import { didYouMean } from '../suggest.js';

export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'iso-8859-2',
  'iso-8859-15',
  'macintosh',
] as const;

export type Encoding = (typeof ENCODINGS)[number];

const OTHER_NAMES: Readonly<Record<string, Encoding>> = {
  utf8: 'utf-8',
  utf16: 'utf-16le',
  'utf-16': 'utf-16le',
  // As on the web: ISO 8859-1 has control characters where files have € and typographic quotes.
  latin1: 'windows-1252',
  'iso-8859-1': 'windows-1252',
  cp1252: 'windows-1252',
  cp1250: 'windows-1250',
  ansi: 'windows-1252',
};

/** The encoding that a name means, ignoring case. @throws a usage error that lists the known names */
export function encodingOf(name: string): Encoding {
  const lower = name.trim().toLowerCase();
  const found = ENCODINGS.find((known) => known === lower) ?? OTHER_NAMES[lower];
  if (found !== undefined) return found;
  throw usageError(
    `--encoding ${JSON.stringify(name)} is unknown.`,
    didYouMean(name, ENCODINGS) ?? `Use one of ${ENCODINGS.join(', ')}.`,
  );
}

/** The characters of the bytes 0x80 to 0x9f in windows-1252 (https://encoding.spec.whatwg.org/index-windows-1252.txt). */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Decodes windows-1252 without TextDecoder, which treats it as ISO 8859-1 in some versions of Node. */
function latin(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return text.replace(/[\u0080-\u009f]/g, (char) => WINDOWS_1252[char.charCodeAt(0) - 0x80] ?? char);
}

function markOf(head: Uint8Array): { readonly encoding: Encoding; readonly length: number } | undefined {
  const [a, b, c] = head;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { encoding: 'utf-8', length: 3 };
  if (a === 0xff && b === 0xfe) return { encoding: 'utf-16le', length: 2 };
  if (a === 0xfe && b === 0xff) return { encoding: 'utf-16be', length: 2 };
  return undefined;
}

/** The offset of the first byte that is not UTF-8. */
function firstBad(bytes: Uint8Array): number {
  for (let at = 0; ; ) {
    const length = [1, 2, 3, 4].find((count) => isUtf8(bytes.subarray(at, at + count)));
    if (length === undefined || at >= bytes.length) return at;
    at += length;
  }
}

/** Number of bytes at the end that begin a sequence continued in the next chunk. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

/** Encodings whose readings of a cell are shown, the likeliest first. */
const CANDIDATES: readonly Encoding[] = ['windows-1252', 'windows-1250', 'windows-1251', 'iso-8859-15', 'macintosh'];

/** Max bytes of a cell before and behind a byte that are shown. */
const MAX_SHOWN = 40;

/** Ends the cell that is shown, as both ends do: others may be of columns that are never read, such as passwords. */
const BETWEEN_CELLS = new Set([undefined, ...Buffer.from('\n\r\t,;|"')]);

const textIn = (encoding: Encoding, bytes: Uint8Array): string =>
  encoding === 'windows-1252' ? latin(bytes) : new TextDecoder(encoding).decode(bytes);

/** The cell around a byte that is not UTF-8, as each likely encoding reads it; equal readings once. */
function readings(bytes: Uint8Array, bad: number): readonly Problem[] {
  const isWithin = (at: number): boolean => !BETWEEN_CELLS.has(bytes[at]);
  let [from, end] = [bad, bad];
  while (isWithin(from - 1) && from > bad - MAX_SHOWN) from--;
  while (isWithin(end) && end < bad + MAX_SHOWN) end++;
  const cell = bytes.subarray(from, end);
  const found = new Map<string, Encoding>();
  for (const encoding of CANDIDATES) {
    const text = textIn(encoding, cell);
    if (!/[\u0080-\u009f\ufffd]/.test(text)) getOrSet(found, cleanText(text), () => encoding);
  }
  return [...found].map(([text, encoding]) => ({ where: `--encoding ${encoding}`, message: text }));
}

function notUtf8(offset: number, bytes: Uint8Array, bad: number, shown: string): EduError {
  const byte = bytes[bad];
  const hex = `0x${(byte ?? 0).toString(16).padStart(2, '0')}`;
  const isUtf16 = byte === 0;
  const way = isUtf16
    ? `It looks like UTF-16 without a byte order mark: pass --encoding utf-16${offset % 2 === 0 ? 'be' : 'le'}.`
    : 'Pass the encoding that shows the cell correctly above, such as --encoding windows-1252.';
  const problem = { where: `byte ${offset}`, message: `${hex} is not UTF-8` };
  const others = isUtf16 ? [] : readings(bytes, bad);
  const hint = `${way} Or save it as "CSV UTF-8".`;
  return usageError(`${shown} is not UTF-8: byte ${hex} at offset ${offset}.`, hint, [problem, ...others]);
}

/**
 * The text of a stream of bytes, chunk by chunk, without its byte order mark.
 * @param asked the encoding that overrides detection
 * @param shown the name of the input in messages
 * @returns also the encoding, which is valid once the first chunk of text was read
 * @throws a usage error naming the offset of the first byte that does not fit
 */
export function decode(bytes: AsyncIterable<Uint8Array>, asked: Encoding | undefined, shown: string) {
  let encoding: Encoding = asked ?? 'utf-8';
  let marked = false;

  async function* text(): AsyncGenerator<string> {
    let offset = 0;
    let pending: Uint8Array = new Uint8Array(0);
    let begun = false;
    let decoder: InstanceType<typeof TextDecoder> | undefined;
    const begin = (head: Uint8Array): Uint8Array => {
      begun = true;
      const mark = markOf(head);
      // The name utf-16 leaves the byte order to the mark (RFC 2781, section 4.3).
      if (mark !== undefined && (asked === undefined || asked.slice(0, 6) === mark.encoding.slice(0, 6))) {
        encoding = mark.encoding;
        marked = true;
        offset += mark.length;
      }
      if (encoding !== 'utf-8' && encoding !== 'windows-1252') decoder = new TextDecoder(encoding, { fatal: true });
      return head.subarray(offset);
    };
    const read = (chunk: Uint8Array, last: boolean): string => {
      if (encoding === 'windows-1252') return latin(chunk);
      if (decoder !== undefined) {
        try {
          return decoder.decode(chunk, { stream: !last });
        } catch {
          const place = `between ${offset} and ${offset + chunk.length}`;
          throw usageError(`${shown} is not ${encoding}: there are invalid bytes ${place}.`);
        }
      }
      const whole = last ? chunk : chunk.subarray(0, chunk.length - unfinished(chunk));
      // UTF-16 has a zero byte beside each ASCII letter, and may be valid UTF-8.
      const zero = asked === undefined ? whole.indexOf(0) : -1;
      const bad = zero >= 0 || isUtf8(whole) ? zero : firstBad(whole);
      if (bad >= 0) throw notUtf8(offset + bad, whole, bad, shown);
      pending = chunk.subarray(whole.length);
      return Buffer.from(whole.buffer, whole.byteOffset, whole.length).toString('utf8');
    };
    for await (const chunk of bytes) {
      const whole = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      pending = whole;
      // A byte order mark has up to three bytes.
      if (!begun && whole.length < 3) continue;
      pending = new Uint8Array(0);
      const joined = begun ? whole : begin(whole);
      const piece = read(joined, false);
      offset += joined.length - pending.length;
      if (piece !== '') yield piece;
    }
    const rest = read(begun ? pending : begin(pending), true);
    if (rest !== '') yield rest;
  }

  return { text: text(), found: () => ({ encoding, marked }) };
}

/** Encodes text like the input that was read. Characters that the encoding does not have become `?`. */
export function encoder(encoding: Encoding): (text: string) => Buffer {
  if (encoding === 'utf-8') return (text) => Buffer.from(text, 'utf8');
  if (encoding === 'utf-16le') return (text) => Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return (text) => Buffer.from(text, 'utf16le').swap16();
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const chars = encoding === 'windows-1252' ? latin(all) : new TextDecoder(encoding).decode(all);
  const byteOf = new Map(Array.from(chars, (char, byte) => [char, byte] as const));
  return (text) => Buffer.from(Array.from(text, (char) => byteOf.get(char) ?? 0x3f));
}
