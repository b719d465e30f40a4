import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { merge } from '../../../../src/core/sort/merge.js';
import { type Run, writeRun } from '../../../../src/core/sort/sorted-run.js';
import { Sorter } from '../../../../src/core/sort/sorter.js';
import { publish, writeDataFile } from '../../../../src/export/files/data-file.js';
import { fileFormat } from '../../../../src/export/files/file-format.js';
import { temporaryFolder } from '../../../support/run.js';

const FORM = fileFormat('ndjson', { kind: 'any', description: '' });

interface Line {
  readonly key: string;
  readonly line: string;
}

async function sort(passes: readonly (readonly Line[])[], unique: boolean, settleEvery = 10): Promise<string[]> {
  const folder = temporaryFolder();
  const sorter = new Sorter({ folder, name: 'x', unique });
  for (const lines of passes) {
    const pass = sorter.pass();
    for (const [index, { key, line }] of lines.entries()) {
      pass.add(key, `${line}\n`);
      if (index % settleEvery === 0) await pass.settle();
    }
    await pass.keep();
  }
  const target = { folder, file: 'out', gzip: false };
  await writeDataFile(await sorter.sorted(), FORM, target);
  await publish(target);
  await sorter.clear();
  expect(readdirSync(folder)).toEqual(['out']);
  const text = readFileSync(join(folder, 'out'), 'utf8');
  return text === '' ? [] : text.trimEnd().split('\n');
}

/** The order of code points, which is that of UTF-8 bytes. */
const byBytes = (a: string, b: string): number => Buffer.from(a).compare(Buffer.from(b));

