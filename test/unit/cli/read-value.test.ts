import { describe, expect, it } from 'vitest';
import type { Flag } from '../../../src/cli/command.js';
import { readArgument, readFlag, shown } from '../../../src/cli/read-value.js';

const flag = (facts: Partial<Flag>): Flag => ({ name: 'x', kind: 'text', description: 'a test flag', ...facts });
const problem = (facts: Partial<Flag>, text: string | string[]): string | undefined => {
  const read = readFlag(flag(facts), text);
  return 'problem' in read ? `${read.problem.where} ${read.problem.message}` : undefined;
};
const value = (facts: Partial<Flag>, text: string | string[]): unknown => {
  const read = readFlag(flag(facts), text);
  return 'value' in read ? read.value : undefined;
};

describe('text', () => {
  it.each(['007', '1e5', 'TRUE', '9007199254740993', ' spaced ', '=1+1'])('keeps %j unchanged', (text) => {
    expect(value({}, text)).toBe(text);
  });
  it('counts characters, not UTF-16 units', () => {
    expect(value({ maxLength: 50 }, '😀'.repeat(50))).toBe('😀'.repeat(50));
    expect(problem({ maxLength: 50 }, 'a'.repeat(51))).toBe(
      `--x must have at most 50 characters, not 51: "${'a'.repeat(51)}"`,
    );
  });
  it('refuses a lone surrogate, U+FFFD in a value to send, and an empty required value', () => {
    expect(problem({}, 'a\ud800b')).toBe('--x is not valid text: "a\\ud800b"');
    expect(problem({ target: 'body.name' }, 'a\ufffdb')).toBe('--x is not valid text: "a\ufffdb"');
    expect(problem({ target: 'body.pdfFile', kind: 'pdf' }, 'a\ufffdb.pdf')).toBeUndefined();
    expect(problem({ required: true }, '  ')).toBe('--x must not be empty');
  });
});

describe('whole numbers', () => {
  it.each([
    ['0', 0],
    ['365', 365],
    ['-3', -3],
    ['007', 7],
  ])('reads %j', (text, expected) => expect(value({ kind: 'whole' }, text)).toBe(expected));
  it.each(['', 'abc', '1.5', '1e5', '0x10', '１２', 'NaN', '1 2'])('refuses %j', (text) => {
    expect(problem({ kind: 'whole' }, text)).toBe(`--x must be a whole number, not "${text}"`);
  });
  it('refuses numbers beyond 2^53 and below the minimum', () => {
    expect(problem({ kind: 'whole' }, '9007199254740993')).toBe('--x is too large: "9007199254740993"');
    expect(problem({ kind: 'whole', minimum: 1 }, '0')).toBe('--x must be at least 1, not 0');
  });
});

describe('days', () => {
  it.each([
    ['2030-07-31', '2030-07-31'],
    ['Today', 'today'],
    [' -2W ', '-2w'],
  ])('reads %j', (text, expected) => expect(value({ kind: 'date' }, text)).toBe(expected));
  it.each([
    ['monday', ''],
    ['31.07.2027', '. Did you mean 2027-07-31?'],
    ['2027/7/31', '. Did you mean 2027-07-31?'],
    ['3/7/27', '. Did you mean 2027-07-03 or 2027-03-07?'],
    ['31.02.2027', ''],
    ['30d', '. Did you mean +30d?'],
    ['tomorow', '. Did you mean tomorrow?'],
    ['+30', ''],
  ])('refuses %s', (text, meant) => {
    expect(problem({ kind: 'date' }, text)).toBe(
      `--x must be a valid date (yyyy-MM-dd, today, +30d), not "${text}"${meant}`,
    );
  });
});

describe('choices', () => {
  const days = { kind: 'choice', choices: [30, 90, 365] } as const;
  it('ignores case and returns the choice as it is spelled in the contract', () => {
    expect(value(days, '365')).toBe(365);
    expect(value({ kind: 'choice', choices: ['Books', 'Teacher'] }, 'BOOKS')).toBe('Books');
  });
  it('names all choices and suggests the closest', () => {
    expect(problem(days, '31')).toBe('--x must be 30, 90 or 365, not "31". Did you mean 30?');
    expect(problem({ kind: 'choice', choices: ['Books', 'Teacher'] }, 'Teachr')).toContain('Did you mean Teacher?');
  });
  it('accepts unknown values of an open set', () => {
    expect(value({ kind: 'choice', choices: ['A'], open: true }, 'B')).toBe('B');
  });
});

describe('lists', () => {
  it('accepts repeated flags and commas', () => {
    expect(value({ many: true }, ['B1,B2', 'B3'])).toEqual(['B1', 'B2', 'B3']);
    expect(value({ many: true, target: 'body.roles' }, [''])).toEqual([]);
    expect(problem({ many: true }, [''])).toBe('--x must not be empty');
    expect(problem({ many: true, refersTo: 'book' }, [''])).toBe('--x is empty; give an ID');
  });
  it('refuses an empty element in a list of IDs', () => {
    expect(problem({ many: true, refersTo: 'book' }, ['B1,,B2'])).toBe('--x is empty; give an ID');
  });
});

describe('ids', () => {
  it.each(['', ' ', '.', '..'])('refuses %j', (id) => {
    const read = readArgument({ name: 'id', description: '' }, id);
    expect('problem' in read && read.problem.where).toBe('ID');
  });
  it.each(['...', '0', 'a/b', '%2e%2e', 'ü'])('accepts %j', (id) => {
    expect(readArgument({ name: 'id', description: '' }, id)).toEqual({ value: id });
  });
  it.each(['.', '..'])('accepts %j as an argument that is no ID, such as a folder', (path) => {
    expect(readArgument({ name: 'a', description: '' }, path)).toEqual({ value: path });
  });
});

describe('special texts', () => {
  it('checks codes, countries and addresses', () => {
    expect(value({ kind: 'code' }, 'ab12')).toBe('ab12');
    expect(problem({ kind: 'code' }, 'AB12')).toContain('lowercase letters and digits');
    expect(value({ kind: 'country' }, 'nl')).toBe('NL');
    expect(problem({ kind: 'country' }, 'NLD')).toContain('two letters');
    expect(problem({ kind: 'email' }, 'nobody')).toContain('e-mail address');
  });
  it('shows hostile text without control characters', () => {
    expect(shown('\u001b[2J\u202eevil\n')).toBe('"\\x1b[2J\\u202eevil\\n"');
  });
});
