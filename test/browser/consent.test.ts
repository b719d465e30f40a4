/** The consent page in a real Chromium, used by a person and by an attacker. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { HttpRequest, Send } from '../../src/core/http.js';
import { createOAuth } from '../../src/service/oauth/oauth-router.js';
import { type Listener, listen } from '../../src/service/serve/listen.js';
import type { Store } from '../../src/service/store/store.js';
import { defaultVariants } from '../../src/service/variants.js';
import { CLIENT, oauthStore } from '../support/oauth-store.js';
import { launchChromium } from './chromium.js';

/** The application: records each address that the browser was sent to. */
function application(visits: URL[]): Send {
  return async ({ url }: HttpRequest) => {
    if (new URL(url).pathname.startsWith('/callback')) visits.push(new URL(url));
    return { status: 200, headers: { 'content-type': 'text/html' }, body: '<title>Back</title><h1>Back</h1>' };
  };
}

describe('the consent page', () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let app: Listener;
  let service: Listener;
  let store: Store;
  let visits: URL[];
  let callback: string;

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
  });

  beforeEach(async () => {
    visits = [];
    app = await listen(application(visits), { port: 0 });
    callback = `${app.origin}/callback`;
    store = await oauthStore({ ...CLIENT, callbackUrl: callback });
    const oauth = createOAuth({
      store,
      now: Date.now,
      random: (size) => crypto.getRandomValues(new Uint8Array(size)),
      variants: defaultVariants(),
    });
    const notFound = { status: 404, headers: {}, body: 'not found' };
    service = await listen(async (request) => oauth(request, new URL(request.url).pathname) ?? notFound, { port: 0 });
    context = await browser.newContext({ javaScriptEnabled: false });
    page = await context.newPage();
  });
  afterEach(async () => {
    await context.close();
    await Promise.all([app.stop(0), service.stop(0)]);
  });

  const address = (query: Record<string, string> = {}): string =>
    `${service.origin}/login/oauth/authorize?${new URLSearchParams({ client_id: CLIENT.id, ...query })}`;

  test('sends code and state when the user allows, without scripts or other requests', async () => {
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(address({ redirect_uri: `${callback}/x1`, state: 'a b&c' }));
    await page.getByRole('radio', { name: /O’Neill/ }).check();
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByRole('heading', { name: 'Back' }).waitFor();
    const back = new URL(page.url());
    expect(`${back.origin}${back.pathname}`).toBe(`${callback}/x1`);
    expect(back.searchParams.get('state')).toBe('a b&c');
    expect(store.authorizationCodes.all({}).map(({ userId }) => userId)).toEqual(['user-viewer']);
    const expected = [service.origin, service.origin, app.origin];
    expect(requests.map((url) => new URL(url).origin).slice(0, 3)).toEqual(expected);
  });

  test('can be used with the keyboard alone', async () => {
    await page.goto(address());
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').getAttribute('value')).toBe('distributor');
    await page.keyboard.press('ArrowDown');
    expect(await page.locator(':focus').getAttribute('value')).toBe('viewer');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Back' }).waitFor();
    expect(store.authorizationCodes.all({}).map(({ userId }) => userId)).toEqual(['user-viewer']);
  });

  test('is labelled for screen readers', async () => {
    await page.goto(address());
    expect(await page.title()).toBe('Allow edu?');
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    expect(await page.getByRole('main').count()).toBe(1);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Allow edu to act for you?');
    const group = page.getByRole('group', { name: 'Log in as' });
    expect(await group.getByRole('radio').count()).toBe(2);
    expect(await group.getByRole('radio', { checked: true }).getAttribute('value')).toBe('distributor');
    expect(await page.getByRole('button').count()).toBe(2);
  });

  test('fits a narrow screen without scrolling sideways', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(address());
    const width = await page.locator('html').evaluate((element) => [element.scrollWidth, element.clientWidth]);
    expect(width[0]).toBe(width[1]);
  });

  describe('seen from another site', () => {
    /** A page of the attacker, on another port of this machine: the closest that another site can get. */
    async function attack(html: string): Promise<{ readonly page: Page; readonly stop: () => Promise<void> }> {
      const headers = { 'content-type': 'text/html' };
      const site = await listen(async () => ({ status: 200, headers, body: html }), { port: 0 });
      const scripted = await browser.newContext();
      const attacker = await scripted.newPage();
      await attacker.goto(site.origin.replace('127.0.0.1', 'localhost'));
      return {
        page: attacker,
        stop: async () => {
          await scripted.close();
          await site.stop(0);
        },
      };
    }

    test('can’t be framed', async () => {
      const { page: attacker, stop } = await attack(`<iframe src="${address()}"></iframe>`);
      await expect.poll(() => attacker.frames().length).toBe(2);
      const frame = attacker.frames()[1];
      await frame?.waitForLoadState();
      expect(await frame?.getByRole('button').count()).toBe(0);
      await stop();
    });

    test('can’t be answered by a form, even with a valid form token', async () => {
      await page.goto(address());
      const token = (await page.locator('input[name=consent]').getAttribute('value')) ?? '';
      const { page: attacker, stop } = await attack(`
        <form method="post" action="${service.origin}/login/oauth/authorize">
        <input name="consent" value="${token}"><input name="persona" value="distributor">
        <input name="decision" value="allow"></form><script>document.forms[0].submit()</script>`);
      await attacker.getByRole('heading', { name: 'This answer came from another site' }).waitFor();
      expect(store.authorizationCodes.count({})).toBe(0);
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      await page.getByRole('heading', { name: 'Back' }).waitFor();
      expect(store.authorizationCodes.count({})).toBe(1);
      await stop();
    });

    test('can’t be read by a script', async () => {
      const { page: attacker, stop } = await attack('<title>attacker</title>');
      const outcome = await attacker.evaluate(
        `fetch(${JSON.stringify(address())}).then(() => 'read', () => 'refused')`,
      );
      expect(outcome).toBe('refused');
      await stop();
    });
  });
});
