/** Runs the recipes of docs/guides/service-recipes.md that need only the project's own packages. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/run.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const GUIDE = readFileSync(join(ROOT, 'docs/guides/service-recipes.md'), 'utf8');

/** The first code block below a heading. */
function recipe(heading: string): string {
  const section = GUIDE.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  const [, code] = /```js\n(.*?)```/s.exec(section ?? '') ?? [];
  if (code === undefined) throw new Error(`the guide has no recipe "${heading}"`);
  return code;
}

/** A folder with installed packages and a file with this code. */
function project(file: string, code: string): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'node_modules'));
  for (const name of ['vitest', 'undici'])
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  symlinkSync(ROOT, join(folder, 'node_modules', 'edu-cli'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, file), code);
  return folder;
}

/**
 * Runs Node in a project, without the environment of this test.
 * @throws if it fails, with its output
 */
const node = async (line: readonly string[], cwd: string): Promise<string> =>
  (await promisify(execFile)(process.execPath, line, { cwd, env: { PATH: process.env.PATH } })).stdout;

test.each([
  ['node:test', ['--test', 'recipe.mjs'], /^[#ℹ] pass 1$/m],
  ['vitest', ['node_modules/vitest/vitest.mjs', 'run'], /1 passed/],
  ["undici's MockAgent", ['recipe.mjs'], /^200$/m],
])('the recipe for %s runs', async (heading, line, expected) => {
  const file = heading === 'vitest' ? 'recipe.test.mjs' : 'recipe.mjs';
  const stdout = await node(line, project(file, recipe(heading)));
  expect(stdout.replace(/\u001b\[\d+m/g, '')).toMatch(expected);
});

test('the recipe for OAuth libraries returns a code', async () => {
  const code = `import { createService } from 'edu-cli/service';
const service = await createService();
${recipe('OAuth libraries')}
console.log(code.length > 20);
await service.close();`;
  expect(await node(['recipe.mjs'], project('recipe.mjs', code))).toBe('true\n');
});
