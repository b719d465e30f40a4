/**
 * Measures, cuts, pads and wraps text in terminal cells. Expects text without control characters (sanitize.ts). Avoids
 * `Intl.Segmenter` and emoji regular expressions, whose first use takes 8 to 19 ms.
 */
import { isWide } from './width-ranges.js';

const ASCII = /^[ -~]*$/;

/** Characters without width: marks, format characters, medial and final letters of Hangul syllables. */
const ZERO = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7ff]/u;
// Repeated as a literal, which is compiled only when used, unlike `new RegExp`.
const ALL_ZERO = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7ff]/gu;

const cellsOf = (char: string): number => (ZERO.test(char) ? 0 : isWide(char.codePointAt(0) ?? 0) ? 2 : 1);

export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const char of text.replace(ALL_ZERO, '')) width += isWide(char.codePointAt(0) ?? 0) ? 2 : 1;
  return width;
}

/**
 * Removes characters whose width differs between terminals, so that columns stay aligned: variation selectors, skin
 * tones, and the joiner that combines several emoji (and in some terminals hides the next letter).
 */
export function withFixedWidth(text: string): string {
  if (ASCII.test(text)) return text;
  return text.replace(/[\ufe0e\ufe0f\u200d]/g, '').replace(/(\p{Extended_Pictographic})[\u{1f3fb}-\u{1f3ff}]/gu, '$1');
}

/** The longest prefix of at most `width` cells. Combining marks stay with their letter. */
function beginning(text: string, width: number): string {
  if (ASCII.test(text)) return text.slice(0, width);
  let used = 0;
  let end = 0;
  for (const char of text) {
    used += cellsOf(char);
    if (used > width) break;
    end += char.length;
  }
  return text.slice(0, end);
}

/** Cuts text to `width` cells, of which the last is `…`. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  return width < 1 ? '' : `${beginning(text, width - 1).trimEnd()}…`;
}

/** Longer text is returned unchanged. */
export function pad(text: string, width: number, side: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return side === 'left' ? text + space : space + text;
}

/** Breaks between words if possible. */
export function wrap(text: string, width: number): string[] {
  const max = Math.max(2, width);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (widthOf(joined) <= max) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    // Commands, which contain no-break spaces, are never broken.
    while (widthOf(line) > max && !line.includes('\u00a0')) {
      const head = beginning(line, max);
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  lines.push(line);
  return lines;
}
