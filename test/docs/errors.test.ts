/** Runs each of the thirty lines of docs/errors.md and compares the output. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { run } from '../support/run.js';

const EXAMPLES = [
  ...readFileSync('docs/errors.md', 'utf8').matchAll(/^```console\n\$ edu (.*)\n([^`]*(?:`[^`\n]+`[^`]*)*)```$/gm),
].map(([, line = '', shown = '']) => [line, shown] as const);

const wordsOf = (line: string): string[] =>
  (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^"|"$/g, ''));

it('has thirty examples', () => {
  expect(EXAMPLES).toHaveLength(30);
});

it.each(EXAMPLES)('edu %s', async (line, shown) => {
  const { code, stdout, stderr } = await run(wordsOf(line));
  expect({ stdout, stderr }, 'src and docs/errors.md').toEqual({ stdout: '', stderr: shown });
  expect(code).toBeGreaterThan(0);
});
