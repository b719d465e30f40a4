import { describe, expect, it } from 'vitest';
import type { Command } from '../../../src/cli/command.js';
import { firstWord, globalsIn } from '../../../src/cli/find-command.js';
import { parse } from '../../../src/cli/parser.js';
import { EduError } from '../../../src/core/errors.js';

const command: Command = {
  name: 'create',
  summary: 'Create.',
  arguments: [
    { name: 'id', description: 'an id' },
    { name: 'user', description: 'users', many: true },
  ],
  flags: [
    { name: 'name', value: 'TEXT', kind: 'text', description: 'name', target: 'body.name' },
    { name: 'level', aliases: ['stream'], value: 'TEXT', kind: 'text', description: 'level' },
    {
      name: 'book',
      value: 'ID',
      kind: 'text',
      many: true,
      refersTo: 'book',
      target: 'body.books',
      description: 'book',
    },
    { name: 'maximum-activations', value: 'N', kind: 'whole', description: 'number' },
    { name: 'pdf-downloadable', kind: 'switch', description: 'switch', target: 'body.pdfDownloadable' },
  ],
  examples: {},
  prints: 'item',
  run: async () => {},
};

const values = (...words: string[]) => parse(command, 'things create', words).values;

function failure(...words: string[]): EduError {
  try {
    parse(command, 'things create', words);
  } catch (error) {
    if (error instanceof EduError) return error;
    throw error;
  }
  throw new Error('the line was taken');
}

describe('a line', () => {
  it('takes no flag for the value of another, except behind an equals sign', () => {
    expect(failure('--name', '--stream', 'x').message).toBe(
      '--name needs a value; to pass the text --stream, write --name=--stream.',
    );
    expect(failure('--name', '--pdf-downloadable=true').message).toMatch(/^--name needs a value/);
    expect(failure('--name', '-y', 'a', 'b', 'c').message).toMatch(/^--name needs a value/);
    expect(values('--name=--stream', '--level', '--other')).toEqual({ name: '--stream', level: '--other' });
  });

  it('returns arguments and flags by name, with their types', () => {
    expect(
      values('X1', 'u1', 'u2', '--name', 'A B', '--maximum-activations=5', '--book', 'B1,B2', '--book', 'B3'),
    ).toEqual({
      id: 'X1',
      user: ['u1', 'u2'],
      name: 'A B',
      'maximum-activations': 5,
      book: ['B1', 'B2', 'B3'],
    });
  });
  it('accepts other spellings of a flag', () => {
    expect(values('--stream', 'Basic')).toEqual({ level: 'Basic' });
  });
  it('removes blanks around the value of a field', () => {
    expect(values('--name', ' A\u00a0B\u00a0 ')).toEqual({ name: 'A\u00a0B' });
  });
  it.each([
    [['--pdf-downloadable'], true],
    [['--no-pdf-downloadable'], false],
    [['--pdf-downloadable', 'true'], true],
    [['--pdf-downloadable', 'false'], false],
    [['--pdf-downloadable=false'], false],
  ])('reads the boolean flag in %j', (words, expected) => {
    expect(values(...words)['pdf-downloadable']).toBe(expected);
  });
  it('accepts global flags anywhere', () => {
    const { globals, values: own } = parse(command, 'things create', [
      '--json',
      'X1',
      '--retries',
      '5',
      '--name',
      'N',
      '-q',
    ]);
    expect(globals).toEqual({ json: true, retries: 5, quiet: true });
    expect(own).toEqual({ id: 'X1', name: 'N' });
  });
  it.each([[['-o=json']], [['-ojson']], [['-o', 'json']]])('reads a short flag and its value in %j', (words) => {
    expect(parse(command, 'things create', words).globals).toEqual({ output: 'json' });
  });
  it.each(['--other', '--other=false', '-5'])('reads %s as the value of the flag before it', (word) => {
    expect(values('--name', word)).toEqual({ name: word });
  });
  it('reads a repeated item once', () => {
    expect(values('X1', 'u1', 'u2', 'u1').user).toEqual(['u1', 'u2']);
  });
  it('reads everything after -- as arguments', () => {
    expect(values('--', '-1').id).toBe('-1');
  });
});

describe('a wrong line', () => {
  it('suggests a similar flag', () => {
    const error = failure('--nmae', 'x');
    expect(error.exitCode).toBe(2);
    expect(error.message).toBe('Unknown flag --nmae.');
    expect(error.hint).toContain('--name');
  });
  it('reports all problems at once', () => {
    const error = failure('..', '--maximum-activations', 'many', '--book', '');
    expect(error.details.map(({ where }) => where)).toEqual(['--maximum-activations', 'ID']);
  });
  it('refuses a value of a switch, which it does not show', () => {
    const { message } = failure('--pdf-downloadable=secret');
    expect(message).toBe('--pdf-downloadable is on or off: it takes no value but true or false.');
  });
  it.each([
    ['--header', '--no-header'],
    ['--pdf-downloadable', '--no-pdf-downloadable'],
  ])('refuses a switch together with its negation: %s', (on, off) => {
    const message = `${off} cannot be given together with ${on}; use one of them.`;
    expect([failure(on, off).message, failure(off, on).message]).toEqual([message, message]);
  });
  it('refuses a flag that was given twice with different values', () => {
    expect(failure('--name', 'a', '--name', 'b').message).toBe('--name was given 2 times; it takes one value.');
  });
});

describe('finding the command', () => {
  it('skips global flags and their values', () => {
    expect(firstWord(['--profile', 'work', '-o', 'json', 'licenses', 'list', '--json'])).toEqual({
      word: 'licenses',
      index: 4,
      rest: ['--profile', 'work', '-o', 'json', 'list', '--json'],
    });
    expect(firstWord(['--json'])).toEqual({ word: undefined, index: -1, rest: ['--json'] });
  });
  it('does not read a value as a boolean flag', () => {
    expect(globalsIn(['--profile', '--help'])).toEqual({ profile: '--help' });
    expect(globalsIn(['list', '-h'])).toEqual({ help: true });
    expect(globalsIn(['--', '-h'])).toEqual({});
  });
});
