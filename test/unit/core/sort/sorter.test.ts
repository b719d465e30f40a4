import { readdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import promises from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareText } from '../../../../src/core/sort/compare-text.js';
import { merge } from '../../../../src/core/sort/merge.js';
import { type Run, writeRun } from '../../../../src/core/sort/sorted-run.js';
import { Sorter } from '../../../../src/core/sort/sorter.js';
import { publish, writeDataFile } from '../../../../src/export/files/data-file.js';
import { fileFormat } from '../../../../src/export/files/file-format.js';
import { observe } from '../../../support/observed-fs.js';
import { openFilesIn } from '../../../support/open-files.js';
import { temporaryFolder } from '../../../support/run.js';

const FORM = fileFormat('ndjson', { kind: 'any', description: '' });

type Line = Readonly<Record<'key' | 'line', string>>;

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
  await writeDataFile(sorter.batches(), FORM, target);
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

  it('compares surrogates as parts of code points', () => {
    const texts = ['', 'a', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'];
    expect([...texts].reverse().sort((a, b) => compareText(a, b))).toEqual(texts);
  });

  const keys = Array.from({ length: 6000 }, (_, index) => String(index).padStart(5, '0'));
  const shuffled = keys.map((_, index) => keys[(index * 4099) % keys.length] as string);

  it.each([
    ['in order', keys, 1000, 1],
    ['in any order', shuffled, 2000, 2],
    ['in any order, with long keys', shuffled.map((key) => key.padEnd(2000)), 6, 2],
  ])('writes few runs, because it keeps megabytes in memory: lines %s', async (_, some, length, expected) => {
    const folder = temporaryFolder();
    const pass = new Sorter({ folder, name: 'x', unique: true }).pass();
    for (const key of some) {
      pass.add(key, `${'x'.repeat(length)}\n`);
      await pass.settle();
    }
    expect(readdirSync(folder)).toHaveLength(expected);
    await pass.drop();
  });

  it('drops equal lines if they must be unique, and keeps lines of the same key with other content', async () => {
    const passes = [[{ key: 'a', line: '1' }], [{ key: 'a', line: '1' }], [{ key: 'a', line: '2' }]];
    expect(await sort(passes, true)).toEqual(['1', '2']);
    expect(await sort(passes, false)).toEqual(['1', '1', '2']);
  });

  it('can be cleared after a pass that could not be kept', async () => {
    const folder = temporaryFolder();
    const sorter = new Sorter({ folder, name: 'x', unique: true, onSaved: () => Promise.reject(new Error('full')) });
    const pass = sorter.pass();
    const add = () => {
      for (let index = 0; index < 5000; index++) pass.add(String(index).padStart(4, '0'), `${'x'.repeat(1000)}\n`);
    };
    add();
    await pass.settle();
    add();
    await expect(pass.keep('list')).rejects.toThrow('full');
    await pass.drop();
    await sorter.clear();
    expect(readdirSync(folder)).toEqual([]);
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
      for await (const lines of sorter.batches()) keys.push(...lines.map(({ key }) => key));
    const expected = Array.from({ length: 130 }, (_, index) => String(index).padStart(4, '0'));
    expect(keys).toEqual([...expected, ...expected]);
    await sorter.save();
    expect(saved.at(-1)?.names).toEqual(['list 129']);
    expect(saved.at(-1)?.runs).toHaveLength(1);
  });

  // Lines so long that a few in order, or 140 in any order, are written to a run of their own.
  const long = 'ü'.repeat(30_000);
  const texts = fc.array(fc.integer({ max: 99 }), { maxLength: 160, size: 'max' });
  const pass = fc.record({
    keys: fc.oneof(
      texts,
      texts.map((some) => some.sort((a, b) => a - b)),
    ),
    isKept: fc.boolean(),
    isSaved: fc.boolean(),
  });

  it('continues after an interruption with the passes that were saved, each of them as a whole', async () => {
    const work = async (passes: readonly { keys: readonly number[]; isKept: boolean; isSaved: boolean }[]) => {
      const folder = temporaryFolder();
      const saved: Run[] = [];
      const finished: string[] = [];
      const onSaved = async (runs: readonly Run[], names: readonly string[]) => {
        saved.push(...runs);
        finished.push(...names);
      };
      const options = { folder, name: 'x', unique: false, onSaved };
      const kept: string[][] = [];
      let sorter = new Sorter(options);
      for (const [number, { keys, isKept, isSaved }] of passes.entries()) {
        const before = readdirSync(folder);
        const pass = sorter.pass();
        const names = keys.map((key) => String(key).padStart(3, '0'));
        for (const key of names) {
          pass.add(key, `${long}${key}\n`);
          await pass.settle();
        }
        expect(pass.count).toBe(keys.length);
        if (isKept) {
          await pass.keep(String(number));
          kept[number] = names;
        } else {
          await pass.drop();
          expect(readdirSync(folder)).toEqual(before);
        }
        if (!isSaved) continue;
        await sorter.save();
        sorter = new Sorter(options);
        sorter.adopt(saved);
      }
      sorter = new Sorter(options);
      sorter.adopt(saved);
      const found: string[] = [];
      for await (const lines of sorter.batches()) {
        expect(lines).not.toEqual([]);
        found.push(...lines.map(({ line }) => String(line.subarray(Buffer.byteLength(long), -1))));
      }
      expect(found).toEqual(finished.flatMap((name) => kept[Number(name)] ?? []).sort());
      expect(openFilesIn(folder)).toEqual([]);
      expect(readdirSync(folder).filter((name) => statSync(join(folder, name)).size === 0)).toEqual([]);
      await sorter.clear();
    };
    const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
    // One line comes after larger ones were written.
    const late = { keys: [...range(10, 30), 0, ...range(30, 180)], isKept: true, isSaved: true };
    await fc.assert(fc.asyncProperty(fc.array(pass, { maxLength: 5 }), work), { numRuns: 10, examples: [[[late]]] });
  });
});

