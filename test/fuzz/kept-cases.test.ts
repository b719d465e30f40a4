/**
 * The targets of coverage-guided fuzzing (`npm run fuzz:coverage`): inputs that failed in it, those that it begins with,
 * and any others.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, expect, test } from 'vitest';
import { instrumented } from '../../scripts/fuzz/instrument.mjs';
import { mutated, randomFrom } from '../../scripts/fuzz/mutate.mjs';
import { closeBundled } from '../support/bundled-service.js';
import { sharedFolder } from '../support/run.js';
import { NAMES, targets } from './coverage/targets.js';
import { checkPrototypes, fuzz } from './fuzz.js';
import { bytes, deep, spoiled } from './hostile.js';

const folder = sharedFolder();
afterEach(checkPrototypes);
afterAll(closeBundled);
const made = await targets(folder);

test('cases are kept only for existing targets', () => {
  const kept = join(import.meta.dirname, 'cases');
  expect(Object.keys(made).sort()).toEqual([...NAMES].sort());
  expect((existsSync(kept) ? readdirSync(kept) : []).filter((name) => !(name in made))).toEqual([]);
});

test.each(NAMES)('%s passes its kept cases', async (name) => {
  const { seeds, run } = made[name];
  const kept = join(import.meta.dirname, 'cases', name);
  const cases = existsSync(kept) ? readdirSync(kept).map((one) => readFileSync(join(kept, one))) : [];
  for (const one of [...seeds, ...cases]) await run(Buffer.from(one as string));
});

/** Nested deeper than some parsers can follow, and a quoted cell of many lines. JSON.stringify cannot follow, either. */
const hard = (name: string): readonly string[] =>
  ({ json: [], 'export-data': ['"\n'.repeat(300_001)] })[name] ?? [deep(10_000), deep(10_000, '{"a":', '}')];
for (const name of NAMES) {
  const { seeds, run } = made[name];
  fuzz(
    `${name} of any bytes is read in one way, or refused`,
    fc.oneof(bytes, spoiled(fc.constantFrom(...seeds))),
    async (one) => void (await run(one)),
    { examples: hard(name).map((one) => Buffer.from(one)) },
  );
}

test('counting branches does not change what code does', () => {
  let count = 0;
  const texts: string[] = [];
  const code = `
    const f = (a) => (a > 1 ? 'x' : a || 0 ? (() => ({ b: 'y' }))() && 'y' : 'z');
    function g(a) { switch (a) { case 'x': return 1; default: for (const b of [1]) a += b; } try { null.a } catch { return a; } }
    if (f(2) === 'x') g('q'); else f(0);
    return [f(2), f(1), f(0), g('x'), g('w')];`;
  const inFunction = `() => {${code}}`;
  const counted = instrumented(
    inFunction,
    'js',
    () => count++,
    (text) => texts.push(text),
  );
  expect(counted.match(/__fuzzCounters\[\d+\]\+\+/g)).toHaveLength(count);
  expect(count).toBe(16);
  expect(texts).toEqual(expect.arrayContaining(['x', 'y', 'z']));
  const counters = new Uint8Array(count);
  const run = (source: string): unknown => new Function('__fuzzCounters', `return (${source})()`)(counters);
  expect(run(counted)).toEqual(run(inFunction));
  // All except the branch after `else`.
  expect([...counters].filter((times) => times === 0)).toHaveLength(1);
});

test('a seed repeats the same mutations', () => {
  const change = () => {
    const random = randomFrom(7);
    return Array.from({ length: 50 }, () =>
      mutated(Buffer.from('abc'), random, [Buffer.from('word')], Buffer.from('other'), 100),
    );
  };
  expect(change()).toEqual(change());
  expect(new Set(change().map(String)).size).toBeGreaterThan(25);
});
