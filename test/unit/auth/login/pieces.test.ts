import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { masked } from '../../../../src/auth/credentials/credentials.js';
import { answerIn, digestOf, newAttempt } from '../../../../src/auth/login/browser-answer.js';
import { linesOf } from '../../../../src/auth/login/paste.js';
import { judge } from '../../../../src/auth/login/request-filter.js';
import { inWords } from '../../../../src/auth/login/wait.js';
import { milliseconds } from '../../../../src/core/duration.js';
import { sshForward } from '../../../../src/output/terminal/browser.js';
import { readCallbackUrl } from '../../../../src/settings/callback-url.js';

describe('the filter of requests', () => {
  const expected = { host: '127.0.0.1:8976', paths: ['/callback', '/callback/x'], stateDigest: digestOf('right') };
  const request = {
    remoteAddress: '127.0.0.1',
    method: 'GET',
    target: '/callback/x?code=c&state=right',
    rawHeaders: ['Host', '127.0.0.1:8976'],
  };

  test.each(['10.0.0.1', '192.168.1.9', '::ffff:10.0.0.1', 'fe80::1', '', undefined, '127.0.0.1.evil'])(
    'drops requests from %s',
    (remoteAddress) => {
      expect(judge({ ...request, remoteAddress }, expected)).toEqual({ kind: 'drop' });
    },
  );

  test.each(['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])('accepts requests from %s', (remoteAddress) => {
    expect(judge({ ...request, remoteAddress }, expected).kind).toBe('settles');
  });
});

describe('a response at the callback', () => {
  test('is parsed as it was written, with any code and state', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(text, text, (code, state) => {
        const query = new URLSearchParams({ code, state });
        expect(answerIn(query.toString(), [digestOf('another'), digestOf(state)])).toEqual({
          kind: 'code',
          code,
          state,
        });
      }),
    );
  });
});

describe('the values of a login', () => {
  const make = (url: string, exact = false): string =>
    newAttempt({
      baseUrl: 'https://api.example.com/base',
      clientId: 'a b&c',
      callback: readCallbackUrl(url, 'callback-url'),
      exact,
      randomBytes: (count) => Buffer.alloc(count, 0xff),
    }).redirectUri;
  const own = '_____________________w';

  test.each([
    ['http://127.0.0.1:8976/callback', `http://127.0.0.1:8976/callback/${own}`],
    ['http://127.0.0.1:8976/callback/', `http://127.0.0.1:8976/callback/${own}`],
    ['http://127.0.0.1:8976', `http://127.0.0.1:8976/${own}`],
    ['http://localhost:80/cb', `http://localhost:80/cb/${own}`],
    ['https://app.example.com/cb', 'https://app.example.com/cb'],
  ])('use a path of their own below %s', (url, redirect) => {
    expect(make(url)).toBe(redirect);
    expect(make(url, true)).toBe(url);
  });

  test('make an address below the base URL with exactly three parameters', () => {
    const { address } = newAttempt({
      baseUrl: 'https://api.example.com/base',
      clientId: 'a b&c',
      callback: readCallbackUrl('http://127.0.0.1:1/cb', 'callback-url'),
      exact: true,
      randomBytes: (count) => Buffer.alloc(count),
    });
    expect(address).toBe(
      'https://api.example.com/base/login/oauth/authorize?client_id=a+b%26c&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2Fcb' +
        `&state=${'A'.repeat(43)}`,
    );
  });
});

describe('lines', () => {
  test('are the same in chunks of any size', async () => {
    const text = 'one\r\ntwo\n\nthrée\rfour';
    for (let cut = 0; cut <= Buffer.byteLength(text); cut++) {
      const bytes = Buffer.from(text);
      const lines: string[] = [];
      for await (const line of linesOf(chunks([bytes.subarray(0, cut), bytes.subarray(cut)]))) lines.push(line);
      // A chunk that ends between CR and LF adds an empty line, which is harmless.
      expect(lines.filter((line) => line !== '')).toEqual(['one', 'two', 'thrée', 'four']);
    }
  });

  test('have a maximum length in memory', async () => {
    const endless = Array.from({ length: 100 }, () => Buffer.alloc(10_000, 'x'));
    for await (const line of linesOf(chunks(endless))) expect(line.length).toBeLessThanOrEqual(64 * 1024);
  });
});

async function* chunks(list: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* list;
}

test('masks a token, a short one completely', () => {
  expect(masked('abcdefghijklmnopqrstuvwxyz')).toBe('****wxyz');
  expect(masked('abcdefghijklmnop')).toBe('****');
});

test.each([
  [{ SSH_CONNECTION: '10.0.0.2 5000 10.0.0.1 22', USER: 'anna' }, 'ssh -L 8976:localhost:8976 anna@10.0.0.1'],
  [
    { SSH_CONNECTION: '10.0.0.2 5000 10.0.0.1 2222', LOGNAME: 'anna' },
    'ssh -L 8976:localhost:8976 -p 2222 anna@10.0.0.1',
  ],
  [{ SSH_CONNECTION: 'a b $(id);x 22', USER: 'an na;id' }, 'ssh -L 8976:localhost:8976 annaid@idx'],
  [{}, 'ssh -L 8976:localhost:8976 THIS-MACHINE'],
] as [Record<string, string>, string][])('prints the command that forwards the port: %j', (env, line) => {
  expect(sshForward(env, 'localhost', 8976)).toBe(line);
});

test.each([
  ['30s', 30_000],
  ['5m', 300_000],
  ['1.5s', 1_500],
  ['250ms', 250],
  ['2h', 7_200_000],
  ['10', 10_000],
  ['0', undefined],
  ['-1s', undefined],
  ['1d', 86_400_000],
  ['', undefined],
  ['999999999h', undefined],
  ['1e3s', undefined],
])('reads %j as %s milliseconds', (text, length) => {
  expect(milliseconds(text)).toBe(length);
});

test.each([
  [300_000, '5 minutes'],
  [60_000, '1 minute'],
  [90_000, '90 seconds'],
  [50, '50 milliseconds'],
])('writes %i ms in words', (length, words) => {
  expect(inWords(length)).toBe(words);
});
