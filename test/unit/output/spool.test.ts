import { describe, expect, it } from 'vitest';
import { ClosedPipe, type Out } from '../../../src/core/io.js';
import { spool } from '../../../src/output/spool.js';

/** A reader that accepts text only on request. */
function slowReader() {
  const taken: string[] = [];
  const pending: (() => void)[] = [];
  const out: Out = {
    isTTY: false,
    columns: undefined,
    write: (text) =>
      new Promise((resolve) => {
        pending.push(() => {
          taken.push(String(text));
          resolve();
        });
      }),
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    out,
    taken,
    /** The reader accepts one text. */
    async take() {
      pending.shift()?.();
      await settle();
    },
    settle,
  };
}

/** Whether a promise is settled. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  let done = false;
  void promise.then(() => {
    done = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return done;
}

describe('a spool', () => {
  it('buffers text in order while the reader is slow, up to its limit', async () => {
    const reader = slowReader();
    const sink = spool(reader.out, 10);
    expect(await isDone(sink.write('aaaa'))).toBe(true);
    expect(await isDone(sink.write('bbbb'))).toBe(true);
    const third = sink.write('cccc');
    expect(await isDone(third)).toBe(false);
    await reader.take();
    expect(await isDone(third)).toBe(true);
    const ended = sink.end();
    expect(await isDone(ended)).toBe(false);
    await reader.take();
    await reader.take();
    await ended;
    expect(reader.taken).toEqual(['aaaa', 'bbbb', 'cccc']);
  });

  it('writes nothing for empty texts', async () => {
    const reader = slowReader();
    const sink = spool(reader.out, 10);
    await sink.write('');
    await sink.write(new Uint8Array());
    await sink.end();
    expect(reader.taken).toEqual([]);
  });

  it('reports at the next write, and at the end, that the reader has left', async () => {
    const out: Out = { isTTY: false, columns: undefined, write: () => Promise.reject(new ClosedPipe('gone')) };
    const sink = spool(out);
    await sink.write('a').catch(() => {});
    await expect(sink.write('b')).rejects.toBeInstanceOf(ClosedPipe);
    await expect(sink.end()).rejects.toBeInstanceOf(ClosedPipe);
  });

  it('ends waiting writes when the reader leaves', async () => {
    let reject: (error: Error) => void = () => {};
    const out: Out = {
      isTTY: false,
      columns: undefined,
      write: () =>
        new Promise((_, fail) => {
          reject = fail;
        }),
    };
    const sink = spool(out, 1);
    const waiting = sink.write('aaaa');
    reject(new ClosedPipe('gone'));
    await expect(waiting).rejects.toBeInstanceOf(ClosedPipe);
  });
});
