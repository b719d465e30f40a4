/**
 * The bundled service in memory or in a folder, with sample data, a clock that tests move, and a short way to call it.
 */
import { randomBytes } from 'node:crypto';
import { type Body, chunksOf, type Headers, type Method } from '../../src/core/http.js';
import { type PersonaName, personaToken } from '../../src/service/personas.js';
import { type SeedName, seedFill } from '../../src/service/seeds/seed.js';
import { createService, type Service } from '../../src/service/service.js';
import { openStore, type Store } from '../../src/service/store/store.js';
import type { Variants } from '../../src/service/variants.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined when it is empty. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  readonly json: any;
}

export interface Call {
  /** A persona, or a whole Authorization header; null for none. */
  readonly as?: PersonaName | null;
  readonly headers?: Headers;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged. */
  readonly body?: Body;
}

export interface Bundled {
  readonly service: Service;
  readonly store: Store;
  /** Unexpected errors of the service. */
  readonly errors: unknown[];
  call(method: Method, path: string, call?: Call): Promise<Answer>;
  /** Advances the clock by milliseconds. */
  pass(milliseconds: number): void;
  now(): number;
  close(): void;
}

/** Noon of a Friday. */
export const START = Date.UTC(2026, 10, 20, 12);

const OPEN = new Set<Bundled>();

/** Closes all services; for `afterEach`. */
export function closeBundled(): void {
  for (const one of OPEN) one.close();
}

export interface BundledOptions {
  readonly seed?: SeedName;
  readonly directory?: string;
  readonly baseUrl?: string;
  readonly variants?: Variants | undefined;
}

export async function bundled(options: BundledOptions = {}): Promise<Bundled> {
  const { seed = 'demo', directory, baseUrl = 'http://service.test/base', variants } = options;
  let now = START;
  const errors: unknown[] = [];
  const fill = await seedFill(seed, now);
  const store = await openStore({ directory, fill });
  const service = createService({
    store,
    clock: () => now,
    random: (count) => randomBytes(count),
    baseUrl,
    variants,
    onError: (error) => errors.push(error),
  });
  const made: Bundled = {
    service,
    store,
    errors,
    async call(method, path, { as = 'distributor', headers = {}, json, body } = {}) {
      const response = await service.handle({
        method,
        url: `${baseUrl}${path}`,
        headers: {
          ...(as === null ? {} : { authorization: `Bearer ${personaToken(as)}` }),
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: json === undefined ? body : JSON.stringify(json),
      });
      const chunks: Uint8Array[] = [];
      for await (const chunk of chunksOf(response.body)) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString();
      const isJson = response.headers['content-type']?.startsWith('application/json') === true;
      return { ...response, text, json: isJson && text !== '' ? JSON.parse(text) : undefined };
    },
    pass: (milliseconds) => {
      now += milliseconds;
    },
    now: () => now,
    close() {
      if (OPEN.delete(made)) service.close();
    },
  };
  OPEN.add(made);
  return made;
}

export const BOUNDARY = 'edu-test-boundary';
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

export interface Part {
  readonly name: string;
  readonly value: string | Uint8Array;
  /** Makes the part a file. */
  readonly filename?: string;
  readonly type?: string;
}

/** The bytes of a multipart body. */
export function formOf(parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(({ name, value, filename, type }) => [
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n`,
    type === undefined ? '' : `Content-Type: ${type}\r\n`,
    '\r\n',
    value,
    '\r\n',
  ]);
  return Buffer.concat([...pieces, `--${BOUNDARY}--\r\n`].map((piece) => Buffer.from(piece as string)));
}
