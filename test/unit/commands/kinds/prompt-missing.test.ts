/** Prompts for missing values, the order of checks, and what becomes of the answers. */
import { describe, expect, it } from 'vitest';
import type { Command, Values } from '../../../../src/cli/command.js';
import type { Context } from '../../../../src/cli/context.js';
import { complete } from '../../../../src/commands/kinds/prompt-missing.js';
import { EduError } from '../../../../src/core/errors.js';

const COMMAND: Command = {
  name: 'create',
  summary: 'Create a book.',
  flags: [
    { name: 'title', value: 'TEXT', kind: 'text', description: 'title', required: true },
    { name: 'series', value: 'TEXT', kind: 'text', description: 'series', required: true },
    { name: 'pdf', value: 'FILE', kind: 'pdf', description: 'the PDF' },
  ],
  examples: {},
  prints: 'item',
  check: (values) => (values.series === 'none' ? [{ where: '--series', message: 'must be a series' }] : []),
  run: async () => {},
};

/** @param answers to the prompts; an error is thrown instead of an answer */
function terminal(answers: readonly (string | Error)[]) {
  const asked: string[] = [];
  const said: string[] = [];
  const text = async ({ message }: { message: string }): Promise<string> => {
    asked.push(message);
    const answer = answers[asked.length - 1];
    if (typeof answer === 'string') return answer;
    throw answer ?? new Error('too many questions');
  };
  const context = {
    canAsk: true,
    path: 'books create',
    globals: {},
    now: () => 0,
    warn: async () => {},
    prompt: async () => ({ text }),
    say: async (line: string) => void said.push(line),
  } as unknown as Context;
  return { asked, said, complete: (values: Values) => complete(COMMAND, 'books create', values, context) };
}

describe('missing values', () => {
  it('are prompted for one after the other', async () => {
    const { asked, said, complete } = terminal(['Primes', 'Numbers']);
    expect(await complete({})).toEqual({ title: 'Primes', series: 'Numbers' });
    expect(asked).toEqual(['Title (--title):', 'Series (--series):']);
    expect(said).toEqual([]);
  });

  it.each([
    [{ pdf: '/nowhere/a.pdf' }, /--pdf "\/nowhere\/a\.pdf" cannot be read/],
    [{ pdf: import.meta.filename }, /--pdf .* is not a PDF/],
    [{ series: 'none' }, /--series must be a series/],
  ])('are not prompted for if a value is invalid: %j', async (values, message) => {
    const { asked, said, complete } = terminal([]);
    await expect(complete(values)).rejects.toThrow(message);
    expect(asked).toEqual([]);
    expect(said).toEqual([]);
  });

  it('are in the command to repeat if a later prompt is interrupted', async () => {
    const { said, complete } = terminal(['Prime numbers', new EduError('interrupted', 'Interrupted.')]);
    await expect(complete({})).rejects.toThrow('Interrupted.');
    expect(said).toEqual(['The same command without prompts:', "  edu books create --title 'Prime numbers'"]);
  });

  it('are in the command to repeat if they do not fit together', async () => {
    const { said, complete } = terminal(['Primes', 'none']);
    await expect(complete({})).rejects.toThrow('--series must be a series');
    expect(said).toEqual(['The same command without prompts:', '  edu books create --title Primes --series none']);
  });
});
