import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { formBody, formFields } from '../../src/client/request/multipart.js';
import { contract } from '../../src/contract/index.js';
import type { Endpoint } from '../../src/contract/vocabulary.js';
import type { Method } from '../../src/core/http.js';
import { readForm } from '../../src/service/body.js';
import { mayRedirectTo } from '../../src/service/oauth/redirect-rule.js';
import { defaultVariants } from '../../src/service/variants.js';
import { type Bundled, bundled, closeBundled } from '../support/bundled-service.js';
import { fuzz } from './fuzz.js';
import { bytes, cuts, deep, inPieces, jsonText, jsonValue, key, spoiled, text } from './hostile.js';

const ENDPOINTS: readonly Endpoint[] = Object.values(contract).flatMap(
  (resource) => Object.values(resource) as Endpoint[],
);
const endpoints = fc.constantFrom(...ENDPOINTS);
const PERSONAS = ['distributor', 'publisher', 'school', 'viewer', null] as const;

let service: Bundled;
beforeAll(async () => {
  service = await bundled();
});
afterAll(closeBundled);

/** Asserts a response with a reason, and no unexpected error. */
function sound({ status, headers, text: body }: Awaited<ReturnType<Bundled['call']>>): void {
  const [unforeseen] = service.errors.splice(0);
  if (unforeseen !== undefined) throw unforeseen;
  expect(status).toBeGreaterThanOrEqual(200);
  expect(status).toBeLessThan(500);
  if (headers['content-type']?.startsWith('application/json')) JSON.parse(body);
}

