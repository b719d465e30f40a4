import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  escapedExcerpt,
  forMarkdown,
  forPeople,
  forRecord,
  forTable,
  forTerminal,
  safeJson,
  safeJsonBytes,
  visibleJson,
} from '../../../src/output/sanitize.js';
import { anyText } from '../../support/any-text.js';

/** Any text, with lone surrogates and control characters. */
const hostile = fc.oneof(
  anyText(),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
  fc
    .array(
      fc.constantFrom(
        '\x1b[31m',
        '\u009b2J',
        '\r\n',
        '\u202e',
        '\u2066',
        '\u2028',
        '\ud800',
        '\udfff',
        '\\',
        'ä',
        '😀',
        '\x7f',
      ),
    )
    .map((parts) => parts.join('')),
);

/** Control characters, invisible characters and bidi marks. */
const DANGEROUS =
  /[\0-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]/u;

it('keeps line breaks and tabs of a text for a terminal, and nothing else that controls it', () => {
  expect(forTerminal('a\t😀\r\n\tb\rc\x1b[2J\n')).toBe('a\t😀\n\tb\\rc\\x1b[2J\n');
});

describe('text for people', () => {
  it('leaves names in any script unchanged', () => {
    const names = [
      'Ana María',
      'Анна Ильина',
      '数学教材',
      'עברית',
      'العربية',
      'ภาษาไทย',
      'می\u200cخواهم',
      'ශ\u0dca\u200dර',
      '👩‍🏫',
      'e\u0301',
    ];
    for (const name of names) expect(forPeople(name)).toBe(name);
  });

  it.each([
    ['\x1b[31mred\x1b[0m', '\\x1b[31mred\\x1b[0m'],
    ['two\r\nlines', 'two\\r\\nlines'],
    ['a\tb', 'a\\tb'],
    ['bell\x07', 'bell\\x07'],
    ['invoice\u202efdp.exe', 'invoice\\u202efdp.exe'],
    ['a\u2028b\u2029c', 'a\\u2028b\\u2029c'],
    ['\u2066x\u2069', '\\u2066x\\u2069'],
    ['\ud800x', '\\ud800x'],
    ['\ufeffx', '\\ufeffx'],
    ['\u061cx', '\\u061cx'],
    ['x\u{e0041}', 'x\\u{e0041}'],
    ['C:\\new', 'C:\\new'],
  ])('writes %j as %s', (text, shown) => {
    expect(forPeople(text)).toBe(shown);
  });

  it('escapes each control character, the first and last of each range included', () => {
    for (let code = 0; code < 0x300; code++) {
      const char = String.fromCharCode(code);
      const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0xad;
      expect(forPeople(char) !== char, code.toString(16)).toBe(isControl);
      expect(forRecord(char) !== char, code.toString(16)).toBe(isControl || char === '\\');
      const isEscaped = code >= 0x7f && code < 0xa0;
      expect(safeJson(char) !== char, code.toString(16)).toBe(isEscaped);
      expect(safeJsonBytes(char).equals(Buffer.from(char)), code.toString(16)).toBe(!isEscaped);
    }
  });

  it('limits stacked combining marks, which would spill over other lines', () => {
    expect(forPeople(`a${'\u0301'.repeat(50)}b`)).toBe(`a${'\u0301'.repeat(8)}b`);
  });

  it('removes every dangerous character', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(forPeople(text)).not.toMatch(DANGEROUS);
        expect(escapedExcerpt(text, 10)).not.toMatch(DANGEROUS);
      }),
    );
  });

  it('truncates long text between characters, with its original length', () => {
    expect(escapedExcerpt('abcdef', 6)).toBe('abcdef');
    expect(escapedExcerpt('abcdef', 3)).toBe('abc… (6 characters)');
    expect(escapedExcerpt('ab😀cd', 3)).toBe('ab… (6 characters)');
  });
});

describe('text in a record', () => {
  /** Reverses `forRecord`, as a reader of tsv would. */
  const undo = (text: string): string =>
    text.replace(/\\(?:x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]+)\}|(.))/g, (_, two, four, more, short: string) => {
      const hex: string | undefined = two ?? four ?? more;
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
      return { n: '\n', r: '\r', t: '\t', '\\': '\\' }[short] ?? short;
    });

  it('is reversible, without tabs, line breaks or control characters', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const field = forRecord(text);
        expect(field).not.toMatch(DANGEROUS);
        expect(undo(field)).toBe(text);
      }),
    );
  });

  it('does not open a quoted cell of a table', () => {
    expect(['"a"', 'a"b', '\\"'].map(forTable)).toEqual(['\\x22a"', 'a"b', '\\\\"']);
  });
});

it.each([
  ['a *b* `c` <d> [e](f)', 'a \\*b\\* \\`c\\` \\<d\\> \\[e\\](f)'],
  ['@team GH-12 https://a www.b', '@<!-- -->team GH-<!-- -->12 https:<!-- -->//a www<!-- -->.b'],
  ['#12', '\\#<!-- -->12'],
])('Markdown shows %j as it is, and notifies nobody', (text, shown) => {
  expect(forMarkdown(text)).toBe(shown);
});

describe('JSON for a terminal', () => {
  it('is the same data without control characters', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), hostile, (value, text) => {
        const json = JSON.stringify({ value, text });
        const safe = safeJson(json);
        expect(JSON.parse(safe)).toStrictEqual(JSON.parse(json));
        expect(safe).not.toMatch(/[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/);
        expect(safeJsonBytes(json).toString()).toBe(safe);
      }),
    );
  });

  it.each([
    ['\x7f', '"\\u007f"'],
    ['\u202e', '"\\u202e"'],
    ['ä–„“', '"ä–„“"'],
    ['\u061c', '"\\u061c"'],
    ['\u2066', '"\\u2066"'],
  ])('writes %j as %s', (text, json) => {
    expect(safeJsonBytes(JSON.stringify(text)).toString()).toBe(json);
  });

  it('is searched as a text only if its bytes may be unsafe', () => {
    const { calls } = vi.spyOn(String.prototype, 'replace').mock;
    const bytes = safeJsonBytes('"a€"');
    const replaced = calls.length;
    expect([bytes.toString(), replaced]).toEqual(['"a€"', 0]);
  });

  it('shows language models no more than people see', () => {
    expect(visibleJson('a\u200b\u{e0041}\ufe0f\nb')).toBe('a\\u200b\\udb40\\udc41\\ufe0f\nb');
  });
});
