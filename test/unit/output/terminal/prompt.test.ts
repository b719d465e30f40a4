/** Questions on a terminal whose input and output are streams in memory. */
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Progress } from '../../../../src/output/progress/progress.js';
import { createPrompt } from '../../../../src/output/terminal/create-prompt.js';
import type { Prompt } from '../../../../src/output/terminal/prompt.js';
import { type MemoryIo, pass, terminal } from '../streams.js';

let io: MemoryIo;
let progress: Progress;
let input: PassThrough;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  io = terminal(80);
  input = new PassThrough();
});
afterEach(() => {
  progress.stop();
  vi.useRealTimers();
});

/** Prompts and progress write to the same terminal, `io.stderr`. */
async function open(plain: boolean, signal = new AbortController().signal): Promise<Prompt> {
  progress = new Progress(io, { mode: 'animated', color: false });
  // Like stderr, it stays open after a question.
  const output = Object.assign(new PassThrough(), { columns: 80, end: () => output });
  output.on('data', (bytes: Buffer) => void io.stderr.write(bytes));
  const streams = {
    input: input as unknown as NodeJS.ReadStream,
    output: output as unknown as NodeJS.WriteStream,
  };
  return createPrompt({ signal, suspend: progress.suspend, ...streams }, plain, true);
}

const untilShown = (text: string): Promise<void> => vi.waitFor(() => expect(io.stderr.text).toContain(text));

describe.each([
  ['menus', false],
  ['plain questions', true],
] as const)('%s', (_, plain) => {
  it('are never overwritten by a spinner that was drawn, or starts, while they are open', async () => {
    const prompt = await open(plain);
    progress.wait('Checking rows');
    await pass(400);
    expect(io.stderr.text).toContain('Checking rows');
    const answer = prompt.confirm('Reset the category?');
    await untilShown('Reset the category?');
    progress.wait('Reading licences');
    progress.bar('Sending', 10, 'items').at(5);
    const before = io.stderr.text.length;
    await pass(5000);
    await progress.io.stderr.write('Warning: the token expires soon.\n');
    await pass(5000);
    expect(io.stderr.text.slice(before)).toBe('Warning: the token expires soon.\n');
    input.write('y\n');
    expect(await answer).toBe(true);
    await pass(400);
    expect(io.stderr.text.slice(before)).toMatch(/Sending|Reading licences/);
  });
});

it.each([false, true])('breaks long questions between words (plain: %s)', async (plain) => {
  const prompt = await open(plain);
  const answer = prompt.confirm(
    `Anonymize user "Femke ${'Coördes-'.repeat(5)}<femke@s1.example.org>"? This cannot be undone.`,
  );
  await untilShown('(y/N)');
  expect(stripVTControlCharacters(io.stderr.text)).toMatch(/\?\n {2}This cannot be undone\. \(y\/N\)/);
  input.write('y\n');
  expect(await answer).toBe(true);
});

it('takes no choice of before for a letter that comes together with Enter', async () => {
  const prompt = await open(false);
  const choices = [...'ABCDEFGHIJKLMN'].map((value) => ({ name: `Item ${value}`, value }));
  const answer = prompt.select('Which?', choices);
  await untilShown('❯ Item A');
  input.write('Z\r');
  await vi.waitFor(() => expect(io.stderr.text.split('✔')[1]).toContain('No results found'));
  input.write('\x7fitem c');
  await untilShown('❯ Item C');
  input.write('\r');
  expect(await answer).toBe('C');
});

