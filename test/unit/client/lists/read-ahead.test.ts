import { setImmediate as tick } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAhead } from '../../../../src/client/lists/read-ahead.js';

const step = fc.record({
  bytes: fc.integer({ min: 0, max: 100 }),
  writerWaits: fc.boolean(),
  readerWaits: fc.boolean(),
});

test('returns pages as they were read and then the error, whichever side is faster', async () => {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.nat(200), async (steps, maxBytes) => {
    async function* read() {
      for (const [index, { bytes, writerWaits }] of steps.entries()) {
        if (writerWaits) await tick();
        yield { items: [index], bytes };
      }
      throw new Error('the end');
    }
    const pages = readAhead(read, undefined, maxBytes);
    for (const [index, { readerWaits }] of steps.entries()) {
      if (readerWaits) await tick();
      expect(await pages.next()).toEqual({ done: false, value: [index] });
    }
    await expect(pages.next()).rejects.toThrow('the end');
  });
  await fc.assert(property, { numRuns: 60 });
});

test.each([
  ['takes a page', (pages: AsyncGenerator) => pages.next(), [4, false]],
  ['has left', (pages: AsyncGenerator) => pages.return(undefined), [3, true]],
])('lets the list wait beyond the maximum, until the reader %s', async (_, act, wanted) => {
  let [read, isEnded] = [0, false];
  async function* endless() {
    try {
      for (read = 1; ; read++) yield { items: [read], bytes: 10 };
    } finally {
      isEnded = true;
    }
  }
  const pages = readAhead(endless, undefined, 10);
  await pages.next();
  await tick();
  expect(read).toBe(3);
  await act(pages);
  await tick();
  expect([read, isEnded]).toEqual(wanted);
  await pages.return(undefined);
});
