import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cut, widthOf, withFixedWidth, wrap } from '../../../src/output/width.js';

/** Cells that terminals use for these texts, measured in tmux by the position of the cursor. */
const MEASURED: readonly (readonly [text: string, cells: number])[] = [
  ['abc', 3],
  ['Привет', 6],
  ['数学教材', 8],
  ['한국어', 6],
  ['शिक्षक लाइसेंस', 11],
  ['ภาษาไทย ชั้นประถม', 15],
  ['עברית שָׁלוֹם', 10],
  ['العربية مَدْرَسَة', 13],
  ['🫠', 2],
  ['🇵🇹', 2],
  ['❤', 1],
  ['Z̸͓̺a̴l̵g̸o', 5],
  ['ｆｕｌｌ', 8],
  ['ﾊﾝｶｸ', 4],
  ['தமிழ் மொழி', 9],
  ['မြန်မာ', 5],
  ['…–─', 3],
  ['⚽', 2],
  ['☎', 1],
  ['e\u0301', 1],
  ['', 0],
];

const text = fc.string({ unit: 'grapheme', maxLength: 40 });

describe('width in cells', () => {
  it.each(MEASURED)('%s takes %i', (value, cells) => {
    expect(widthOf(value)).toBe(cells);
  });
});

describe('emoji in columns', () => {
  it.each([
    ['👨‍👩‍👧', '👨👩👧'],
    ['👍🏽', '👍'],
    ['❤️', '❤'],
    ['no emoji', 'no emoji'],
  ])('%s becomes %s', (value, reduced) => {
    expect(withFixedWidth(value)).toBe(reduced);
  });
});

describe('cutting', () => {
  it.each([
    ['Mathematik', 10, 'Mathematik'],
    ['Mathematik', 9, 'Mathemat…'],
    ['Mathe für alle', 7, 'Mathe…'],
    ['数学教材', 7, '数学教…'],
    ['数学教材', 6, '数学…'],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
    ['abc', 1, '…'],
    ['abc', 0, ''],
  ])('%s to %i cells is %s', (value, width, result) => {
    expect(cut(value, width)).toBe(result);
  });

  it('never exceeds the width', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 30 }), (value, width) => {
        expect(widthOf(cut(value, width))).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe('wrapping', () => {
  it('breaks between words, and inside those of wide characters only', () => {
    expect(wrap('Mathematik für die 5. Klasse', 12)).toEqual(['Mathematik', 'für die 5.', 'Klasse']);
    expect(wrap('abcdefghij', 4)).toEqual(['abcdefghij']);
    expect(wrap('数学教材', 5)).toEqual(['数学', '教材']);
    expect(wrap('', 5)).toEqual(['']);
  });

  it('loses nothing', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 20 }), (value, width) => {
        const lines = wrap(value, width);
        expect(lines.join('').replaceAll(' ', '')).toBe(value.replaceAll(' ', ''));
      }),
    );
  });
});
