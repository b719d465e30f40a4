/** Multipart bodies: flat names, streamed files, the 150 MB limit, and what refused ones leave behind. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { MAX_PDF_BYTES } from '../../../src/contract/shared.js';
import {
  BOUNDARY,
  type Bundled,
  bundled,
  closeBundled,
  FORM_TYPE,
  formOf,
  type Part,
} from '../../support/bundled-service.js';

afterEach(closeBundled);

const PDF = Buffer.from('%PDF-1.7\nsome pages\n%%EOF\n');
const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(20)]);
const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(20)]);

const reader: readonly Part[] = [
  { name: 'title', value: 'Übung „1“' },
  { name: 'subject', value: '0001' },
  { name: 'language', value: 'DE' },
];
const book: readonly Part[] = [
  { name: 'ean', value: '0099' },
  { name: 'title', value: 'T' },
  { name: 'year', value: '7' },
  { name: 'subject', value: '0001' },
  { name: 'type', value: 'Guide' },
  { name: 'language', value: 'DE' },
];
const pdf = (value: Uint8Array = PDF): Part => ({ name: 'pdfFile', value, filename: 'p.pdf', type: 'application/pdf' });

const post = (service: Bundled, path: string, parts: readonly Part[], type = FORM_TYPE) =>
  service.call('POST', path, { headers: { 'content-type': type }, body: formOf(parts) });

/** The names of the store's files on disk. */
function blobs({ store }: Bundled): string[] {
  const folder = dirname(store.blobs.path('x'));
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

const problemFields = (json: { readonly fields: readonly { readonly field: string }[] }): string[] =>
  json.fields.map(({ field }) => field);

describe('a multipart body', () => {
  it('stores the files unchanged for the download', async () => {
    const service = await bundled();
    const all = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 251));
    const parts = [
      { name: 'fileType', value: 'Audio' },
      { name: 'file', value: all, filename: 'Übung "1".bin', type: 'audio/ogg' },
    ];
    const { json } = await post(service, '/v1/files', parts);
    expect(json).toEqual({
      type: 'CloudStorage',
      id: expect.any(String),
      url: `http://service.test/base/v1/api/file/get/${json.id}`,
    });
    const file = service.store.read(() => service.store.files.get(json.id));
    expect(file).toMatchObject({ fileType: 'Audio', contentType: 'audio/ogg', size: 70_000, format: 'other' });
    expect(readFileSync(service.store.blobs.path(file?.blob ?? '')).equals(all)).toBe(true);
    const got = await service.call('GET', `/v1/api/file/get/${json.id}`);
    expect(got.status).toBe(200);
    expect(got.headers).toMatchObject({ 'content-type': 'audio/ogg', 'content-length': '70000' });
    expect(got.headers['content-disposition']).toMatch(
      /^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''%C3%9Cbung/,
    );
  });

  it.each([
    ['a PDF as PDF', [pdf()], undefined],
    ['something else as PDF', [pdf(PNG)], 'pdfFile'],
    ['a PDF with something before it', [pdf(Buffer.from(' %PDF-1.7'))], 'pdfFile'],
    ['an empty PDF', [pdf(Buffer.alloc(0))], 'pdfFile'],
    ['a PNG as cover', [{ name: 'coverFile', value: PNG, filename: 'c.png', type: 'image/png' }], undefined],
    ['a JPEG as cover, whatever its name', [{ name: 'coverFile', value: JPEG, filename: 'c.txt' }], undefined],
    [
      'a PDF as cover, whatever its type',
      [{ name: 'coverFile', value: PDF, filename: 'c.png', type: 'image/png' }],
      'coverFile',
    ],
    ['a field without a chosen file', [{ name: 'coverFile', value: '', filename: '' }], undefined],
    ['text as file', [{ name: 'pdfFile', value: '%PDF-1.7' }], 'pdfFile'],
    ['a file as text', [{ name: 'series', value: 'x', filename: 's.txt' }], 'series'],
    ['a file nobody asked for', [{ name: 'other', value: PNG, filename: 'o.png' }], undefined],
    ['a field nobody asked for', [{ name: 'settings.colour', value: 'red' }], undefined],
    ['a field twice', [{ name: 'title', value: 'again' }], 'title'],
    ['a file twice', [pdf(), pdf()], 'pdfFile'],
    ['a number that is none', [{ name: 'settings.indexPageNumber', value: '1.5' }], 'settings.indexPageNumber'],
  ])('with %s', async (_what, extra: readonly Part[], problem) => {
    const service = await bundled();
    const before = blobs(service);
    const { status, json, text } = await post(service, '/v1/books', [...book, ...extra]);
    expect(status, text).toBe(problem === undefined ? 200 : 400);
    if (problem !== undefined) {
      expect(problemFields(json)).toEqual([problem]);
      expect(blobs(service)).toEqual(before);
    }
    expect(blobs(service).filter((name) => name.endsWith('.part'))).toEqual([]);
    expect(service.errors).toEqual([]);
  });

  it.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 30), FORM_TYPE],
    ['without its beginning', (bytes: Buffer) => bytes.subarray(40), FORM_TYPE],
    ['empty', () => Buffer.alloc(0), FORM_TYPE],
    ['under another boundary', (bytes: Buffer) => bytes, 'multipart/form-data; boundary=other'],
    ['without a boundary', (bytes: Buffer) => bytes, 'multipart/form-data'],
    ['said to be JSON', (bytes: Buffer) => bytes, 'application/json'],
    ['said to be a form of another kind', (bytes: Buffer) => bytes, 'application/x-www-form-urlencoded'],
  ])('%s is refused with 400 and leaves nothing', async (_what, spoil, type) => {
    const service = await bundled();
    const before = blobs(service);
    const body = spoil(formOf([...reader, pdf()]));
    const { status, text } = await service.call('POST', '/v1/readers', { headers: { 'content-type': type }, body });
    expect(status, text).toBe(400);
    expect(service.errors).toEqual([]);
    expect(blobs(service)).toEqual(before);
  });

  it('leaves nothing when its connection breaks', async () => {
    const service = await bundled();
    const before = blobs(service);
    async function* body(): AsyncGenerator<Uint8Array> {
      yield formOf([...reader, pdf()]).subarray(0, -40);
      throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    }
    const answer = await service.call('POST', '/v1/readers', { headers: { 'content-type': FORM_TYPE }, body: body() });
    expect(answer.status).toBe(500);
    expect(blobs(service)).toEqual(before);
  });

  it('is not read if the caller may not send it', async () => {
    const service = await bundled();
    let read = 0;
    async function* body(): AsyncGenerator<Uint8Array> {
      read++;
      yield formOf([...reader, pdf()]);
    }
    const answer = await service.call('POST', '/v1/readers', {
      as: 'viewer',
      headers: { 'content-type': FORM_TYPE },
      body: body(),
    });
    expect(answer.status).toBe(403);
    expect(read).toBe(0);
  });

  it('may arrive in chunks of any size', async () => {
    const service = await bundled();
    const bytes = formOf([...reader, pdf()]);
    async function* body(): AsyncGenerator<Uint8Array> {
      for (const byte of bytes) yield Buffer.from([byte]);
    }
    const answer = await service.call('POST', '/v1/readers', { headers: { 'content-type': FORM_TYPE }, body: body() });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json.title).toBe('Übung „1“');
    const file = service.store.read(() => service.store.files.get(answer.json.pdfUrl.split('/').at(-1)));
    expect(file?.size).toBe(PDF.length);
  });
});

