import { expect, test } from 'vitest';
import { redact, redactPath, redactUrl } from '../../../../src/client/request/redact.js';

test('removes a known secret in every encoding', () => {
  const secret = 's3cr+t/= "x"';
  expect(redact(`a ${secret} b`, [secret])).toBe('a *** b');
  expect(redact(`a=${encodeURIComponent(secret)}&b=1`, [secret])).toBe('a=***&b=1');
  expect(redact('client=s3cr%2Bt%2F%3D+%22x%22', [secret])).toBe('client=***');
  expect(redact(JSON.stringify({ secret }), [secret])).toBe('{"secret":"***"}');
});

test.each([0, 1, 2, 3, 4, 5])('removes a secret from base64, after %i other bytes', (before) => {
  const secret = 'edu_s3cret?>~token+of/a test';
  const bytes = Buffer.from(`${'u'.repeat(before)}${secret}:and more`);
  for (const encoding of ['base64', 'base64url'] as const) {
    const text = bytes.toString(encoding);
    const encoded = encodeURIComponent(text);
    for (const echo of [text, encoded, encoded.replace(/%../g, (code) => code.toLowerCase())]) {
      const shown = redact(`echo ${echo} end`, [secret]);
      expect(shown).toMatch(/^echo \S{0,9}\*\*\*\S+ end$/);
    }
  }
  expect(redact(Buffer.from(secret).toString('base64'), [secret])).toBe('***');
});

test('removes secrets of four characters or more, because shorter ones stand in any text', () => {
  expect(redact('a tok1 b tok', ['tok1', 'tok'])).toBe('a *** b tok');
});

test('removes the longer of two secrets first', () => {
  expect(redact('token-long token', ['token', 'token-long'])).toBe('*** ***');
});

test('removes unknown secrets by their context', () => {
  expect(redact('Authorization: Bearer abc.def-123')).toBe('Authorization: Bearer ***');
  expect(redact('client_secret=abc&x=1')).toBe('client_secret=***&x=1');
  expect(redact('{"access_token": "abc\\"def", "scope": ""}')).toBe('{"access_token": "***", "scope": ""}');
  expect(redact(String.raw`it begins with "{\"token\": \"abc" (200)`)).toBe(
    String.raw`it begins with "{\"token\": "***"" (200)`,
  );
  expect(redact('https://user:pass@host.example/x')).toBe('https://***@host.example/x');
});

test('leaves prose unchanged', () => {
  expect(redact('the licence code=abc is taken, state=old')).toBe('the licence code=abc is taken, state=old');
});

test('removes codes, states and tokens from addresses', () => {
  expect(redactPath('/callback?code=abc&state=def&x=1')).toBe('/callback?code=***&state=***&x=1');
  expect(redactPath('/edit?token=abc')).toBe('/edit?token=***');
  expect(redactPath('/v1/books?cursor=abc&limit=10')).toBe('/v1/books?cursor=abc&limit=10');
});

test('cuts long values of a query, and keeps the others', () => {
  const cursor = 'A'.repeat(5_000_000);
  const shown = `${'A'.repeat(200)}…`;
  expect(redactPath(`/v1/books?limit=3&cursor=${cursor}&type=X`)).toBe(`/v1/books?limit=3&cursor=${shown}&type=X`);
  expect(redactUrl(`https://a.example/v1?cursor=${cursor}`, 'https://a.example')).toBe(
    `https://a.example/v1?cursor=${shown}`,
  );
});

test('removes the query of addresses of other origins', () => {
  const own = 'https://api.example';
  expect(redactUrl('https://api.example/v1/books?limit=5', own)).toBe('https://api.example/v1/books?limit=5');
  expect(redactUrl('https://files.example/a.pdf?Policy=abc&weird=secret', own)).toBe('https://files.example/a.pdf?***');
  expect(redactUrl('https://files.example/a.pdf', own)).toBe('https://files.example/a.pdf');
});
