/** `edu` is published nowhere yet, and its name on a registry could be taken: nothing tells people to install it from there. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const FROM_REGISTRY =
  /\b(?:npm (?:install|i|add)|npx|pnpm add|yarn (?:global )?add|bun add)\b(?=[^\n`]*[\s'"]edu-cli(?!-\S*\.tgz)(?:@|[\s'"`,]|$))[^\n]*/g;

test.each([
  ['npm install -g edu-cli', true],
  ['npm install --global edu-cli@0.1.0', true],
  ["shellLine('npx', '--package', 'edu-cli', 'edu')", true],
  ['npm install -g ./edu-cli-*.tgz', false],
  ['npm install --global ./edu-cli-0.1.0.tgz libsql@0.5.29', false],
])('recognizes %s', (line, expected) => {
  expect(line.match(FROM_REGISTRY) !== null).toBe(expected);
});

test('README, docs and sources name only a clone or a release file', () => {
  const files = execFileSync('git', ['ls-files', 'README.md', 'docs', 'src', '.github'], { encoding: 'utf8' });
  const texts = files
    .trim()
    .split('\n')
    .filter((file) => /\.(md|ts|json|ya?ml|sh)$|Dockerfile$/.test(file));
  const found = texts.flatMap((file) =>
    (readFileSync(file, 'utf8').match(FROM_REGISTRY) ?? []).map((line) => [file, line]),
  );
  expect(found).toEqual([]);
});