describe('the PDF of a reader', () => {
  /** A form with a PDF of this many bytes, generated while it is read. */
  async function* form(size: number, read: { bytes: number }): AsyncGenerator<Uint8Array> {
    const whole = formOf([...reader, pdf(Buffer.from('%PDF-'))]);
    const split = whole.length - `\r\n--${BOUNDARY}--\r\n`.length;
    yield whole.subarray(0, split);
    const chunk = Buffer.alloc(1024 * 1024, 0x20);
    for (let left = size - 5; left > 0; left -= chunk.length) {
      read.bytes += Math.min(left, chunk.length);
      yield chunk.subarray(0, left);
    }
    yield whole.subarray(split);
  }
  const send = (service: Bundled, size: number, read = { bytes: 0 }) =>
    service.call('POST', '/v1/readers', { headers: { 'content-type': FORM_TYPE }, body: form(size, read) });

  it('is not read further once it is too large', { timeout: 60_000 }, async () => {
    const service = await bundled();
    const read = { bytes: 0 };
    expect((await send(service, 4 * MAX_PDF_BYTES, read)).status).toBe(400);
    expect(read.bytes).toBeLessThan(1.2 * MAX_PDF_BYTES);
  });
});

it('a stored file that is gone is an error of the state, with its remedy', async () => {
  const service = await bundled();
  const parts = [
    { name: 'fileType', value: 'Document' },
    { ...pdf(), name: 'file' },
  ];
  const { json } = await post(service, '/v1/files', parts);
  for (const name of blobs(service)) service.store.blobs.remove(name);
  const { status, text } = await service.call('GET', new URL(json.url).pathname.replace('/base', ''));
  expect([status, text]).toEqual([500, expect.stringContaining('Run `edu offline reset`')]);
});
