/** Fuzzing of the login: requests to the callback, pasted addresses, stored logins and credentials. */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { storeLogin } from '../../src/auth/credentials/credential-store.js';
import { credentialsFile, findAccessToken } from '../../src/auth/credentials/credentials.js';
import { digestOf, newAttempt } from '../../src/auth/login/browser-answer.js';
import { linesOf, readPasted } from '../../src/auth/login/paste.js';
import { startedLogins } from '../../src/auth/login/pending.js';
import { judge } from '../../src/auth/login/request-filter.js';
import { EduError } from '../../src/core/errors.js';
import { mayRedirectTo } from '../../src/service/oauth/redirect-rule.js';
import { readCallbackUrl } from '../../src/settings/callback-url.js';
import { sharedFolder } from '../support/run.js';
import { fuzz, tryTo } from './fuzz.js';
import { bytes, cuts, inPieces, jsonText, jsonValue, key, spoiled, text } from './hostile.js';

const STATE = 's'.repeat(43);
const expected = { host: '127.0.0.1:8976', paths: ['/callback/x', '/callback'], stateDigest: digestOf(STATE) };

const isEdu =
  (kind: string) =>
  (error: Error): boolean =>
    error instanceof EduError && error.kind === kind;

const FOLDER = sharedFolder();
const env = { EDU_CONFIG_DIR: join(FOLDER, 'config'), EDU_STATE_DIR: join(FOLDER, 'state') };
let count = 0;
const machine = { now: () => 1_000, wait: async () => {}, unique: () => `u${count++}` };

describe('the callback', () => {
  const header = fc.tuple(
    fc.oneof(fc.constantFrom('Host', 'Sec-Fetch-Dest', 'Sec-Fetch-Mode', 'Purpose', 'Origin', 'Cookie'), text(10)),
    fc.oneof(fc.constantFrom('127.0.0.1:8976', 'document', 'navigate', 'prefetch', 'image'), text(20)),
  );
  const pair = fc.tuple(
    fc.oneof(fc.constantFrom('state', 'code', 'error', 'error_description'), key),
    fc.oneof(fc.constant(STATE), text(20)),
  );
  const target = fc
    .tuple(
      fc.oneof(
        fc.constantFrom('/callback/x', '/callback', '/', '//evil.test', 'http://evil.test/callback', '/favicon.ico'),
        text(20),
      ),
      fc.array(pair, { maxLength: 4 }),
    )
    .map(
      ([path, pairs]) =>
        `${path}?${pairs.map(([name, value]) => `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`).join('&')}`,
    );

  fuzz(
    'ends the login only with the right host, path and state',
    fc.record({
      remoteAddress: fc.constantFrom('127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1', undefined),
      method: fc.constantFrom('GET', 'POST', 'OPTIONS', undefined),
      target: fc.oneof(target, text(80)),
      headers: fc.array(header, { maxLength: 4 }),
      hasHost: fc.boolean(),
    }),
    ({ remoteAddress, method, target: asked, headers, hasHost }) => {
      const rawHeaders = [...(hasHost ? ['Host', expected.host] : []), ...headers.flat()];
      const verdict = judge({ remoteAddress, method, target: asked, rawHeaders }, expected);
      if (verdict.kind === 'turned-away') expect(verdict.status).toBeGreaterThanOrEqual(200);
      if (verdict.kind !== 'settles') return;
      const url = new URL(`http://127.0.0.1:8976${asked}`);
      expect(url.searchParams.getAll('state')).toEqual([STATE]);
      expect(expected.paths).toContain(asked.split('?')[0]);
      expect(remoteAddress).not.toBe('10.0.0.1');
      expect(method).toBe('GET');
    },
  );

  fuzz(
    'accepts what the service sends back',
    fc.record({
      seed: fc.uint8Array({ minLength: 48, maxLength: 48 }),
      code: fc.stringMatching(/^[\x21-\x7e]{1,40}$/),
    }),
    ({ seed, code }) => {
      let used = 0;
      const randomBytes = (size: number): Uint8Array => {
        used += size;
        return seed.slice(used - size, used);
      };
      const callback = readCallbackUrl('http://127.0.0.1:8976/callback', 'x');
      const attempt = newAttempt({ baseUrl: 'https://a.test', clientId: 'c', callback, exact: false, randomBytes });
      expect(mayRedirectTo(callback.url, attempt.redirectUri)).toBe(true);
      const query = new URLSearchParams({ code, state: attempt.state });
      const host = { host: callback.host, paths: [attempt.path], stateDigest: attempt.stateDigest };
      const seen = {
        remoteAddress: '127.0.0.1',
        method: 'GET',
        target: `${attempt.path}?${query}`,
        rawHeaders: ['Host', callback.host],
      };
      expect(judge(seen, host)).toMatchObject({ kind: 'settles', answer: { code, state: attempt.state } });
      expect(readPasted(`${attempt.redirectUri}?${query}`, [attempt.stateDigest])).toMatchObject({
        kind: 'answer',
        answer: { code },
      });
    },
  );

  fuzz(
    'pasted text is accepted only with the right state, and never repeated',
    fc.oneof(
      text(200),
      target.map((one) => `http://127.0.0.1:8976${one}`),
      text(30).map((one) => `<${one}>`),
    ),
    (line) => {
      const read = readPasted(line, [expected.stateDigest]);
      if (read.kind === 'answer') expect(read.answer.state).toBe(STATE);
      if (read.kind === 'not-taken' && line.trim().length > 12) expect(read.why).not.toContain(line.trim());
    },
  );

  fuzz(
    'lines are read as they were written, in chunks of any size',
    fc.record({ whole: bytes, places: cuts }),
    async ({ whole, places }) => {
      const lines: string[] = [];
      for await (const line of linesOf(inPieces(whole, places))) lines.push(line);
      for (const line of lines) expect(line).not.toContain('\n');
      // A CR at the end of a chunk ends a line; the LF that follows ends an empty one.
      const words = (all: readonly string[]): string => all.filter((line) => line !== '').join('\n');
      expect(words(lines)).toBe(words(new TextDecoder().decode(whole).split(/[\r\n]+/)));
    },
  );

  fuzz(
    'callback URLs are http or https, or a usage error',
    fc.oneof(
      text(60),
      text(12).map((host) => `http://${host}:80/cb`),
      text(12).map((tail) => `http://127.0.0.1:8976/${tail}`),
    ),
    async (url) => {
      const tried = await tryTo(() => readCallbackUrl(url, 'callback-url'), isEdu('usage'));
      if ('value' in tried && tried.value.local)
        expect(['localhost', '[::1]']).toContain(tried.value.hostname.replace(/^127\.\d+\.\d+\.\d+$/, 'localhost'));
    },
  );
});

