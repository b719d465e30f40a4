import { expect, test } from 'vitest';
import { proxyFor } from '../../../../src/client/transport/proxy-rules.js';
import { isLoopback } from '../../../../src/core/loopback.js';

const route = (url: string, env: Record<string, string>) => proxyFor(new URL(url), env)?.url.href;
const PROXY = { HTTPS_PROXY: 'http://proxy.example:3128', HTTP_PROXY: 'http://plain.example:8080' };

test('uses the proxy of the scheme, prefers lower case, and allows a missing scheme', () => {
  expect(route('https://api.example/x', PROXY)).toBe('http://proxy.example:3128/');
  expect(route('http://api.example/x', PROXY)).toBe('http://plain.example:8080/');
  expect(route('https://api.example', { ...PROXY, https_proxy: 'http://small.example:1' })).toBe(
    'http://small.example:1/',
  );
  expect(route('https://api.example', { HTTPS_PROXY: 'proxy.example:3128' })).toBe('http://proxy.example:3128/');
  expect(route('https://api.example', { HTTP_PROXY: 'http://plain.example:8080' })).toBeUndefined();
  expect(route('https://api.example', { HTTPS_PROXY: '' })).toBeUndefined();
});

test.each([
  ['*', true],
  ['api.example', true],
  ['.api.example', true],
  ['*.example', true],
  ['example', true],
  ['API.EXAMPLE', true],
  ['other.example, api.example', true],
  ['other.example api.example', true],
  ['api.example:443', true],
  ['api.example:8443', false],
  ['i.example', false],
  ['sub.api.example', false],
  ['', false],
  [',', false],
])('reads whether NO_PROXY=%j excludes api.example: %j', (noProxy, excluded) => {
  expect(route('https://api.example/', { ...PROXY, NO_PROXY: noProxy }) === undefined).toBe(excluded);
});

test('excludes IPv4 and IPv6 addresses', () => {
  expect(route('https://[2001:db8::1]/', { ...PROXY, NO_PROXY: '2001:db8::1' })).toBeUndefined();
  expect(route('https://[2001:db8::1]:8443/', { ...PROXY, NO_PROXY: '[2001:db8::1]:8443' })).toBeUndefined();
  expect(route('https://10.0.0.7/', { ...PROXY, NO_PROXY: '10.0.0.7' })).toBeUndefined();
});

test('uses no remote proxy for loopback addresses', () => {
  for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
    expect(route(`http://${host}:4010/`, PROXY)).toBeUndefined();
    expect(route(`http://${host}:4010/`, { HTTP_PROXY: 'http://127.0.0.1:8888' })).toBe('http://127.0.0.1:8888/');
  }
});

test('refuses an invalid proxy without repeating it', () => {
  for (const value of ['ftp://user:pass@proxy.example', 'http://', 'http://a b']) {
    expect(() => route('https://api.example', { HTTPS_PROXY: value })).toThrow(
      expect.objectContaining({ kind: 'usage', message: 'HTTPS_PROXY is not the address of a proxy.' }),
    );
  }
});

test('needs a variable that names a proxy', () => {
  const url = new URL('https://service.test/');
  for (const env of [{}, { NO_PROXY: '*' }, { HTTPS_PROXY: ' ' }, { HTTP_PROXY: 'http://proxy.test' }])
    expect(proxyFor(url, env)).toBeUndefined();
  expect(proxyFor(url, { https_proxy: 'http://proxy.test' })).toMatchObject({ from: 'https_proxy' });
});

test.each([
  ['localhost', true],
  ['LOCALHOST', true],
  ['app.localhost', false],
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['[::1]', true],
  ['127.0.0.1.evil.example', false],
  ['localhost.evil.example', false],
  ['notlocalhost', false],
  ['128.0.0.1', false],
  ['0.0.0.0', false],
])('recognises %s as loopback: %j', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
