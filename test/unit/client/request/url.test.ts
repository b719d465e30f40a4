import { expect, test } from 'vitest';
import { encode, fillPath, queryString, rawPath } from '../../../../src/client/request/url.js';
import { EduError } from '../../../../src/core/errors.js';

test('percent-encodes everything except unreserved characters', () => {
  expect(encode("a b+c/d?e#f%&=@!'()*")).toBe('a%20b%2Bc%2Fd%3Fe%23f%25%26%3D%40%21%27%28%29%2A');
  expect(encode('A-z_0.9~')).toBe('A-z_0.9~');
  expect(encode('é漢😀')).toBe('%C3%A9%E6%BC%A2%F0%9F%98%80');
});

test('encodes a path parameter as one segment', () => {
  expect(fillPath('/v1/books/{id}/editor', { id: 'a/b' })).toBe('/v1/books/a%2Fb/editor');
  expect(fillPath('/v1/users/userId/{email}', { email: 'anna+x@école.example' })).toBe(
    '/v1/users/userId/anna%2Bx%40%C3%A9cole.example',
  );
  expect(fillPath('/v1/books/{id}', { id: '%2e%2e' })).toBe('/v1/books/%252e%252e');
  expect(fillPath('/v1/books/{id}', { id: '00017' })).toBe('/v1/books/00017');
});

test.each(['', ' ', '.', '..', '\ud800', undefined, null])('refuses %j as a path parameter: usage error', (id) => {
  const fill = () => fillPath('/v1/books/{id}', { id });
  expect(fill).toThrow(EduError);
  expect(fill).toThrow(expect.objectContaining({ kind: 'usage', exitCode: 2 }));
});

test('names the value in the message', () => {
  expect(() => fillPath('/v1/books/{id}', { id: '..' })).toThrow(/"\.\.".*id/);
});

test('omits undefined query values, and encodes others', () => {
  expect(queryString({ a: undefined, cursor: 'x+/=&y', n: 0, empty: '' })).toBe('?cursor=x%2B%2F%3D%26y&n=0&empty=');
  expect(queryString({ a: undefined })).toBe('');
  expect(queryString({ id: ['1', '2'] })).toBe('?id=1&id=2');
});

test('keeps a raw path under the base URL', () => {
  const base = 'https://api.example/edu';
  expect(rawPath(base, '/v1/account')).toBe('/v1/account');
  expect(rawPath(base, 'v1/account?x=1')).toBe('/v1/account?x=1');
  expect(rawPath(base, 'https://api.example/edu/v1/account')).toBe('/v1/account');
  expect(rawPath(base, '/v1/licenses/code/é')).toBe('/v1/licenses/code/%C3%A9');
  expect(rawPath(base, '/v1/licenses/code/%C3%A9')).toBe('/v1/licenses/code/%C3%A9');
  expect(rawPath(base, '/v1/users?q=a/../b')).toBe('/v1/users?q=a/../b');
});

test.each([
  'https://evil.example/edu/v1/account',
  'https://api.example/v1/account',
  'https://api.example/education/v1/account',
  'https://api.example@evil.example/edu/',
  '//evil.example/v1',
  '/v1/../../admin',
  '/v1/%2e%2E/admin',
  '/v1/.%2e/admin',
  '/v1/./account',
  '/v1\\..\\admin',
  '/v1/a b',
  '/v1/a\r\nHost: x',
  '/v1/a\tb',
  '/v1#x',
  'file:///etc/passwd',
])('refuses %j', (path) => {
  expect(() => rawPath('https://api.example/edu', path)).toThrow(expect.objectContaining({ kind: 'usage' }));
});