it('writes a run in blocks of 99 such lines, whose memory a merge uses again for later ones', async () => {
  const path = join(temporaryFolder(), 'x.1.run');
  const run = await writeRun(path, [Array.from({ length: 9900 }, () => ({ key: '', line: `${'x'.repeat(999)}\n` }))]);
  expect(readFileSync(path).readUInt32LE(4)).toBe(99);
  const memories = new Set<unknown>();
  for await (const batch of merge([run], [], { unique: true }, String, async () => {}))
    for (const { line } of batch) memories.add(line.buffer);
  expect(memories.size).toBeLessThan(25);
});

it('fails if a run cannot be closed, as on a full network disk', async () => {
  observe(promises, ({ open }) => ({
    open: async (...given) => {
      const file = await open(...given);
      const close = file.close;
      return Object.assign(file, { close: () => close().then(() => Promise.reject(new Error('full'))) });
    },
  }));
  await expect(writeRun(join(temporaryFolder(), 'x.1.run'), [[]])).rejects.toThrow('full');
});

it('fails for a run that ends early', async () => {
  const path = join(temporaryFolder(), 'x.1.run');
  const run = await writeRun(path, [[{ key: 'a', line: 'one\n' }]]);
  truncateSync(path, statSync(path).size - 1);
  const batches = merge([run], [], { unique: true }, String, async () => {});
  await expect(batches.next()).rejects.toThrow('ended early');
});

const item = (text: string) => ({ key: text.slice(0, 1).trim(), line: `${text}\n` });

async function mergedRuns(texts: readonly (readonly string[])[], unique: boolean): Promise<readonly string[]> {
  const folder = temporaryFolder();
  const runs: Run[] = [];
  for (const [index, lines] of texts.entries())
    runs.push(await writeRun(join(folder, `x.${index}.run`), [lines.map(item)]));
  const merged: string[] = [];
  const never = () => expect.fail('there are few runs');
  for await (const batch of merge(runs, [], { unique }, never, never))
    merged.push(...batch.map(({ line }) => String(line).trim()));
  return merged;
}

it.each([
  [true, ['=', '=', 'a1', 'a2', 'b1']],
  [false, ['=', '=', 'a1', 'a1', 'a1', 'a2', 'b1']],
])('with unique: %s, drops only lines that equal one of the same key', async (unique, expected) => {
  // Lines without a key are different items even if they are equal.
  const runs = [['a2'], ['a1'], ['a1', 'b1'], ['a1'], [' =', ' =']];
  expect(await mergedRuns(runs, unique)).toEqual(expected);
  expect(await mergedRuns(runs.reverse(), unique)).toEqual(expected);
});

describe('merging more runs than can be open', () => {
  it.each([
    ['none first', 128, 0],
    ['only as many first as necessary', 130, 3],
    ['in several steps', 400, 275],
  ])('merges %s', async (_, count, first) => {
    const folder = temporaryFolder();
    const keys = Array.from({ length: 2 * count }, (_, number) => String(number).padStart(6, '0'));
    const runs: Run[] = [];
    for (let index = 0; index < count; index++) {
      const items = [index, index + count].map((at) => ({ key: keys[at] ?? '', line: `${keys[at]}\n` }));
      runs.push(await writeRun(join(folder, `x.${index}.run`), [items]));
    }
    let removed = 0;
    let further = count;
    let isRemoving = false;
    const newPath = (): string => {
      expect(isRemoving).toBe(false);
      return join(folder, `x.${further++}.run`);
    };
    const remove = async (): Promise<void> => {
      isRemoving = true;
      await new Promise((resolve) => setImmediate(resolve));
      isRemoving = false;
      removed++;
    };
    const found: string[] = [];
    for await (const batch of merge(runs, [], { unique: true }, newPath, remove))
      found.push(...batch.map(({ key }) => key));
    expect(found).toEqual(keys);
    expect(removed).toBe(first);
    expect(openFilesIn(folder)).toEqual([]);
  });
});
