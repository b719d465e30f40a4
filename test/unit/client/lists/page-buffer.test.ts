import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as tick } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PageBuffer } from '../../../../src/client/lists/page-buffer.js';
import { openPageSpill } from '../../../../src/client/lists/page-spill.js';
import { JsonText } from '../../../../src/core/json-text.js';

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
      fc.integer({ min: 0, max: 200 }),
      async (steps, maxBytesInMemory) => {
        const backlog = new PageBuffer({ folder, maxBytesInMemory });
        const written = steps.map(({ size }, index) => ({ id: index, text: 'é'.repeat(size) }));
        const writing = (async () => {
          for (const [index, step] of steps.entries()) {
            if (step.writerWaits) await tick();
            await backlog.push([written[index]], step.size * 2);
          }
          backlog.end();
        })();
        const read: unknown[] = [];
        for (let index = 0; ; index++) {
          if (steps[index]?.readerWaits) await tick();
          const items = await backlog.take();
          if (items === undefined) break;
          read.push(...items);
        }
        await writing;
        await backlog.close();
        expect(read).toEqual(written);
        expect(readdirSync(folder)).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
});

test('returns items that were not parsed as they were, also from the file', async () => {
  const page = [new JsonText('1', '{"id":"1","name":"Grün\\n"}'), { id: '2', name: 'a\nb' }, 3, null, 'x'];
  const backlog = new PageBuffer({ folder, maxBytesInMemory: 0 });
  for (const items of [page, [], page]) await backlog.push(items, 10);
  backlog.end();
  for (const items of [page, [], page]) expect(await backlog.take()).toEqual(items);
  await backlog.close();
});

test('throws an error after the last page', async () => {
  const backlog = new PageBuffer({ folder, maxBytesInMemory: 0 });
  for (const page of [[1], [2], [3]]) await backlog.push(page, 10);
  backlog.end(new Error('the end'));
  expect(await backlog.take()).toEqual([1]);
  expect(await backlog.take()).toEqual([2]);
  expect(await backlog.take()).toEqual([3]);
  await expect(backlog.take()).rejects.toThrow('the end');
  await backlog.close();
});

test('makes the writer wait for the reader if it cannot create a file', async () => {
  const backlog = new PageBuffer({ folder: join(folder, 'missing'), maxBytesInMemory: 5 });
  const pushed: number[] = [];
  const writing = (async () => {
    for (const page of [1, 2, 3, 4]) {
      await backlog.push([page], 10);
      pushed.push(page);
    }
    backlog.end();
  })();
  await tick();
  await tick();
  expect(pushed).toEqual([1]);
  const read: unknown[] = [];
  for (let items = await backlog.take(); items !== undefined; items = await backlog.take()) read.push(...items);
  await writing;
  expect(read).toEqual([1, 2, 3, 4]);
});

test('does not block the writer when the reader leaves', async () => {
  const backlog = new PageBuffer({ folder: join(folder, 'missing'), maxBytesInMemory: 5 });
  await backlog.push([1], 10);
  const writing = backlog.push([2], 10);
  backlog.forget();
  await writing;
  await backlog.push([3], 10);
  await backlog.close();
});

test('uses a private file that holds only unread pages', async () => {
  const overflow = await openPageSpill(folder);
  // On systems where an open file keeps its name, only its owner may read it.
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
  for (let round = 0; round < 3; round++) {
    await Promise.all([overflow.add([`ä${round}`]), overflow.add([])]);
    expect(overflow.waiting).toBe(2);
    expect(await overflow.take()).toEqual([`ä${round}`]);
    expect(await overflow.take()).toEqual([]);
    expect(overflow.waiting).toBe(0);
  }
  await overflow.close();
  expect(readdirSync(folder)).toEqual([]);
});
