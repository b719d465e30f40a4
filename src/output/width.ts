/**
 * Measures, cuts, pads and wraps text in terminal cells. Expects text without control characters (sanitize.ts).
 * `Intl.Segmenter` and emoji regexes are avoided: their first use costs 8 to 19 ms.
 */
import { isWide } from './width-ranges.js';

const ASCII = /^[ -~]*$/;

/** Shown on top of or inside the character before: marks, format characters, the later parts of a Hangul syllable. */
const ZERO = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7ff]/u;
// The same once more: a literal costs nothing until it is used, `new RegExp` does.
const ALL_ZERO = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7ff]/gu;

const cellsOf = (char: string): number => (ZERO.test(char) ? 0 : isWide(char.codePointAt(0) ?? 0) ? 2 : 1);

/** Cells that the text takes. */
export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const char of text.replace(ALL_ZERO, '')) width += isWide(char.codePointAt(0) ?? 0) ? 2 : 1;
  return width;
}

/**
 * Leaves out what terminals don't agree about: variation selectors, skin tones, and the joiner that makes one picture
 * of several people (and, in some terminals, swallows the letter behind it). Where columns must stay aligned, that
 * matters more.
 */
export function steady(text: string): string {
  if (ASCII.test(text)) return text;
  return text.replace(/[\ufe0e\ufe0f\u200d]/g, '').replace(/(\p{Extended_Pictographic})[\u{1f3fb}-\u{1f3ff}]/gu, '$1');
}

/** The longest beginning that takes at most `width` cells; marks stay with their letter. */
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

/** Cuts text that takes more than `width` cells, with `…` as the last one. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  return width < 1 ? '' : `${beginning(text, width - 1).trimEnd()}…`;
}

/** Fills up with spaces to `width` cells, on the right or on the left; longer text stays as it is. */
export function pad(text: string, width: number, side: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return side === 'left' ? text + space : space + text;
}

/** Breaks text into lines of at most `width` cells, between words where it can. */
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
    // A command is not broken, however long: no-break spaces hold it together.
    while (widthOf(line) > max && !line.includes('\u00a0')) {
      const head = beginning(line, max);
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  lines.push(line);
  return lines;
}
