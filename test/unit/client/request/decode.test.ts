import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decode } from '../../../../src/client/request/decode.js';

const plain = Buffer.from('{"books":[]}');
const undo = (bytes: Buffer, encoding: string, most = 1000) => decode(bytes, { 'content-encoding': encoding }, most);

test.each([
  ['gzip', gzipSync(plain)],
  ['x-gzip', gzipSync(plain)],
  ['GZIP', gzipSync(plain)],
  ['identity', plain],
  ['', plain],
])('decodes %s', async (encoding, bytes) => {
  expect(await undo(bytes, encoding)).toEqual(plain);
});

test('reports content that is broken, cut off or of an encoding that was not asked for', async () => {
  await expect(undo(plain, 'gzip')).rejects.toThrow('cannot be decompressed');
  await expect(undo(gzipSync(plain).subarray(0, 15), 'gzip')).rejects.toThrow('cannot be decompressed');
  await expect(undo(brotliCompressSync(plain), 'br')).rejects.toThrow('not supported');
  await expect(undo(plain, 'gzip, gzip')).rejects.toThrow('not supported');
});

test('accepts an empty body', async () => {
  expect(await undo(Buffer.alloc(0), 'gzip')).toHaveLength(0);
});