const segment = fc.oneof(
  fc.constantFrom(
    'v1',
    'books',
    'licenses',
    'users',
    'code',
    '..',
    '.',
    '%2e%2e',
    '%2f',
    '%5c',
    '%00',
    '%',
    '%c0%ae',
    '',
  ),
  text(12).map((one) => encodeURIComponent(one.toWellFormed())),
  text(12).map((one) => one.toWellFormed().replace(/[?#]/g, '')),
);
const query = fc
  .array(
    fc.tuple(fc.oneof(fc.constantFrom('limit', 'cursor', 'type', 'date', 'organizationId', 'language'), key), text(20)),
    { maxLength: 4 },
  )
  .map((pairs) =>
    pairs
      .map(([name, value]) => `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`)
      .join('&'),
  );

describe('requests', () => {
  fuzz(
    'to any path get a status below 500',
    fc.record({
      method: fc.constantFrom<Method[]>('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'),
      path: fc.array(segment, { maxLength: 6 }).map((segments) => `/${segments.join('/')}`),
      query,
      as: fc.constantFrom(...PERSONAS),
      authorization: fc.option(text(40)),
    }),
    async ({ method, path, query: asked, as, authorization }) => {
      const headers = authorization === null ? {} : { authorization };
      sound(await service.call(method, `${path}?${asked}`, { as, headers }));
    },
  );

  fuzz(
    'with any JSON, to any endpoint, get a status below 500',
    fc.record({
      endpoint: endpoints,
      id: text(12).map((one) => encodeURIComponent(one.toWellFormed())),
      query,
      as: fc.constantFrom(...PERSONAS),
      type: fc.oneof(
        { weight: 4, arbitrary: fc.constant('application/json') },
        { weight: 1, arbitrary: text(60).map((one) => `multipart/form-data; ${one}`) },
      ),
      body: fc.oneof(
        bytes,
        spoiled(jsonText),
        // Members that the endpoint reads, with values of any type.
        fc
          .tuple(endpoints, fc.array(jsonValue, { minLength: 12, maxLength: 12 }))
          .map(([{ body = {} }, values]) =>
            Buffer.from(
              JSON.stringify(Object.fromEntries(Object.keys(body).map((name, index) => [name, values[index % 12]]))),
            ),
          ),
      ),
    }),
    async ({ endpoint, id, query: asked, as, type, body }) => {
      const path = endpoint.path.replaceAll(/\{\w+\}/g, id);
      sound(
        await service.call(endpoint.method, `${path}?${asked}`, {
          as,
          headers: { 'content-type': type },
          body,
        }),
      );
    },
    {
      examples: [
        deep(50_000),
        deep(50_000, '{"a":', '}'),
        `{"name":${deep(50_000)},"bookIds":${deep(50_000)}}`,
      ].flatMap((body) =>
        ENDPOINTS.filter(({ method }) => method !== 'GET')
          .slice(0, 8)
          .map((endpoint) => ({
            endpoint,
            id: 'x',
            query: '',
            as: 'distributor' as const,
            type: 'application/json',
            body: Buffer.from(body),
          })),
      ),
    },
  );
});

describe('multipart', () => {
  const createBook = contract.books.create;
  fuzz(
    'of the client is read back as it was written',
    fc.record({
      title: text(60),
      year: fc.integer(),
      index: fc.integer(),
      pdf: fc.uint8Array({ maxLength: 300 }),
      filename: text(30),
      places: cuts,
    }),
    async ({ title, year, index, pdf, filename, places }) => {
      const file = { filename, contentType: 'application/pdf', size: pdf.length, open: () => inPieces(pdf, places) };
      const written = formBody(
        formFields({ title, year, settings: { indexPageNumber: index }, pdfFile: file }),
        'b'.repeat(32),
      );
      const core = {
        store: service.store,
        random: (count: number) => new Uint8Array(count).map(() => Math.floor(Math.random() * 256)),
        now: Date.now,
        baseUrl: 'http://a',
        variants: defaultVariants(),
      };
      const chunks: Uint8Array[] = [];
      for await (const chunk of written.open()) chunks.push(chunk);
      const whole = Buffer.concat(chunks);
      expect(whole.length).toBe(written.size);
      const { values, uploads: kept } = await readForm(
        core,
        createBook,
        written.contentType,
        inPieces(whole, places),
        () => 1e6,
      );
      for (const { blob } of kept) service.store.blobs.remove(`${blob}`);
      expect(values.title).toBe(title.toWellFormed());
      expect(values.year).toBe(String(year));
      expect(values.settings).toEqual({ indexPageNumber: String(index) });
      expect(kept.map(({ size }) => size)).toEqual([pdf.length]);
    },
  );
});

describe('authorization', () => {
  fuzz(
    'with any parameters gets a response, and redirects only to the application',
    fc.record({
      client: fc.oneof(fc.constant('edu-offline'), text(12)),
      redirect: fc.oneof(
        text(60),
        fc.constantFrom(
          'http://127.0.0.1:8976/callback',
          'http://127.0.0.1:8976/callback/x',
          'http://127.0.0.1:8976/callback/..%2f',
          'http://127.0.0.1:8976@evil.test/callback',
          '//evil.test',
          'javascript:alert(1)',
        ),
      ),
      state: text(30),
      body: fc.oneof(
        bytes,
        query.map((one) => Buffer.from(one)),
      ),
      type: fc.constantFrom('application/x-www-form-urlencoded', 'application/json', 'text/plain', ''),
    }),
    async ({ client, redirect, state, body, type }) => {
      const parameters = new URLSearchParams({ client_id: client, redirect_uri: redirect, state });
      const asked = await service.call('GET', `/login/oauth/authorize?${parameters}`, { as: null });
      const answered = await service.call('POST', '/login/oauth/authorize', {
        as: null,
        headers: { 'content-type': type },
        body,
      });
      const token = await service.call('POST', '/login/oauth/access_token', {
        as: null,
        headers: { 'content-type': type },
        body,
      });
      for (const answer of [asked, answered, token]) {
        sound(answer);
        const { location } = answer.headers;
        if (location !== undefined) expect(new URL(location).origin).toBe('http://127.0.0.1:8976');
      }
      expect(asked.text).not.toMatch(/<script/i);
    },
  );

  const registered = 'http://127.0.0.1:8976/callback';
  fuzz(
    'redirects only to the registered host, port and path, as a browser reads the address',
    fc.oneof(
      text(80),
      text(20).map((tail) => registered + tail),
      text(20).map((tail) => `${registered}/${tail}`),
      fc.tuple(text(8), text(8)).map(([a, b]) => `http://${a}127.0.0.1${b}:8976/callback`),
    ),
    (given) => {
      if (!mayRedirectTo(registered, given)) return;
      const url = new URL(given);
      expect(url.host).toBe('127.0.0.1:8976');
      expect(url.username + url.password).toBe('');
      expect(`${url.pathname}/`).toMatch(/^\/callback\//);
    },
    {
      examples: [
        `${registered}/../x`,
        `${registered}/%2e%2e/x`,
        `${registered}/..;/x`,
        'http://127.0.0.1:8976\\@evil.test/callback',
        `${registered}x`,
        'http://127.1:8976/callback',
      ],
    },
  );
});