describe('sorting', () => {
  it('sorts lines by key in code point order, from any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1 })), async (keys) => {
        const lines = keys.map((key) => ({ key, line: JSON.stringify(key) }));
        const expected = [...keys].sort(byBytes).map((key) => JSON.stringify(key));
        expect(await sort([lines], true)).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  it('merges many large passes through files', async () => {
    const line = 'x'.repeat(1000);
    const all = Array.from({ length: 6000 }, (_, index) => String((index * 4099) % 6000).padStart(5, '0'));
    const lines = all.map((key) => ({ key, line: `${key}${line}` }));
    const passes = [lines.slice(0, 1000), lines.slice(1000, 5000), lines.slice(5000)];
    expect(await sort(passes, true)).toEqual([...all].sort().map((key) => `${key}${line}`));
  });

  it('writes lines in order straight to the file, and merges late ones', async () => {
    const line = 'ü'.repeat(500);
    const keys = Array.from({ length: 3000 }, (_, index) => String(index).padStart(5, '0'));
    const late = [...keys.slice(0, 2000), ...keys.slice(2001), keys[2000] as string];
    expect(await sort([late.map((key) => ({ key, line: `${key}${line}` }))], true)).toEqual(
      keys.map((key) => `${key}${line}`),
    );
  });

  it('keeps the first late line apart from those that were written in order', async () => {
    const long = 'x'.repeat(300_000);
    const lines = [
      { key: 'b', line: long },
      { key: 'a', line: '1' },
      { key: 'c', line: '2' },
    ];
    expect(await sort([lines], true, 1)).toEqual(['1', long, '2']);
  });

  it('drops equal lines if they must be unique, and keeps lines of the same key with other content', async () => {
    const passes = [[{ key: 'a', line: '1' }], [{ key: 'a', line: '1' }], [{ key: 'a', line: '2' }]];
    expect(await sort(passes, true)).toEqual(['1', '2']);
    expect(await sort(passes, false)).toEqual(['1', '1', '2']);
  });

  it('discards a dropped pass', async () => {
    const folder = temporaryFolder();
    const sorter = new Sorter({ folder, name: 'x', unique: true });
    const pass = sorter.pass();
    for (let index = 0; index < 1000; index++) pass.add(String(index).padStart(4, '0'), `${'x'.repeat(1000)}\n`);
    await pass.settle();
    expect(readdirSync(folder)).not.toEqual([]);
    await pass.drop();
    expect(readdirSync(folder)).toEqual([]);
    for await (const lines of (await sorter.sorted()).batches()) expect(lines).toEqual([]);
  });

  it('reads lines again, and saves them after they were read', async () => {
    const folder = temporaryFolder();
    const saved: { runs: readonly Run[]; names: readonly string[] }[] = [];
    const onSaved = async (runs: readonly Run[], names: readonly string[]) => void saved.push({ runs, names });
    const sorter = new Sorter({ folder, name: 'x', unique: true, onSaved });
    for (let index = 0; index < 130; index++) {
      const pass = sorter.pass();
      pass.add(String(index).padStart(4, '0'), `${index}\n`);
      await pass.keep(`list ${index}`);
      if (index < 129) await sorter.save();
    }
    const keys: string[] = [];
    for (let round = 0; round < 2; round++)
      for await (const lines of (await sorter.sorted()).batches()) keys.push(...lines.map(({ key }) => key));
    const expected = Array.from({ length: 130 }, (_, index) => String(index).padStart(4, '0'));
    expect(keys).toEqual([...expected, ...expected]);
    await sorter.save();
    expect(saved.at(-1)?.names).toEqual(['list 129']);
    expect(saved.at(-1)?.runs.map(({ count }) => count)).toEqual([1]);
  });
});

describe('merging runs', () => {
  it.each([
    [true, ['a1', 'a2', 'b1', '=', '=']],
    [false, ['a1', 'a1', 'a1', 'a2', 'b1', '=', '=']],
  ])('with unique: %s, drops only lines that equal one of the same key', async (unique, expected) => {
    const folder = temporaryFolder();
    const lines = [['a2'], ['a1'], ['a1', 'b1'], ['a1']];
    const runs: Run[] = [];
    for (const [index, texts] of lines.entries()) {
      const writer = await writeRun(join(folder, `x.${index}.run`));
      for (const text of texts) writer.add(text.slice(0, 1), `${text}\n`);
      runs.push(await writer.end());
    }
    // Lines without a key are different items even if they are equal.
    const keyless = await writeRun(join(folder, 'x.9.run'));
    for (const _ of [1, 2]) keyless.add('', '=\n');
    runs.push(await keyless.end());
    const merged: string[] = [];
    const never = () => expect.fail('there are few runs');
    for await (const batch of merge(runs, { unique }, never, never))
      merged.push(...batch.map(({ line }) => String(line).trimEnd()));
    expect(merged).toEqual([...expected.slice(-2), ...expected.slice(0, -2)]);
  });
});

it.each([[['1', '2']], [['2', '1']]])(
  'merges lines of one key in the order of their bytes: runs of %j',
  async (lines) => {
    const folder = temporaryFolder();
    const runs: Run[] = [];
    for (const line of lines) {
      const writer = await writeRun(join(folder, `x.${line}.run`));
      writer.add('a', `${line}\n`);
      runs.push(await writer.end());
    }
    const never = () => expect.fail('there are few runs');
    const merged: string[] = [];
    for await (const batch of merge(runs, { unique: false }, never, never))
      merged.push(...batch.map(({ line }) => String(line).trimEnd()));
    expect(merged).toEqual(['1', '2']);
  },
);

describe('merging more runs than can be open', () => {
  /** Merges runs of two lines each. @returns the keys in order, and the number of runs that were merged into others first */
  async function mergeRuns(count: number) {
    const folder = temporaryFolder();
    const runs: Run[] = [];
    for (let index = 0; index < count; index++) {
      const writer = await writeRun(join(folder, `x.${index}.run`));
      for (const key of [index, index + count].map((number) => String(number).padStart(6, '0')))
        writer.add(key, `${key}\n`);
      runs.push(await writer.end());
    }
    let removed = 0;
    let further = count;
    const newPath = (): string => join(folder, `x.${further++}.run`);
    const keys: string[] = [];
    const remove = async (): Promise<void> => void removed++;
    for await (const batch of merge(runs, { unique: true }, newPath, remove)) keys.push(...batch.map(({ key }) => key));
    return { keys, removed };
  }

  it.each([
    ['none first', 128, 0],
    ['only as many first as necessary', 130, 3],
    ['in several steps', 400, 275],
  ])('merges %s', async (_, count, first) => {
    const { keys, removed } = await mergeRuns(count);
    expect(keys).toEqual(Array.from({ length: 2 * count }, (_, number) => String(number).padStart(6, '0')));
    expect(removed).toBe(first);
  });
});