describe('credentials', () => {
  const file = credentialsFile(env);
  const write = (name: string, content: Uint8Array): void => {
    mkdirSync(dirname(name), { recursive: true, mode: 0o700 });
    writeFileSync(name, content);
    chmodSync(name, 0o600);
  };
  const documents = fc.oneof(
    bytes,
    spoiled(
      fc
        .tuple(key, key, jsonText)
        .map(
          ([profile, origin, value]) =>
            `{"profiles":{${JSON.stringify(profile)}:{${JSON.stringify(origin)}:${value}}}}`,
        ),
    ),
    jsonValue.map((token) =>
      Buffer.from(JSON.stringify({ profiles: { default: { 'https://a.test': { accessToken: token } } } })),
    ),
  );

  fuzz(
    'stored credentials are found again, under any profile name',
    fc.record({ profile: key, token: fc.stringMatching(/^[\x21-\x7e]{1,60}$/) }),
    async ({ profile, token }) => {
      rmSync(file, { force: true });
      const name = profile.toWellFormed();
      await storeLogin(env, machine, {
        profile: name,
        baseUrl: 'https://a.test/x',
        settings: {},
        credential: { accessToken: token },
      });
      expect(findAccessToken({ env, profile: name, baseUrl: 'https://a.test' })?.token).toBe(token);
      expect(findAccessToken({ env, profile: name, baseUrl: 'https://b.test' })).toBeUndefined();
      expect(findAccessToken({ env, profile: `${name}x`, baseUrl: 'https://a.test' })).toBeUndefined();
    },
    { share: 0.5 },
  );

  fuzz('unreadable records of started logins are ignored', documents, async (document) => {
    write(join(dirname(file), 'logins.json'), document);
    const target = { profile: 'default', baseUrl: 'https://a.test', clientId: 'c' };
    const tried = await tryTo(() => startedLogins(env, machine, target), isEdu('unauthenticated'));
    if ('value' in tried) for (const digest of tried.value) expect(digest).toHaveLength(32);
  });
});
