/** Each promise of docs/security-tests.md names a test that exists, and SECURITY.md is one page. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

interface Row {
  readonly promise: string;
  readonly file: string;
  readonly title: string;
}

/** The rows of the tables whose second column is a test file. */
const ROWS: readonly Row[] = readFileSync(join(ROOT, 'docs/security-tests.md'), 'utf8')
  .split('\n')
  .map((line) => /^\| (.+?) \| `(test\/[^`]+)` \| (.+) \|$/.exec(line))
  .filter((match) => match !== null)
  .map(([, promise = '', file = '', title = '']) => ({ promise, file, title }));

/** The code before the title of a test or a group: `test(`, `describe.skipIf(…)(`, `test.each(…)(`. */
const CALL = /(?:\b(?:test|testAsRoot|it|describe|fuzz)(?:\.\w+)?|[)\]`])\($/;

/** Whether a file has a test, or a group of tests, with this title. */
function hasTest(text: string, title: string): boolean {
  return ["'", '"', '`'].some((quote) => {
    const places = text.split(`${quote}${title}${quote}`).slice(0, -1);
    return places.some((before) => CALL.test(before.slice(-200).trimEnd()));
  });
}

describe('docs/security-tests.md', () => {
  test('has a table of promises', () => {
    expect(ROWS.length).toBeGreaterThan(70);
  });

  test('a title outside a test call does not count', () => {
    expect(hasTest("test('a', () => {})", 'a')).toBe(true);
    expect(hasTest("test.each([1])('a', () => {})", 'a')).toBe(true);
    expect(hasTest("fuzz(\n  'a',", 'a')).toBe(true);
    expect(hasTest("// 'a'\nconst b = 'a';", 'a')).toBe(false);
    expect(hasTest("test('ab', () => {})", 'a')).toBe(false);
  });

  test.each(ROWS)('$promise', ({ file, title }) => {
    const path = join(ROOT, file);
    expect(existsSync(path), file).toBe(true);
    expect(hasTest(readFileSync(path, 'utf8'), title), `${file}: ${title}`).toBe(true);
  });
});

test('SECURITY.md is one page, and leads to the tests', () => {
  const text = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8');
  expect(text.split(/\s+/).length).toBeLessThan(1_000);
  expect(text).toContain('(docs/security-tests.md)');
});
