/**
 * What a web page of another origin can do to the local services, in a real Chromium: read nothing, change nothing, end
 * no login. The page knows ports, paths and tokens, but cannot send them.
 */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newAttempt } from '../../src/auth/login/browser-answer.js';
import { listenForAnswer } from '../../src/auth/login/listener.js';
import { systemClock } from '../../src/client/request/clock.js';
import { personaToken } from '../../src/service/personas.js';
import { type Serving, serve } from '../../src/service/serve/serve.js';
import { readCallbackUrl } from '../../src/settings/callback-url.js';
import { freePort } from '../auth/support.js';
import { launchChromium } from './chromium.js';

let browser: Browser;
let page: Page;
let site: ReturnType<typeof createServer>;
let html = '';

beforeAll(async () => {
  browser = await launchChromium();
  site = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(html);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await browser.close();
  site.close();
  site.closeAllConnections();
});

/** A page of the attacker: another port and another host name of this machine. */
async function attacker(body = '<title>attacker</title>'): Promise<Page> {
  html = body;
  const context = await browser.newContext();
  page = await context.newPage();
  await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
  return page;
}
afterEach(async () => {
  await page?.context().close();
});

/**
 * Sends a request in every way that a page can without a preflight.
 * @returns the responses that the page can see
 */
const ways = (url: string, token: string): string => `(async () => {
  const url = ${JSON.stringify(url)};
  const tried = {};
  const said = async (name, work) => {
    try { tried[name] = await work(); } catch (error) { tried[name] = 'refused'; }
  };
  const read = async (response) => response.type === 'opaque' ? 'opaque' : 'read ' + await response.text();
  await said('get', async () => read(await fetch(url)));
  await said('get with the token', async () => read(await fetch(url, { headers: { authorization: 'Bearer ${token}' } })));
  await said('no-cors', async () => read(await fetch(url, { mode: 'no-cors', credentials: 'include' })));
  await said('simple post', async () => read(await fetch(url, { method: 'POST', body: '{"name":"x"}' })));
  await said('no-cors post', async () => read(await fetch(url, { method: 'POST', mode: 'no-cors', body: '{"name":"x"}' })));
  await said('json post', async () => read(await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Bearer ${token}' }, body: '{}' })));
  await said('delete', async () => read(await fetch(url, { method: 'DELETE', headers: { authorization: 'Bearer ${token}', 'x-edu-control': '1' } })));
  await said('control header', async () => read(await fetch(url, { method: 'POST', headers: { 'x-edu-control': '1' }, body: '{}' })));
  await said('beacon', async () => navigator.sendBeacon(url, 'x') ? 'sent' : 'refused');
  await said('image', () => new Promise((resolve) => {
    const image = new Image();
    image.onload = () => resolve('read an image of ' + image.width);
    image.onerror = () => resolve('refused');
    image.src = url;
  }));
  await said('script', () => new Promise((resolve) => {
    const script = document.createElement('script');
    script.onload = () => resolve('ran');
    script.onerror = () => resolve('refused');
    script.src = url;
    document.head.append(script);
  }));
  await said('socket', () => new Promise((resolve) => {
    const socket = new WebSocket(url.replace('http', 'ws'));
    socket.onopen = () => resolve('open');
    socket.onerror = () => resolve('refused');
  }));
  await said('events', () => new Promise((resolve) => {
    const events = new EventSource(url);
    events.onopen = () => resolve('open');
    events.onerror = () => { events.close(); resolve('refused'); };
  }));
  return tried;
})()`;

/** Asserts that the page read no response. */
const NOTHING = /^(refused|opaque|sent)$/;

