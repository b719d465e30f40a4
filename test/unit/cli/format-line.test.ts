import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../../src/cli/command.js';
import { commandLine, wasAsked } from '../../../src/cli/format-line.js';
import { parse } from '../../../src/cli/parser.js';
import { shellLine } from '../../../src/core/shell.js';

const command: Command = {
  name: 'make',
  summary: 'Make things.',
  arguments: [{ name: 'id', description: 'ids', many: true }],
  flags: [
    { name: 'name', value: 'TEXT', kind: 'text', description: 'a name', target: 'body.name' },
    { name: 'book', value: 'ID', kind: 'text', many: true, description: 'books' },
    { name: 'field', value: 'K=V', kind: 'text', repeat: true, description: 'fields' },
    { name: 'active', kind: 'switch', description: 'active', target: 'body.active' },
    { name: 'days', value: 'N', kind: 'whole', description: 'days' },
  ],
  examples: {},
  prints: 'item',
  run: async () => {},
};

/** The words of a line as a real shell splits it. */
const words = (line: string): string[] =>
  execFileSync('sh', ['-c', `for word in ${line}; do printf '%s\\0' "$word"; done`])
    .toString()
    .split('\0')
    .slice(0, -1);

describe('a formatted command line', () => {
  it('contains every value, quoted where the shell needs it', () => {
    const values = {
      id: ['a', 'b c'],
      name: "Anna's",
      book: ['B1', 'B2'],
      field: ['x=1', 'y=2'],
      active: false,
      days: 365,
    };
    expect(commandLine(command, 'things make', values, { offline: true, as: 'school' })).toBe(
      "edu things make a 'b c' --name 'Anna'\\''s' --book B1,B2 --field x=1 --field y=2 --no-active --days 365 --offline --as school",
    );
  });

  it('keeps values that start with a dash from being read as flags', () => {
    expect(commandLine(command, 'things make', { id: ['-1'], name: '-x y' }, {})).toBe(
      "edu things make '--name=-x y' -- -1",
    );
  });

  it('has the same meaning when a shell and the parser read it', () => {
    const text = fc
      .string({ minLength: 1, unit: 'grapheme' })
      .filter((made) => !made.includes('\0') && made.trim() !== '');
    const id = text.filter((made) => made !== '.' && made !== '..');
    const book = text.map((made) => made.trim());
    fc.assert(
      fc.property(
        fc.uniqueArray(id, { minLength: 1, maxLength: 3 }),
        text.map((made) => made.trim()),
        fc.array(fc.oneof(book, fc.constantFrom('a, b', 'a\\', 'b\\,c')), { minLength: 1 }),
        (ids, name, book) => {
          const [, , , ...rest] = words(commandLine(command, 'things make', { id: ids, name, book }, {}));
          expect(parse(command, 'things make', rest).values).toEqual({ id: ids, name, book });
        },
      ),
      { numRuns: 15 },
    );
  });

  it('leaves plain words unquoted', () => {
    expect(['B1,B2', 'a@b.example', '2030-07-31', '', '$HOME', '*'].map((word) => shellLine(word))).toEqual([
      'B1,B2',
      'a@b.example',
      '2030-07-31',
      "''",
      "'$HOME'",
      "'*'",
    ]);
  });

  it('detects whether values were prompted for', () => {
    expect(wasAsked({ name: 'a' }, { name: 'a' })).toBe(false);
    expect(wasAsked({}, { name: undefined })).toBe(false);
    expect(wasAsked({ name: 'a' }, { name: 'a', days: 30 })).toBe(true);
  });
});
