import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as tick } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PageBuffer } from '../../../../src/client/lists/page-buffer.js';
import { exactJson, JsonText } from '../../../../src/core/exact-json.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'edu-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('returns pages as they were added, whichever side is faster', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ size: fc.integer({ min: 0, max: 50 }), writerWaits: fc.boolean(), readerWaits: fc.boolean() }),
        {
          maxLength: 30,
        },
      ),
      fc.integer({ min: -1, max: 200 }),
      async (steps, maxBytesInMemory) => {
        const buffer = new PageBuffer({ folder, maxBytesInMemory });
        const written = steps.map(({ size }, index) => ({ id: index, text: 'é'.repeat(size) }));
        const writing = (async () => {
          for (const [index, step] of steps.entries()) {
            if (step.writerWaits) await tick();
            await buffer.push([written[index]], step.size * 2);
          }
          buffer.end();
        })();
        const read: unknown[] = [];
        for (let index = 0; ; index++) {
          if (steps[index]?.readerWaits) await tick();
          const items = await buffer.take();
          if (items === undefined) break;
          read.push(...items);
        }
        await writing;
        await buffer.close();
        expect(read).toEqual(written);
        expect(readdirSync(folder)).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
});

test('returns items that were not parsed, from the file, as the same JSON', async () => {
  const page = [new JsonText('1', '{"id":"1","name":"Grün\\n"}'), { id: '2', name: 'a\nb' }, 3, null, 'x'];
  const buffer = new PageBuffer({ folder, maxBytesInMemory: -1 });
  for (let round = 0; round < 2; round++) await buffer.push(page, 10);
  buffer.end();
  expect(await buffer.take()).toEqual([{ id: '1', name: 'Grün\n' }, ...page.slice(1)]);
  expect((await buffer.take())?.map((item) => exactJson(item))).toEqual(page.map((item) => exactJson(item)));
  await buffer.close();
});

test('throws an error after the last page', async () => {
  const buffer = new PageBuffer({ folder, maxBytesInMemory: 0 });
  for (const page of [[1], [2], [3]]) await buffer.push(page, 10);
  buffer.end(new Error('the end'));
  expect(await buffer.take()).toEqual([1]);
  expect(await buffer.take()).toEqual([2]);
  expect(await buffer.take()).toEqual([3]);
  await expect(buffer.take()).rejects.toThrow('the end');
  await buffer.close();
});

test('keeps pages in memory if it cannot create a file', async () => {
  const buffer = new PageBuffer({ folder: join(folder, 'missing'), maxBytesInMemory: 5 });
  for (const page of [1, 2, 3, 4]) await buffer.push([page], 10);
  buffer.end();
  for (const page of [1, 2, 3, 4]) expect(await buffer.take()).toEqual([page]);
  expect(await buffer.take()).toBeUndefined();
  await buffer.close();
});

test('drops pages when the reader has left, and removes the file', async () => {
  const buffer = new PageBuffer({ folder, maxBytesInMemory: -1 });
  await buffer.push([1], 10);
  // On systems where an open file keeps its name, only its owner may read it.
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
  buffer.forget();
  await buffer.push([2], 10);
  buffer.end();
  expect(await buffer.take()).toBeUndefined();
  await buffer.close();
  expect(readdirSync(folder)).toEqual([]);
});

test('writes pages to the file only while more than the maximum is in memory', async () => {
  const pages = [0, 1, 2, 3].map((id) => [{ id }]);
  const buffer = new PageBuffer({ folder, maxBytesInMemory: 10 });
  for (const page of pages.slice(0, 3)) await buffer.push(page, 10);
  const isInMemory = async (page: unknown): Promise<boolean> => (await buffer.take()) === page;
  expect([await isInMemory(pages[0]), await isInMemory(pages[1])]).toEqual([true, true]);
  await buffer.push(pages[3] ?? [], 10);
  buffer.end();
  expect([await isInMemory(pages[2]), await isInMemory(pages[3])]).toEqual([false, true]);
  await buffer.close();
});
