/**
 * Measures, cuts and wraps text in terminal cells. Expects text without control characters (sanitize.ts). Avoids
 * `Intl.Segmenter` and emoji regular expressions, whose first use takes 8 to 19 ms.
 */

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

/** Returns true if a terminal may show a part of the text from right to left. */
export const isRightToLeft = (text: string): boolean =>
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(text);

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

/** For terminals that do not report their width. */
export const DEFAULT_WIDTH = 80;

/** Stands for a blank in a command, which must stay on one line. Sanitized text does not contain it. */
export const FIXED_BLANK = '\0';

/** Breaks between words, and inside those that have wide characters: such scripts have no blanks. */
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
    while (
      widthOf(line) > max &&
      !line.includes(FIXED_BLANK) &&
      [...line].some((char) => isWide(char.codePointAt(0) ?? 0))
    ) {
      const head = beginning(line, max);
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  lines.push(line);
  return lines;
}

/** Hexadecimal ranges in ascending order. */
const WIDE = `1100-115f 231a-231b 2329-232a 23e9-23ec 23f0 23f3 25fd-25fe 2614-2615 2630-2637 2648-2653 267f 268a-268f
2693 26a1 26aa-26ab 26bd-26be 26c4-26c5 26ce 26d4 26ea 26f2-26f3 26f5 26fa 26fd 2705 270a-270b 2728 274c 274e 2753-2755
2757 2795-2797 27b0 27bf 2b1b-2b1c 2b50 2b55 2e80-2e99 2e9b-2ef3 2f00-2fd5 2ff0-303e 3041-3096 3099-30ff 3105-312f
3131-318e 3190-31e5 31ef-321e 3220-3247 3250-a48c a490-a4c6 a960-a97c ac00-d7a3 f900-faff fe10-fe19 fe30-fe52 fe54-fe66
fe68-fe6b ff01-ff60 ffe0-ffe6 16fe0-16fe4 16ff0-16ff6 17000-18cda 18cff-18d20 18d80-18df2 18e00-19191 191a0-191d2
1aff0-1aff3 1aff5-1affb 1affd-1affe 1b000-1b128 1b132 1b150-1b152 1b155 1b164-1b168 1b170-1b2fb 1d300-1d356 1d360-1d376
1f004 1f0cf 1f18e 1f191-1f19a 1f1ae 1f200-1f202 1f210-1f23b 1f240-1f248 1f250-1f251 1f260-1f265 1f300-1f320 1f32d-1f335
1f337-1f37c 1f37e-1f393 1f3a0-1f3ca 1f3cf-1f3d3 1f3e0-1f3f0 1f3f4 1f3f8-1f43e 1f440 1f442-1f4fc 1f4ff-1f53d 1f54b-1f54e
1f550-1f567 1f57a 1f595-1f596 1f5a4 1f5fb-1f64f 1f680-1f6c5 1f6cc 1f6d0-1f6d2 1f6d5-1f6d9 1f6dc-1f6df 1f6eb-1f6ec
1f6f4-1f6fc 1f7da 1f7e0-1f7eb 1f7f0 1f90c-1f93a 1f93c-1f945 1f947-1f9ff 1fa70-1fa7c 1fa80-1fac6 1fac8 1facc-1fadd
1fadf-1faeb 1faef-1fafa 20000-2fffd 30000-3fffd`;

type Range = readonly [start: number, end: number];

const read = (): readonly Range[] =>
  WIDE.split(/\s+/).map((range) => {
    const [start = 0, end = start] = range.split('-').map((hex) => Number.parseInt(hex, 16));
    return [start, end];
  });

let ranges: readonly Range[] | undefined;

function isWide(code: number): boolean {
  ranges ??= read();
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [start, end] = ranges[middle] ?? [0, 0];
    if (code < start) high = middle - 1;
    else if (code > end) low = middle + 1;
    else return true;
  }
  return false;
}
