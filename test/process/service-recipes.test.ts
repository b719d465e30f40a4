/** Runs the recipes of docs/guides/service-recipes.md that need only the project's own packages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { node, project, ROOT, VITEST } from './service-project.js';

const GUIDE = readFileSync(join(ROOT, 'docs/guides/service-recipes.md'), 'utf8');

/** The first code block below a heading. */
function recipe(heading: string): string {
  const section = GUIDE.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  const [, code] = /```js\n(.*?)```/s.exec(section ?? '') ?? [];
  if (code === undefined) throw new Error(`the guide has no recipe "${heading}"`);
  return code;
}

test.each([
  ['node:test', ['--test', 'recipe.mjs'], /^[#ℹ] pass 1$/m],
  ['vitest', VITEST, /1 passed/],
  ["undici's MockAgent", ['recipe.mjs'], /^200$/m],
])('the recipe for %s runs', async (heading, line, expected) => {
  const file = heading === 'vitest' ? 'recipe.test.mjs' : 'recipe.mjs';
  const stdout = await node(line, project({ [file]: recipe(heading) }));
  expect(stdout.replace(/\u001b\[\d+m/g, '')).toMatch(expected);
});

test('the recipe for OAuth libraries returns a code', async () => {
  const code = `import { createService } from 'edu-cli/service';
const service = await createService();
${recipe('OAuth libraries')}
console.log(code.length > 20);
await service.close();`;
  expect(await node(['recipe.mjs'], project({ 'recipe.mjs': code }))).toBe('true\n');
});

test('a request that hangs keeps the process running until it times out, as over a network', async () => {
  const code = `import { createService } from 'edu-cli/service';
const service = await createService({ faults: ['hang'] });
await service.fetch('/v1/account', { signal: AbortSignal.timeout(50) }).catch(({ name }) => console.log(name));
await service.close();`;
  expect(await node(['hang.mjs'], project({ 'hang.mjs': code }))).toBe('TimeoutError\n');
});
