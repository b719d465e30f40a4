import { describe, expect, test } from 'vitest';
import { mayRedirectTo, withQuery } from '../../../../src/service/oauth/redirect-rule.js';

const CALLBACK = 'http://127.0.0.1:8976/callback';

describe('a redirect URI (API document, "Redirect URL rule")', () => {
  test.each([
    CALLBACK,
    `${CALLBACK}/`,
    `${CALLBACK}/deeper`,
    `${CALLBACK}/a/b/c`,
    `${CALLBACK}?x=1`,
    `${CALLBACK}/..x`,
    `${CALLBACK}/%41`,
    'HTTP://127.0.0.1:8976/callback',
  ])('accepts %s, the same path or below it', (given) => {
    expect(mayRedirectTo(CALLBACK, given)).toBe(true);
  });

  test.each([
    // another path, the root, a parent, a path with the same prefix
    'http://127.0.0.1:8976/other',
    'http://127.0.0.1:8976/',
    'http://127.0.0.1:8976',
    'http://127.0.0.1:8976/callbackx',
    'http://127.0.0.1:8976/Callback',
    // another port, no port, another host, a subdomain, another scheme
    'http://127.0.0.1:8977/callback',
    'http://127.0.0.1/callback',
    'http://localhost:8976/callback',
    'http://127.1:8976/callback',
    'http://2130706433:8976/callback',
    'http://evil.example:8976/callback',
    'http://a.127.0.0.1:8976/callback',
    'https://127.0.0.1:8976/callback',
    'javascript://127.0.0.1:8976/callback',
    // another host, disguised
    'http://127.0.0.1:8976@evil.example/callback',
    'http://user@127.0.0.1:8976/callback',
    'http://evil.example\\@127.0.0.1:8976/callback',
    'http:\\\\127.0.0.1:8976\\callback',
    'http:/127.0.0.1:8976/callback',
    '//127.0.0.1:8976/callback',
    '/callback',
    'http://127.0.0.1:8976.evil.example/callback',
    'http://127.0.0.1:8976#@evil.example/callback',
    // paths with ..
    `${CALLBACK}/../other`,
    `${CALLBACK}/./x`,
    `${CALLBACK}/..`,
    `${CALLBACK}/%2e%2e/other`,
    `${CALLBACK}/%2E%2E/other`,
    `${CALLBACK}/.%2e/other`,
    `${CALLBACK}/%252e%252e/other`,
    `${CALLBACK}/..;/other`,
    `${CALLBACK}/x%2f..%2f..`,
    `${CALLBACK}/x%5c..`,
    `${CALLBACK}//evil.example`,
    'http://127.0.0.1:8976/x/../callback',
    'http://127.0.0.1:8976/%63allback',
    // characters that are invalid in an address
    `${CALLBACK}#fragment`,
    `${CALLBACK}/\r\nSet-Cookie: a=b`,
    `${CALLBACK}/%0d%0a`,
    `${CALLBACK}/%zz`,
    `${CALLBACK}/é`,
    ` ${CALLBACK}`,
    `${CALLBACK} `,
    `${CALLBACK}/a b`,
    `${CALLBACK}/\u0000`,
    'http://127。0。0。1:8976/callback',
    '',
  ])('refuses %j', (given) => {
    expect(mayRedirectTo(CALLBACK, given)).toBe(false);
  });

  test('treats the default port of the scheme as optional', () => {
    expect(mayRedirectTo('https://app.example/cb', 'https://APP.example:443/cb/x')).toBe(true);
    expect(mayRedirectTo('http://app.example:80/cb', 'http://app.example/cb')).toBe(true);
    expect(mayRedirectTo('https://app.example/cb', 'https://app.example:80/cb')).toBe(false);
  });

  test('accepts every path below a callback at the root', () => {
    expect(mayRedirectTo('http://127.0.0.1:1/', 'http://127.0.0.1:1/any/thing')).toBe(true);
    expect(mayRedirectTo('http://127.0.0.1:1', 'http://127.0.0.1:1/../x')).toBe(false);
  });

  test('ignores a slash at the end of the callback', () => {
    expect(mayRedirectTo(`${CALLBACK}/`, CALLBACK)).toBe(true);
    expect(mayRedirectTo(`${CALLBACK}/`, `${CALLBACK}x`)).toBe(false);
  });

  test('compares an IPv6 host completely', () => {
    expect(mayRedirectTo('http://[::1]:8976/cb', 'http://[::1]:8976/cb/1')).toBe(true);
    expect(mayRedirectTo('http://[::1]:8976/cb', 'http://[::2]:8976/cb')).toBe(false);
  });

  test('appends parameters to those of the address', () => {
    expect(withQuery(CALLBACK, { code: 'a b', state: '&=+' })).toBe(`${CALLBACK}?code=a+b&state=%26%3D%2B`);
    expect(withQuery(`${CALLBACK}?x=1`, { code: 'a', state: undefined })).toBe(`${CALLBACK}?x=1&code=a`);
  });
});