describe('the bundled service', () => {
  let service: Serving;
  const TOKEN = personaToken('distributor');
  const ask = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const response = await fetch(`${service.facts.baseUrl}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${TOKEN}`, 'x-edu-control': '1' },
    });
    return response.json();
  };
  const picture = async (): Promise<string> => {
    const lists = [
      '/v1/schools',
      '/v1/publishers',
      '/v1/licenses?type=BOOKS',
      '/v1/account',
      '/_control/snapshots',
      '/_control/faults',
    ];
    // Cursors are new in each response.
    return JSON.stringify(await Promise.all(lists.map((path) => ask(path)))).replace(/"nextCursor":"[^"]*"/g, '');
  };

  beforeEach(async () => {
    service = await serve({ port: 0, clock: Date.now });
  });
  afterEach(() => service.stop());

  test.each([
    '/v1/account',
    '/v1/schools',
    '/v1/licenses?type=BOOKS',
    '/v1/licenses',
    '/login/oauth/authorize?client_id=edu',
    '/login/oauth/access_token',
    '/_control',
    '/_control/reset',
    '/_control/faults',
  ])('%s can neither be read nor used by a page of another origin', async (path) => {
    const before = await picture();
    const evil = await attacker();
    const tried = await evil.evaluate<Record<string, string>>(ways(`${service.facts.baseUrl}${path}`, TOKEN));
    expect(Object.keys(tried)).toHaveLength(13);
    for (const [way, outcome] of Object.entries(tried))
      expect(`${way}: ${outcome}`).toMatch(new RegExp(`^${way}: ${NOTHING.source.slice(1)}`));
    expect(await picture()).toBe(before);
  });

  test('changes nothing for forms of another page', async () => {
    const before = await picture();
    for (const path of ['/v1/schools', '/_control/reset', '/login/oauth/authorize', '/login/oauth/access_token']) {
      for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']) {
        const evil = await attacker(
          `<form method="post" enctype="${type}" action="${service.facts.baseUrl}${path}"><input name='{"name":"x","a' value='":1}'></form>`,
        );
        const answered = evil.waitForResponse((response) => response.url().startsWith(service.facts.baseUrl));
        await evil.evaluate('document.forms[0].submit()');
        expect([400, 401, 403, 404, 405, 415]).toContain((await answered).status());
        await evil.context().close();
      }
    }
    expect(await picture()).toBe(before);
  });

  test('rejects another name for this machine', async () => {
    const evil = await attacker();
    const { port } = new URL(service.facts.baseUrl);
    // DNS rebinding: the page's own origin, by a host name that resolves to this machine.
    const rebound = await browser.newContext();
    const own = await rebound.newPage();
    const answer = await own.goto(`http://127.0.0.2:${port}/v1/account`).catch((error: Error) => error);
    // Only 127.0.0.1 is listened on.
    expect(answer).toBeInstanceOf(Error);
    const response = await fetch(`http://127.0.0.1:${port}/v1/account`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    expect(response.headers.get('access-control-allow-origin')).toBe(null);
    await rebound.close();
    await evil.context().close();
  });

  test('has a consent page without errors of its own', async () => {
    const context = await browser.newContext();
    page = await context.newPage();
    const faults: string[] = [];
    page.on('console', (message) => faults.push(message.text()));
    page.on('requestfailed', (request) => faults.push(request.url()));
    await page.goto(`${service.facts.baseUrl}/login/oauth/authorize?client_id=${service.facts.clientId}`);
    await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
    expect(faults).toEqual([]);
  });
});

test('keeps a login waiting whatever a page sends to its callback', async () => {
  const callback = readCallbackUrl(`http://127.0.0.1:${await freePort()}/callback`, 'callback-url');
  const attempt = newAttempt({ baseUrl: 'https://a.test', clientId: 'c', callback, exact: false, randomBytes });
  const listener = await listenForAnswer(callback, attempt, systemClock, {});
  let settled = false;
  void listener.answer.then(() => {
    settled = true;
  });
  try {
    // The page knows everything, the state included; only a navigation of a person is accepted.
    for (const url of [callback.url, attempt.redirectUri]) {
      const evil = await attacker();
      const address = `${url}?${new URLSearchParams({ code: 'forged', state: attempt.state })}`;
      const tried = await evil.evaluate<Record<string, string>>(ways(address, 'x'));
      for (const [way, outcome] of Object.entries(tried))
        expect(`${way}: ${outcome}`).toMatch(new RegExp(`^${way}: ${NOTHING.source.slice(1)}`));
      expect(settled).toBe(false);
      const frames = `<iframe src="${address}"></iframe><link rel="prefetch" href="${address}"><object data="${address}"></object>`;
      await evil.setContent(frames, { waitUntil: 'commit' });
      await evil.evaluate('new Promise((resolve) => setTimeout(resolve, 500))');
      await evil.context().close();
    }
    expect(settled).toBe(false);
  } finally {
    await listener.close();
  }
});
