import { expect, test } from 'vitest';
import { commonHeaders, rawRequestOf, requestOf } from '../../../../src/client/request/request.js';
import { books } from '../../../../src/contract/books.js';
import { licenses } from '../../../../src/contract/licenses.js';
import { oauth } from '../../../../src/contract/oauth.js';
import { readers } from '../../../../src/contract/readers.js';
import type { FilePart } from '../../../../src/contract/vocabulary.js';
import { parseJson } from '../../../../src/core/exact-json.js';
import { readBytes } from '../../../../src/core/http.js';
import type { JsonObject } from '../../../../src/core/json.js';

const BASE = 'https://api.example/edu';
const at = (headers: Readonly<Record<string, string>> = {}) => ({ baseUrl: BASE, headers: commonHeaders(headers) });
const bytes = async (request: { body?: unknown }): Promise<string> => {
  const { body } = request;
  if (typeof body === 'string') return body;
  const form = body as { open(): AsyncIterable<Uint8Array> };
  return (await readBytes(form.open(), 1_000_000)).toString('utf8');
};
const pdf: FilePart = {
  filename: 'a "b".pdf',
  contentType: 'application/pdf',
  size: 5,
  open: async function* () {
    yield Buffer.from('%PDF-');
  },
};

test('sends a JSON body without empty objects and undefined members', () => {
  const request = requestOf(at({ 'user-agent': 'edu/1' }), licenses.create, {
    body: {
      name: 'Herbst\ud800',
      books: ['001', '2'],
      expiration: { type: 'Days', days: 365, date: undefined },
      organization: { id: undefined },
      licenseCategory: undefined,
    },
  });
  expect(request).toMatchObject({
    method: 'POST',
    url: 'https://api.example/edu/v1/licenses',
    path: '/v1/licenses',
    headers: { accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'edu/1' },
    repeat: 'keyed',
  });
  expect(request.body).toBe('{"name":"Herbst\\ud800","books":["001","2"],"expiration":{"type":"Days","days":365}}');
});

test('sends the token request form-encoded, without a token', () => {
  const body = { client_id: 'a b', client_secret: '+&=%', code: 'c', state: undefined };
  const request = requestOf(at(), oauth.token, { body });
  expect(request.url).toBe('https://api.example/edu/login/oauth/access_token');
  expect(request.headers['content-type']).toBe('application/x-www-form-urlencoded');
  expect(request.body).toBe('client_id=a+b&client_secret=%2B%26%3D%25&code=c');
  expect(request.anonymous).toBe(true);
});

test('sends a multipart body with flat names, files last, and its exact length', async () => {
  const request = requestOf(at(), readers.create, {
    query: { language: 'EN' },
    body: {
      pdfFile: pdf,
      title: 'Zoë',
      subject: '012',
      language: 'DE',
      pdfDownloadable: true,
      settings: { pageNumberOffset: 2, indexPageNumber: undefined },
      organization: { id: '9', type: 'School' },
    },
  });
  const part = (name: string, value: string) =>
    `--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const expected = [
    part('title', 'Zoë'),
    part('subject', '012'),
    part('language', 'DE'),
    part('pdfDownloadable', 'true'),
    part('settings.pageNumberOffset', '2'),
    part('organization.id', '9'),
    part('organization.type', 'School'),
    '--B\r\nContent-Disposition: form-data; name="pdfFile"; filename="a %22b%22.pdf"\r\n',
    'Content-Type: application/pdf\r\n\r\n%PDF-\r\n--B--\r\n',
  ].join('');
  const boundary = /^multipart\/form-data; boundary=(edu-\w{32})$/.exec(request.headers['content-type'] ?? '')?.[1];
  expect((await bytes(request)).replaceAll(`--${boundary}`, '--B')).toBe(expected);
  expect(request.headers['content-length']).toBe(String(Buffer.byteLength(await bytes(request))));
  expect(request.url).toBe('https://api.example/edu/v1/readers?language=EN');
});

test('keeps the headers of a raw request, in lower case', () => {
  const request = rawRequestOf(
    at({ 'user-agent': 'edu/1' }),
    { method: 'PATCH', path: '/v1/x', headers: { 'X-Test': '1', Accept: 'text/csv' }, body: '{}' },
    'unkeyed',
  );
  expect(request.headers).toEqual({
    accept: 'text/csv',
    'user-agent': 'edu/1',
    'content-type': 'application/json',
    'x-test': '1',
  });
});

const OF_THE_CONNECTION = 'Host, Content-Length, Transfer-Encoding, Connection, Keep-Alive, Upgrade, Expect'.split(
  ', ',
);

test.each([
  ...OF_THE_CONNECTION.map((name) => [
    name,
    'x',
    `The header ${name.toLowerCase()} cannot be set: it belongs to the connection.`,
  ]),
  ['bad name', 'x', '"bad name" is not a valid header name.'],
  ['X-A', 'one\r\nx-b: two', 'The value of the header x-a contains characters that are not allowed.'],
  ['X-A', '漢', 'The value of the header x-a contains characters that are not allowed.'],
])('refuses the raw header %s: %j', (name, value, message) => {
  const request = { method: 'GET', path: '/v1/x', headers: { [name ?? '']: value ?? '' } } as const;
  expect(() => rawRequestOf(at(), request, 'safe')).toThrow(expect.objectContaining({ kind: 'usage', message }));
});

test('sends a number that JavaScript would round, or that JSON does not know, as it was read', () => {
  const body = parseJson('{"title":"9007199254740993","year":9007199254740993}') as JsonObject;
  const values = { params: { id: '7' }, query: { language: 'EN' } };
  const settings = { indexPageNumber: '9007199254740995', pageNumberOffset: '07' };
  const request = requestOf(at(), books.update, { ...values, body: { ...body, settings } });
  expect(request.body).toBe(
    '{"title":"9007199254740993","year":9007199254740993,"settings":{"indexPageNumber":9007199254740995,"pageNumberOffset":"07"}}',
  );
});
