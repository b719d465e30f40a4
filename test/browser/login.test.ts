/** The whole login in a real Chromium, between the bundled service and `edu auth login`. */
import { existsSync, readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { credentialsFile } from '../../src/auth/credentials/credentials.js';
import { type Serving, serve } from '../../src/service/serve/serve.js';
import { environment, type Running, run, start } from '../auth/program.js';
import { filesUnder, freePort } from '../auth/support.js';
import { launchChromium } from './chromium.js';

const EXECUTABLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

describe.skipIf(EXECUTABLE === undefined)('edu auth login', () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let service: Serving;
  let env: Record<string, string>;
  let login: Running;

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
  });

  beforeEach(async () => {
    const callbackUrl = `http://127.0.0.1:${await freePort()}/callback`;
    service = await serve({ port: 0, callbackUrl, clock: Date.now });
    const { baseUrl, clientId, clientSecret } = service.facts;
    env = environment({
      EDU_BASE_URL: baseUrl,
      EDU_CLIENT_ID: clientId,
      EDU_CLIENT_SECRET: clientSecret,
      EDU_CALLBACK_URL: callbackUrl,
    });
    context = await browser.newContext();
    page = await context.newPage();
    login = start(['auth', 'login', '--no-browser'], { env });
  });
  afterEach(async () => {
    login.interrupt();
    await login.done;
    await context.close();
    await service.stop();
  });

  const open = async (): Promise<void> => {
    const [address] = await login.said(/^http.*authorize\?.*$/m);
    await page.goto(address);
  };
  // As text: the types of this project are those of Node, not of a browser.
  const styleOf = (selector: string, property: string): Promise<string> =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${property}`);
  const decide = (name: 'Allow' | 'Don’t allow'): Promise<void> =>
    page.getByRole('button', { name, exact: true }).click();

  test('allowed: the page confirms it, and the token works', async () => {
    const errors: string[] = [];
    page.on('console', (message) => {
      const ours = message.location().url.startsWith(new URL(service.facts.callbackUrl).origin);
      if (ours && message.type() === 'error') errors.push(message.text());
    });
    await open();
    await decide('Allow');
    await page.getByRole('heading', { name: 'You are logged in' }).waitFor();
    const ran = await login.done;
    expect(ran.code).toBe(0);
    expect(ran.stderr).toMatch(/Logged in as .+ <.+@.+> at http:\/\/127\.0\.0\.1:\d+, in profile default\./);
    expect((await run(['auth', 'status'], { env })).code).toBe(0);
    // The style is allowed by its hash; if it were refused, the page would be unstyled.
    expect(errors).toEqual([]);
    expect(await styleOf('main', 'borderRadius')).toBe('16px');
  });

  test('denied: the page reports it, nothing is stored', async () => {
    await open();
    await decide('Don’t allow');
    await page.getByRole('heading', { name: 'Access was denied' }).waitFor();
    const ran = await login.done;
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('Cannot log in: access was denied in the browser');
    expect(filesUnder(env.HOME ?? '')).not.toContain(credentialsFile(env));
  });

  test('a wrong client secret: the page says that it failed', async () => {
    await login.said(/Waiting up to/);
    login.interrupt();
    await login.done;
    login = start(['auth', 'login', '--no-browser'], { env: { ...env, EDU_CLIENT_SECRET: 'canary-wrong-secret' } });
    await open();
    await decide('Allow');
    await page.getByRole('heading', { name: 'Login failed' }).waitFor();
    const ran = await login.done;
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('InvalidClientCredentials');
    expect(ran.stderr).not.toContain('canary');
  });

  test('other tabs that load, frame or fetch the callback do not disturb it', async () => {
    const [address] = await login.said(/^http.*authorize\?.*$/m);
    const parameters = new URL(address).searchParams;
    const callback = `${parameters.get('redirect_uri')}?code=forged&state=${parameters.get('state')}`;
    const other = await context.newPage();
    await other.goto(service.facts.baseUrl);
    await other.setContent(
      `<img src="${callback}"><iframe src="${callback}"></iframe><link rel="prefetch" href="${callback}">`,
    );
    await other.evaluate((url) => fetch(url, { mode: 'no-cors' }).catch(() => {}), callback);
    await open();
    await decide('Allow');
    await page.getByRole('heading', { name: 'You are logged in' }).waitFor();
    expect((await login.done).code).toBe(0);
  });

  test('the pages have enough contrast, light and dark', async () => {
    await open();
    await decide('Allow');
    await page.getByRole('heading', { name: 'You are logged in' }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const card = await styleOf('main', 'backgroundColor');
      expect(contrast(await styleOf('h1', 'color'), card)).toBeGreaterThan(7);
      expect(contrast(await styleOf('p', 'color'), card)).toBeGreaterThan(4.5);
    }
    expect(readFileSync(credentialsFile(env), 'utf8')).toContain(new URL(service.facts.baseUrl).origin);
  });
});

/** Contrast of two CSS colours (WCAG 2.2, "contrast ratio"). */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+(\.\d+)?/g) ?? []).map((part) => {
    const value = Number(part) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