describe('plain questions', () => {
  async function answered<T>(ask: (prompt: Prompt) => Promise<T>, shown: string, ...answers: readonly string[]) {
    const prompt = await open(true);
    const result = ask(prompt);
    for (const [index, answer] of answers.entries()) {
      await vi.waitFor(() => expect(io.stderr.text.split(shown).length).toBe(index + 2));
      input.write(`${answer}\n`);
    }
    const value = await result;
    expect(io.stderr.text).not.toContain('\x1b');
    return value;
  }
  const choices = ['Books', 'Teacher'].map((name) => ({ name, value: name.toUpperCase() }));

  it('number the choices of a menu, ask again after a wrong number, and choose the preset by Enter', async () => {
    const type = (prompt: Prompt) => prompt.select('Type?', choices, 'TEACHER');
    expect(await answered(type, 'Number (2):', '3', '')).toBe('TEACHER');
    expect(io.stderr.text).toContain('Type?\n  1) Books\n  2) Teacher\nNumber (2): ');
    expect(io.stderr.text).toContain('Type a number from 1 to 2, not "3".\n');
  });

  it('take several numbers', async () => {
    const several = (prompt: Prompt) => prompt.selectSeveral('Types?', choices, 1);
    expect(await answered(several, 'commas:', '', '2, 1,2')).toEqual(['TEACHER', 'BOOKS']);
    expect(io.stderr.text).toContain('Type at least one number.');
  });

  it('list the choices of a long menu by a part of the name', async () => {
    const names = Array.from({ length: 40 }, (_, index) => ({
      name: `${index % 2 === 0 ? 'Book' : 'Étude'} ${index + 1}`,
      value: index,
    }));
    const select = (prompt: Prompt) => prompt.select('Which?', names);
    expect(await answered(select, 'name:', 'x', 'BOOK', 'etude  3', '32')).toBe(31);
    const ask = 'Number, or a part of the name:';
    const few = [30, 32, 34, 36, 38].map((number) => `  ${number}) Étude ${number}`);
    const many = Array.from({ length: 12 }, (_, index) => `  ${index * 2 + 1}) Book ${index * 2 + 1}`);
    expect(io.stderr.text).toBe(
      [
        'Which?\n  40 choices',
        `${ask} No choice contains "x".`,
        `${ask} ${many.join('\n')}`,
        '  and 8 more: type more of the name',
        `${ask} ${few.join('\n')}`,
        `${ask} `,
      ].join('\n'),
    );
    io = terminal(80);
    const several = (prompt: Prompt) => prompt.selectSeveral('Which?', names, 1);
    expect(await answered(several, 'name:', 'étude 40', '40, 2', '40, 2')).toEqual([39, 1]);
  });

  it('take a number that was not listed for a part of a name', async () => {
    const years = Array.from({ length: 20 }, (_, index) => ({ name: `Year ${20 - index}`, value: 20 - index }));
    const another = { name: 'Another one', value: 0, isAlways: true };
    const select = (prompt: Prompt) => prompt.select('Which?', [...years, another]);
    expect(await answered(select, 'name:', '13', '8')).toBe(13);
    expect(io.stderr.text).toContain('name:   8) Year 13\n  21) Another one\n');
  });

  it('take the default for an empty answer, and ask again for an invalid one', async () => {
    const validate = (text: string) => text !== 'x' || 'is not a name';
    const ask = (prompt: Prompt) => prompt.text({ message: 'Name:', default: 'Anna', validate });
    expect(await answered(ask, 'Name: (Anna)', 'x', '')).toBe('Anna');
    expect(io.stderr.text).toContain('is not a name\n');
  });

  it('of menus do not offer to show a secret', async () => {
    const answer = (await open(false)).secret({ message: 'Token:' });
    await untilShown('Token:');
    input.write('ab\x14c\r');
    expect([await answer, io.stderr.text]).toEqual(['abc', expect.not.stringMatching(/ab|toggle/)]);
  });

  it('do not show a secret', async () => {
    expect(await answered((prompt) => prompt.secret({ message: 'Token:' }), 'Token:', 'ab\x7fc')).toBe('ac');
    expect(io.stderr.text).toBe('Token: (not shown) \n');
  });

  it.each(['text', 'secret'] as const)('end at Ctrl-C (%s)', async (kind) => {
    const stop = new AbortController();
    const prompt = await open(true, stop.signal);
    const answer = prompt[kind]({ message: 'Name:' });
    const result = expect(answer).rejects.toMatchObject({ kind: 'interrupted' });
    await untilShown('Name:');
    // A hidden line is read key by key.
    if (kind === 'text') stop.abort();
    else input.write('\x03');
    await result;
  });

  it('end at the end of the input', async () => {
    const prompt = await open(true);
    const result = expect(prompt.confirm('Delete it?')).rejects.toMatchObject({ kind: 'interrupted' });
    await untilShown('Delete it?');
    input.end();
    await result;
  });
});
