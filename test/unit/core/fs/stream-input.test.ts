/** Input that the user names. */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inOneBuffer, readInput, streamInput } from '../../../../src/core/fs/stream-input.js';
import type { In } from '../../../../src/core/io.js';
import { openFilesIn } from '../../../support/open-files.js';
import { temporaryFolder } from '../../../support/run.js';

const stdinOf = (chunks: AsyncIterable<Uint8Array>, isTTY = false): In => Object.assign(chunks, { isTTY }) as In;
const chunks = async function* () {
  yield Buffer.from('a');
  yield Buffer.from('b');
};
const going = new AbortController().signal;
const read = (path: string, { isTTY = false, max = 1024 ** 2 } = {}) =>
  readInput('--from', path, stdinOf(chunks(), isTTY), going, max).then(String);

test.skipIf(process.platform === 'win32')('reads files and stdin, whatever its name', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'file');
  // More than a buffer.
  const text = 'abc'.repeat(50_000);
  writeFileSync(file, text);
  expect(await read(file)).toBe(text);
  for (const name of ['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0']) expect(await read(name)).toBe('ab');
  await expect(read(file, { max: 149_999 })).rejects.toThrow('has more than');
  const message = `--from: ${JSON.stringify(file)} has more than 0.125 MiB. Nothing was sent.`;
  await expect(read(file, { max: 131_072 })).rejects.toMatchObject({ kind: 'usage', message });
  expect(await read(file, { max: 150_000 })).toBe(text);
  expect(openFilesIn(folder)).toEqual([]);
});

test.each([0, 1, 2, 9])('reads an open file to its end, or to %i bytes', async (max) => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, 'abcd');
  const handle = openSync(file, 'r');
  let text = '';
  for await (const chunk of inOneBuffer(handle, max)) text += chunk;
  closeSync(handle);
  expect(text).toBe('abcd'.slice(0, max));
});

test.skipIf(process.platform === 'win32').each([
  ['/dev/null', '--from: "/dev/null" is neither a file nor a pipe.'],
  ['/', '--from: "/" is a folder.'],
  ['/none', '--from: "/none" cannot be read: no such file or folder (ENOENT). Nothing was sent.'],
  ['-', '--from - reads stdin, and stdin is the terminal.'],
])('refuses %s', async (path, message) => {
  await expect(read(path, { isTTY: true })).rejects.toMatchObject({ kind: 'usage', message });
});

test('ends when it is interrupted, even while a pipe is idle', async () => {
  const stop = new AbortController();
  const idle = async function* () {
    yield Buffer.from('a');
    await new Promise<never>(() => {});
  };
  const input = streamInput('--from', '-', stdinOf(idle()), stop.signal);
  expect((await input.next()).value?.toString()).toBe('a');
  const next = input.next();
  stop.abort(new Error('interrupted'));
  await expect(next).rejects.toThrow('interrupted');
});
