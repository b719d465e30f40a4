import { expect, test } from 'vitest';
import { formBody, quotedName } from '../../../../src/client/request/multipart.js';
import type { FilePart } from '../../../../src/contract/vocabulary.js';
import { readBytes } from '../../../../src/core/http.js';

const file = (size: number, ...chunks: (string | Error)[]): FilePart => ({
  filename: 'x.pdf',
  contentType: 'application/pdf',
  size,
  open: async function* () {
    for (const chunk of chunks) {
      if (chunk instanceof Error) throw chunk;
      yield Buffer.from(chunk);
    }
  },
});
const send = (part: FilePart) => readBytes(formBody([['file', part]], 'B').open(), 10_000);

test.each([
  ['plain.pdf', '"plain.pdf"'],
  ['a"b.pdf', '"a%22b.pdf"'],
  ['a\\', '"a%5C"'],
  ['a\r\nX-Evil: 1', '"a%0D%0AX-Evil: 1"'],
  ['Übung 漢字.pdf', '"Übung 漢字.pdf"'],
  ['a\0b', '"a%00b"'],
  ['a\ud800b', '"a\ufffdb"'],
])('writes the name %j as %j', (name, quoted) => {
  expect(quotedName(name)).toBe(quoted);
});

test('refuses a content type with a line break', async () => {
  const part = { ...file(1, 'x'), contentType: 'text/plain\r\nX-Evil: 1' };
  expect((await send(part)).toString()).toContain('Content-Type: application/octet-stream\r\n\r\nx');
});

test.each([
  ['shrank', file(10, 'abc'), 'shrank from 10 to 3 bytes'],
  ['grew', file(2, 'ab', 'c'), 'grew beyond its 2 bytes'],
  ['vanished', file(4, Object.assign(new Error('x'), { code: 'ENOENT' })), 'vanished'],
  ['failed', file(4, 'ab', Object.assign(new Error('x'), { code: 'EIO' })), 'could no longer be read'],
])('detects a file that %s', async (_, part, words) => {
  await expect(send(part)).rejects.toMatchObject({ kind: 'internal', message: expect.stringContaining(words) });
  await expect(send(part)).rejects.toMatchObject({ message: expect.stringContaining('"x.pdf"') });
});
