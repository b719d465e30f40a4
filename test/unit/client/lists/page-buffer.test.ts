import { setImmediate as tick } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PageBuffer } from '../../../../src/client/lists/page-buffer.js';

const step = fc.record({
  bytes: fc.integer({ min: 0, max: 100 }),
  writerWaits: fc.boolean(),
  readerWaits: fc.boolean(),
});

test('returns pages as they were added, whichever side is faster', async () => {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.nat(200), async (steps, maxBytes) => {
    const buffer = new PageBuffer(maxBytes);
    const writing = (async () => {
      for (const [index, { bytes, writerWaits }] of steps.entries()) {
        if (writerWaits) await tick();
        await buffer.push([index], bytes);
      }
      buffer.end(new Error('the end'));
    })();
    for (const [index, { readerWaits }] of steps.entries()) {
      if (readerWaits) await tick();
      expect(await buffer.take()).toEqual([index]);
    }
    await expect(buffer.take()).rejects.toThrow('the end');
    await writing;
  });
  await fc.assert(property, { numRuns: 60 });
});

test.each([
  ['takes a page', (buffer: PageBuffer) => buffer.take()],
  ['has left', async (buffer: PageBuffer) => buffer.forget()],
])('lets the writer wait beyond the maximum, until the reader %s', async (_, act) => {
  const buffer = new PageBuffer(10);
  await buffer.push([1], 10);
  let isWritten = false;
  const writing = buffer.push([2], 10).then(() => {
    isWritten = true;
  });
  await tick();
  expect(isWritten).toBe(false);
  await act(buffer);
  await writing;
});
