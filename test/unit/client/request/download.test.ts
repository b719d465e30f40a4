import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { filenameIn, safeFilename } from '../../../../src/client/request/download.js';
import { readBytes } from '../../../../src/core/http.js';
import { bench, failure, lost } from '../support.js';

const FILE = '/v1/api/file/get/17';
const text = async (download: { body: AsyncIterable<Uint8Array> }) => (await readBytes(download.body, 1000)).toString();

test('downloads a file by its path or its address, unchanged', async () => {
  const headers = {
    'content-type': 'application/pdf',
    'content-length': '5',
    'content-disposition': 'attachment; filename="a.pdf"',
  };
  for (const address of [FILE, `https://api.example${FILE}`]) {
    const { client, sent } = bench([{ body: '%PDF-', headers }]);
    const download = await client.download(address);
    expect(download).toMatchObject({ filename: 'a.pdf', contentType: 'application/pdf', size: 5 });
    expect(await text(download)).toBe('%PDF-');
    expect(sent[0]).toMatchObject({ method: 'GET', url: `https://api.example${FILE}`, anonymous: false });
    expect(sent[0]?.headers).toMatchObject({ accept: '*/*', 'accept-encoding': 'identity' });
  }
});

test('downloads from another origin without the token, also after a redirect', async () => {
  const other = bench([{ body: 'x' }]);
  expect(await text(await other.client.download('https://files.example/17?sig=abc'))).toBe('x');
  expect(other.sent[0]).toMatchObject({ url: 'https://files.example/17?sig=abc', anonymous: true });
  const moved = bench([{ status: 302, headers: { location: 'https://files.example/17?sig=abc' } }, { body: 'x' }]);
  expect(await text(await moved.client.download(FILE))).toBe('x');
  // The token is added by the origin of each request.
  expect(moved.sent.map(({ url }) => url)).toEqual([`https://api.example${FILE}`, 'https://files.example/17?sig=abc']);
});

test('follows no redirect from https to http', async () => {
  // The second response is what a followed redirect would get.
  const { client, sent } = bench([{ status: 302, headers: { location: 'http://files.example/17' } }, { body: 'x' }]);
  expect(await failure(client.download(FILE))).toMatchObject({
    kind: 'invalid_response',
    message: expect.stringContaining('http://files.example'),
  });
  expect(sent).toHaveLength(1);
});

test.each([{ status: 503 }, { status: 500 }, { status: 429 }, lost()])(
  'retries before the first byte after %j',
  async (step) => {
    const { client, sent } = bench([step, { body: 'x' }]);
    expect(await text(await client.download(FILE))).toBe('x');
    expect(sent).toHaveLength(2);
    expect(client.traffic).toMatchObject({ requests: 2, retries: 1 });
  },
);

test('diagnoses a 403 of the service, but not of another origin', async () => {
  const own = bench(({ path }) => (path === '/v1/account' ? { body: { id: '1' } } : { status: 403 }));
  expect(await failure(own.client.download(FILE))).toMatchObject({ kind: 'forbidden', exitCode: 6 });
  expect(own.sent).toHaveLength(2);
  const other = bench([{ status: 403 }]);
  const error = await failure(other.client.download('https://files.example/17?sig=abc'));
  expect(error).toMatchObject({ kind: 'forbidden' });
  expect(error.message).not.toContain('abc');
  expect(other.sent).toHaveLength(1);
});

test('fails after fewer bytes than announced', async () => {
  const { client } = bench([{ body: 'abc', headers: { 'content-length': '10' } }]);
  const error = await failure(text(await client.download(FILE)));
  expect(error).toMatchObject({
    kind: 'unreachable',
    exitCode: 7,
    message: expect.stringContaining('after 3 of 10 bytes'),
  });
  const broken = bench([
    {
      body: (async function* () {
        yield Buffer.from('ab');
        throw lost();
      })(),
    },
  ]);
  expect(await failure(text(await broken.client.download(FILE)))).toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining('the connection was closed after 2 bytes'),
  });
});

test('decompresses a file that is compressed without request', async () => {
  const { client } = bench([
    { body: gzipSync('plain'), headers: { 'content-encoding': 'gzip', 'content-length': '25' } },
  ]);
  const download = await client.download(FILE);
  expect(download.size).toBeUndefined();
  expect(await text(download)).toBe('plain');
  const broken = bench([{ body: 'plain', headers: { 'content-encoding': 'gzip' } }]);
  expect(await failure(text(await broken.client.download(FILE)))).toMatchObject({ kind: 'invalid_response' });
});

test.each([
  'file:///etc/passwd',
  'ftp://files.example/x',
  'not an address',
  '',
  'javascript:alert(1)',
  'https://u:p@files.example/x',
])('refuses to download %j', async (address) => {
  const { client, sent } = bench([{ body: 'x' }]);
  expect(await failure(client.download(address))).toMatchObject({ kind: 'usage' });
  expect(sent).toEqual([]);
});

test.each([
  ['attachment; filename="a b.pdf"', 'a b.pdf'],
  ['attachment; filename=a.pdf', 'a.pdf'],
  ["attachment; filename=x.pdf; filename*=UTF-8''na%C3%AFve.pdf", 'naïve.pdf'],
  ['attachment; filename="a\\"b.pdf"', 'a_b.pdf'],
  ['attachment; filename="../../etc/passwd"', 'passwd'],
  ['attachment; filename="..\\\\..\\\\evil.exe"', 'evil.exe'],
  ["attachment; filename*=UTF-8''..%2F..%2Fevil.sh", 'evil.sh'],
  ['attachment; filename=".."', undefined],
  ['attachment; filename=""', undefined],
  ['attachment; filename=".bashrc"', 'bashrc'],
  ['attachment; filename="CON.txt"', undefined],
  ["attachment; filename*=UTF-8''%E0%A4%A", undefined],
  ['inline', undefined],
  ['', undefined],
])('reads the name in %j as %j', (disposition, name) => {
  expect(filenameIn({ 'content-disposition': disposition })).toBe(name);
});

test('removes line breaks and bidi marks from names, and truncates them', () => {
  expect(safeFilename('a\u202egpj.exe\n')).toBe('a_gpj.exe_');
  expect(safeFilename('-rf')).toBe('rf');
  // At most 200 bytes, with the extension: file systems allow 255 bytes, not characters.
  expect(safeFilename(`${'x'.repeat(500)}.pdf`)).toBe(`${'x'.repeat(196)}.pdf`);
  expect(safeFilename(`${'漢'.repeat(150)}.pdf`)).toBe(`${'漢'.repeat(65)}.pdf`);
  expect(safeFilename('x'.repeat(500))).toHaveLength(200);
});
