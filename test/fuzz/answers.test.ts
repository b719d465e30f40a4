/** Fuzzing of what the client reads from a service: responses, error bodies, headers, file names, tokens. */
import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { isToken } from '../../src/auth/credentials/credentials.js';
import { exchange } from '../../src/auth/login/exchange-code.js';
import { wordsOf, wordsOfMarkup } from '../../src/client/errors/error-body.js';
import { objectOf, pageOf, requestIdOf } from '../../src/client/request/answer.js';
import { decode, Undecodable } from '../../src/client/request/decode.js';
import { filenameIn, safeFilename } from '../../src/client/request/download.js';
import { redact, redactPath, redactUrl } from '../../src/client/request/redact.js';
import { retryAfter } from '../../src/client/request/retry-after.js';
import { contract } from '../../src/contract/index.js';
import type { Endpoint } from '../../src/contract/vocabulary.js';
import { cleanText, excerpt } from '../../src/core/clean-text.js';
import { EduError } from '../../src/core/errors.js';
import { forPeople, forRecord, safeJson } from '../../src/output/sanitize.js';
import { fuzz, tryTo } from './fuzz.js';
import { bytes, deep, isNonsense, jsonText, jsonValue, obeyed, spoiled, text } from './hostile.js';

const ENDPOINTS: readonly Endpoint[] = Object.values(contract).flatMap(
  (resource) => Object.values(resource) as Endpoint[],
);
const endpoints = fc.constantFrom(...ENDPOINTS);

const html = text(80).map((inner) => `<!doctype html><title>${inner}</title><p>${inner}`);
const bodies = fc.oneof(
  bytes,
  spoiled(html),
  spoiled(jsonText.map((value) => `{"licenses":[${value}],"paging":{"nextCursor":${value}}}`)),
);
const types = fc.oneof(
  fc.constantFrom('application/json', 'text/plain', 'text/html', 'application/json; charset=latin1', ''),
  text(30),
);
const header = (name: string, values: fc.Arbitrary<string>) => values.map((value) => ({ [name]: value }));

const DEEP = [
  deep(100_000),
  deep(100_000, '{"a":', '}'),
  `{"errors":${deep(100_000)}}`,
  `{"message":"x","details":${deep(50_000, '[{"errors":', '}]')}}`,
];

describe('responses', () => {
  fuzz(
    'of any bytes are a value or invalid_response, for every endpoint',
    fc.record({
      endpoint: endpoints,
      body: bodies,
      type: types,
      status: fc.constantFrom<number[]>(200, 201, 204, 299),
    }),
    async ({ endpoint, body, type, status }) => {
      const about = () => ({ method: endpoint.method, path: endpoint.path });
      const answer = { status, headers: { 'content-type': type }, bytes: body };
      const { list } = endpoint;
      const tried = await tryTo<unknown>(
        () => (list === undefined ? objectOf(endpoint, about, answer) : pageOf(list.key, list.of, about, answer)),
        isNonsense,
      );
      if ('error' in tried) expect(obeyed(tried.error.message)).toBe(false);
      else if (list !== undefined) expect(Array.isArray((tried.value as { items: unknown }).items)).toBe(true);
    },
    {
      examples: DEEP.flatMap((body) =>
        ENDPOINTS.slice(0, 12).map((endpoint) => ({
          endpoint,
          body: Buffer.from(body),
          type: 'application/json',
          status: 200,
        })),
      ),
    },
  );

  fuzz(
    'of any content encoding are decoded or refused, within the limit',
    fc.record({
      body: fc.oneof(
        bytes,
        spoiled(fc.tuple(fc.constantFrom(gzipSync, deflateSync), bytes).map(([pack, plain]) => pack(plain))),
      ),
      encoding: fc.oneof(fc.constantFrom('gzip', 'x-gzip', 'deflate', 'identity', 'gzip, gzip'), text(20)),
    }),
    async ({ body, encoding }) => {
      const tried = await tryTo(
        () => decode(body, { 'content-encoding': encoding }, 1000),
        (error) => error instanceof Undecodable,
      );
      if ('value' in tried && tried.value !== body) expect(tried.value.length).toBeLessThanOrEqual(1000);
    },
    { examples: [{ body: gzipSync(Buffer.alloc(10_000_000)), encoding: 'gzip' }] },
  );

  fuzz(
    'with errors give one line of harmless text',
    fc.record({ body: bodies, type: types }),
    ({ body, type }) => {
      const { text: said, problems } = wordsOf(body, type);
      expect(obeyed(said)).toBe(false);
      expect(said.length).toBeLessThan(1000);
      expect(problems.length).toBeLessThanOrEqual(20);
      for (const { where = '', message } of problems) expect(obeyed(where + message)).toBe(false);
    },
    { examples: DEEP.map((body) => ({ body: Buffer.from(body), type: 'application/json' })) },
  );

  fuzz(
    'of a token endpoint give a token that is valid in a header, or an error without secrets',
    fc.record({
      status: fc.integer({ min: 200, max: 599 }),
      body: fc.oneof(
        bytes.map(String),
        jsonValue.map((value) => JSON.stringify({ access_token: value, token_type: 'bearer' })),
        text(40).map((token) => `access_token=${token}&token_type=bearer`),
        text(30).map((said) => `{"error":"${said}","secret":"s3cret-s3cret"}`),
      ),
      type: types,
      wish: text(20),
    }),
    async ({ status, body, type, wish }) => {
      const headers = { 'content-type': type, 'retry-after': wish, location: wish };
      const facts = {
        baseUrl: 'https://a.example',
        clientId: 'c',
        clientSecret: 's3cret-s3cret',
        code: 'c',
        state: 's',
      };
      const clock = { now: () => 0, sleep: async () => {}, after: () => () => {} };
      const { signal } = new AbortController();
      const read: unknown = await exchange(facts, {
        send: async () => ({ status, headers, body }),
        clock,
        signal,
      }).catch((error: unknown) => error);
      if (!(read instanceof Error))
        expect(read).toEqual({ token: expect.toSatisfy(isToken), encoding: expect.anything() });
      else {
        expect(read).toBeInstanceOf(EduError);
        expect(obeyed(read.message)).toBe(false);
        expect(read.message).not.toContain('s3cret-s3cret');
      }
    },
  );
});

