import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Client } from '../../../../src/client/request/client.js';
import { filenameIn, safeFilename } from '../../../../src/client/request/download.js';
import { readBytes } from '../../../../src/core/http.js';
import { bench, failure, lost } from '../support.js';

const FILE = '/v1/api/file/get/17';
const fetched = (client: Client, address = FILE) =>
  client.download(address, async (file) => ({ ...file, text: (await readBytes(file.body, 1000)).toString() }));
const text = async (client: Client, address?: string) => (await fetched(client, address)).text;

test('downloads a file by its path or its address, unchanged', async () => {
  const headers = {
    'content-type': 'application/pdf',
    'content-length': '5',
    'content-disposition': 'attachment; filename="a.pdf"',
  };
  for (const address of [FILE, `https://api.example${FILE}`]) {
    const { client, sent } = bench([{ body: '%PDF-', headers }]);
    expect(await fetched(client, address)).toMatchObject({ filename: 'a.pdf', size: 5, text: '%PDF-' });
    expect(sent[0]).toMatchObject({ method: 'GET', url: `https://api.example${FILE}`, anonymous: false });
    expect(sent[0]?.headers).toMatchObject({ accept: '*/*', 'accept-encoding': 'identity' });
  }
});

test('downloads from another origin without the token, also after a redirect', async () => {
  const other = bench([{ body: 'x' }]);
  expect(await text(other.client, 'https://files.example/17?sig=abc')).toBe('x');
  expect(other.sent[0]).toMatchObject({ url: 'https://files.example/17?sig=abc', anonymous: true });
  const moved = bench([{ status: 302, headers: { location: 'https://files.example/17?sig=abc' } }, { body: 'x' }]);
  expect(await text(moved.client)).toBe('x');
  // The token is added by the origin of each request.
  expect(moved.sent.map(({ url }) => url)).toEqual([`https://api.example${FILE}`, 'https://files.example/17?sig=abc']);
});

test('follows no redirect from https to http', async () => {
  // The second response is what a followed redirect would get.
  const { client, sent } = bench([{ status: 302, headers: { location: 'http://files.example/17' } }, { body: 'x' }]);
  expect(await failure(fetched(client))).toMatchObject({
    kind: 'invalid_response',
    message: expect.stringContaining('http://files.example'),
  });
  expect(sent).toHaveLength(1);
});

const broken = () => ({
  body: (async function* () {
    yield Buffer.from('ab');
    throw lost();
  })(),
});

test.each([
  ['the service is unavailable', { status: 503 }],
  ['the service fails', { status: 500 }],
  ['the service throttles', { status: 429 }],
  ['there is no response', lost()],
  ['the response breaks off', broken()],
  ['fewer bytes than announced arrive', { body: 'abc', headers: { 'content-length': '10' } }],
])('starts again if %s', async (_, step) => {
  const { client, sent } = bench([step, { body: 'x' }]);
  expect(await text(client)).toBe('x');
  expect(sent).toHaveLength(2);
  expect(client.traffic).toMatchObject({ requests: 2, retries: 1 });
});

test('diagnoses a 403 of the service, but not of another origin', async () => {
  const own = bench(({ path }) => (path === '/v1/account' ? { body: { id: '1' } } : { status: 403 }));
  expect(await failure(fetched(own.client))).toMatchObject({ kind: 'forbidden', exitCode: 6 });
  expect(own.sent).toHaveLength(2);
  const other = bench([{ status: 403 }]);
  const error = await failure(fetched(other.client, 'https://files.example/17?sig=abc'));
  expect(error).toMatchObject({ kind: 'forbidden' });
  expect(error.message).not.toContain('abc');
  expect(other.sent).toHaveLength(1);
});

test('fails if each response breaks off, and at once if its bytes were passed on', async () => {
  const { client, sent } = bench(() => broken());
  expect(await failure(fetched(client))).toMatchObject({
    kind: 'unreachable',
    exitCode: 7,
    message: 'the connection was closed after 2 bytes',
    hint: 'No incomplete file was kept. It is safe to run the command again.',
  });
  expect(sent).toHaveLength(4);
  const short = bench([{ body: 'abc', headers: { 'content-length': '10' } }]);
  expect((await failure(fetched(short.client))).message).toBe('the response ended early after 3 of 10 bytes');
  const passedOn = client.download(FILE, ({ body }) => readBytes(body, 1000), { isFinal: () => true });
  expect(await failure(passedOn)).toMatchObject({ hint: expect.stringMatching(/^The output is incomplete/) });
  expect(sent).toHaveLength(5);
});

test.each([
  ['a part of the file', { status: 206, body: 'ab', headers: { 'content-range': 'bytes 0-1/9' } }],
  ['an empty file', { status: 204 }],
  ['an empty file', { headers: { 'content-length': '0' } }],
  [
    'a page instead of a file',
    { body: '<title>Sign in</title>', headers: { 'content-type': 'text/html; charset=utf-8' } },
  ],
])('refuses %s: %j', async (what, step) => {
  const { client, sent } = bench([step], { onWait: expect.unreachable });
  const message = expect.stringContaining(`the service returned ${what}`);
  expect(await failure(fetched(client))).toMatchObject({ kind: 'invalid_response', message });
  expect(sent).toHaveLength(3);
});

test('downloads a page that has a name, and a file that is only called a page', async () => {
  const pdf = bench([{ body: '%PDF-', headers: { 'content-type': 'text/html' } }]);
  expect(await text(pdf.client)).toBe('%PDF-');
  const headers = { 'content-type': 'text/html', 'content-disposition': 'attachment; filename="a.html"' };
  expect(await fetched(bench([{ body: '<p>', headers }]).client)).toMatchObject({ filename: 'a.html', text: '<p>' });
});

test('decompresses a file that is compressed without request', async () => {
  const { client } = bench([
    { body: gzipSync('plain'), headers: { 'content-encoding': 'gzip', 'content-length': '25' } },
  ]);
  expect(await fetched(client)).toMatchObject({ size: undefined, text: 'plain' });
  const broken = bench([{ body: 'plain', headers: { 'content-encoding': 'gzip' } }]);
  expect(await failure(fetched(broken.client))).toMatchObject({ kind: 'invalid_response' });
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
  expect(await failure(fetched(client, address))).toMatchObject({ kind: 'usage' });
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

test('removes line breaks and bidi marks from names, and takes no long ones', () => {
  expect(safeFilename('a\u202egpj.exe\n')).toBe('a_gpj.exe_');
  expect(safeFilename('-rf')).toBe('rf');
  expect(safeFilename(`${'漢'.repeat(65)}.pdf`)).toBe(`${'漢'.repeat(65)}.pdf`);
  expect(safeFilename(`${'漢'.repeat(66)}.pdf`)).toBeUndefined();
});
