/** Attack: the final pages are framed, cached, made to run code, or made to leak their address. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { DONE, FAILED, REFUSED, TURNED_AWAY } from '../../src/auth/login/pages.js';
import { CANARY, waiting } from './support.js';

describe('the pages at the end of a login', () => {
  test.each([
    ['done', DONE],
    ['refused', REFUSED],
    ['failed', FAILED],
    ['turned away', TURNED_AWAY],
  ])('%s: has every security header', (_, page) => {
    const policy = page.headers['content-security-policy'] ?? '';
    expect(policy.split('; ')).toEqual(expect.arrayContaining(["default-src 'none'", "frame-ancestors 'none'"]));
    // The page may load only the empty icon; browsers would request another one.
    expect(policy.replace('img-src data:', '')).not.toMatch(/unsafe|\*|https?:|data:/);
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
  });

  test.each([
    ['done', DONE],
    ['refused', REFUSED],
    ['failed', FAILED],
  ])('%s: loads, runs and links nothing, and its style matches the policy', (_, { body, headers }) => {
    const rest = body.replace('<link rel="icon" href="data:,">', '');
    expect(rest).not.toMatch(/<script|<link|<img|<a |href=|src=|url\(|@import|https?:|\son\w+=/i);
    const style = /<style>([\s\S]*)<\/style>/.exec(body)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers['content-security-policy']).toContain(`style-src 'sha256-${hash}'`);
    expect(body).toContain('prefers-color-scheme: dark');
    expect(body).toMatch(/<html lang="en">[\s\S]*<title>[^<]+<\/title>[\s\S]*<h1>/);
  });

  test('are sent as constant pages with their headers', async () => {
    const login = await waiting();
    const page = await login.visit({ code: CANARY.code, state: login.state() });
    expect(page.body).toBe(DONE.body);
    expect(page.headers).toMatchObject(DONE.headers);
    expect(page.headers.connection).toBe('close');
    expect(Object.keys(page.headers)).not.toContain('set-cookie');
    await login.outcome;
  });
});