describe('headers', () => {
  const now = Date.UTC(2026, 0, 1);
  fuzz(
    'Retry-After is a wait of 0 or more, or nothing',
    fc.record({
      wish: fc.oneof(
        text(40),
        fc.double().map(String),
        fc.date().map((date) => (Number.isNaN(date.getTime()) ? '' : date.toUTCString())),
      ),
      date: text(20),
    }),
    ({ wish, date }) => {
      const wait = retryAfter({ 'retry-after': wish, date }, now);
      if (wait !== undefined) expect(wait).toBeGreaterThanOrEqual(0);
    },
  );

  fuzz('request ids are one harmless line', header('x-request-id', text(200)), (headers) => {
    expect(obeyed(requestIdOf(headers) ?? '')).toBe(false);
  });

  const file = text(300);
  const latin = (name: string): string => Buffer.from(name).toString('latin1');
  const dispositions = fc.oneof(
    file,
    file.map((name) => `attachment; filename="${name}"`),
    file.map((name) => `attachment; filename=${name}`),
    file.map((name) => `attachment; filename*=UTF-8''${encodeURIComponent(name.toWellFormed())}`),
    file.map((name) => latin(`attachment; filename="${name}"`)),
  );

  fuzz(
    'Content-Disposition names a file in the folder, or none',
    header('content-disposition', dispositions),
    (headers) => {
      const name = filenameIn(headers);
      if (name === undefined) return;
      expect(name).not.toMatch(/[/\\\0]/);
      expect(name).not.toMatch(/^[.-]/);
      expect(obeyed(name)).toBe(false);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
      expect(name.length).toBeGreaterThan(0);
    },
    {
      examples: [
        '../../etc/passwd',
        '..\\..\\x',
        '..',
        '.',
        '.bashrc',
        '-rf',
        'CON',
        '\0',
        '/',
        'a/..',
        '....//x',
        '%2e%2e%2fx',
      ].map((name) => ({
        'content-disposition': `attachment; filename="${name}"`,
      })),
    },
  );

  fuzz('an ordinary name is kept', fc.stringMatching(/^[A-Za-z][A-Za-z0-9 _]{0,30}[a-z]\.pdf$/), (name) => {
    fc.pre(!/^(con|prn|aux|nul|com\d|lpt\d)\./i.test(name));
    expect(filenameIn({ 'content-disposition': `attachment; filename="${name}"` })).toBe(name);
    expect(safeFilename(name)).toBe(name);
  });
});

describe('untrusted text', () => {
  fuzz('is harmless in messages and tables', text(200), (value) => {
    for (const shown of [forPeople(value), cleanText(value), excerpt(value, 20)]) expect(obeyed(shown)).toBe(false);
    expect(obeyed(forRecord(value))).toBe(false);
  });

  fuzz('in a record can be read back', text(100), (value) => {
    const named: Record<string, string> = { n: '\n', r: '\r', t: '\t', '\\': '\\' };
    const back = forRecord(value).replace(
      /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|u\{([0-9a-f]+)\}|([nrt\\]))/g,
      (_, two, four, more, name) =>
        name === undefined ? String.fromCodePoint(Number.parseInt(two ?? four ?? more, 16)) : (named[name] ?? ''),
    );
    expect(back).toBe(value);
  });

  fuzz('in JSON is the same data', jsonText, (value) => {
    const written = JSON.stringify(JSON.parse(value));
    expect(safeJson(written)).not.toMatch(/[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/);
    expect(JSON.stringify(JSON.parse(safeJson(written)))).toBe(written);
  });

  fuzz(
    'as markup keeps its words',
    fc.oneof(html, text(300)),
    (page) => {
      expect(obeyed(wordsOfMarkup(page))).toBe(false);
    },
    {
      examples: [
        '<'.repeat(200_000),
        '<script '.repeat(20_000),
        '<title>'.repeat(30_000),
        '<title '.repeat(30_000),
        '&#'.repeat(60_000),
        `<h1${' '.repeat(100_000)}`,
      ],
    },
  );

  const secret = fc.stringMatching(/^[A-Za-z0-9_.~+/=-]{12,40}$/);
  fuzz(
    'loses its secrets, in any encoding',
    fc.record({ secret, before: text(40), after: text(40) }),
    ({ secret: hidden, before, after }) => {
      // The text around the secret must not contain a part of it.
      for (const spelling of [hidden, encodeURIComponent(hidden), JSON.stringify(hidden).slice(1, -1)]) {
        const whole = `${before}${spelling}${after}`;
        for (const clean of [
          redact(whole, [hidden]),
          redactPath(whole, [hidden]),
          redactUrl(whole, 'https://a.test', [hidden]),
        ])
          expect(clean).not.toContain(spelling);
      }
      expect(redactUrl(`https://other.test/file?sig=${hidden}`, 'https://a.test')).not.toContain(hidden);
      expect(redact(`Authorization: Bearer 1${hidden}`)).not.toContain(hidden);
    },
    { examples: [{ secret: 'abcdefghijkl', before: `${'a.'.repeat(50_000)}`, after: '"token":"'.repeat(5_000) }] },
  );
});
