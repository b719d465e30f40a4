/**
 * The page of the control route in a real browser: it shows state, requests and faults live, and other sites get
 * nothing.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createService, type Listening, type TestService } from '../../src/service/index.js';
import { launchChromium } from './chromium.js';

describe('the control page', () => {
  let browser: Browser;
  let service: TestService;
  let socket: Listening;
  let page: Page;
  beforeAll(async () => {
    browser = await launchChromium();
    service = await createService();
    socket = await service.listen();
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  });

  const call = (path: string) =>
    service.fetch(path, { headers: { authorization: `Bearer ${service.personas.distributor}` } });

  test('shows state, requests and faults as they change', async () => {
    const problems: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    await page.goto(`${socket.baseUrl}/_control`);
    await page.getByText('seed demo').waitFor();
    await page.getByRole('row', { name: 'licences 2' }).waitFor();
    await page.getByLabel('Fault').fill('GET /v1/account 503 times=1');
    await page.getByRole('button', { name: 'Add fault' }).click();
    await page.getByText('0 of 0').waitFor();
    await call('/v1/account');
    await call('/v1/books?organization=d1&type=Distributor&language=%3Cb%3E');
    await page.getByText('1 of 1').waitFor();
    await page.getByRole('row', { name: 'GET /v1/account 503' }).click();
    await page.getByText('"number": 1').waitFor();
    expect(await page.locator('#details').textContent()).toContain('Bearer …');
    expect(await page.locator('#requests b').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('shows callers, e-mails and records, and asks before a reset', async () => {
    const user = { firstName: 'Eve', lastName: 'End', email: 'eve@example.org', language: 'NL' };
    await service.fetch('/v1/users/enduser?x=1', {
      method: 'POST',
      headers: { authorization: `Bearer ${service.personas.school}`, 'content-type': 'application/json' },
      body: JSON.stringify(user),
    });
    await page.goto(`${socket.baseUrl}/`);
    await page.getByRole('row', { name: 'POST /v1/users/enduser' }).getByText('school').waitFor();
    await page.getByText('x is unknown').waitFor();
    await page.getByRole('cell', { name: 'eve@example.org' }).waitFor();
    await page.getByRole('row', { name: 'classes' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByText('"schoolId"').first().waitFor();
    await page.getByLabel('Seed').selectOption('empty');
    page.once('dialog', (dialog) => dialog.dismiss());
    await page.getByRole('button', { name: 'Reset…' }).click();
    expect(service.emails()).toHaveLength(1);
    page.once('dialog', (dialog) => dialog.accept());
    await page.getByRole('button', { name: 'Reset…' }).click();
    await page.getByText('seed empty').waitFor();
    await page.getByRole('row', { name: 'POST' }).waitFor({ state: 'detached' });
  });

  test('shows the response of a slow request when it has come, and keeps the focus of the keyboard', async () => {
    await service.restart();
    service.addFaults('GET /v1/schools latency=3000');
    await page.goto(`${socket.baseUrl}/_control`);
    const slow = call('/v1/schools?limit=1');
    const row = page.getByRole('row', { name: 'GET /v1/schools?limit=1' });
    await row.getByText('none').waitFor();
    await row.focus();
    await slow;
    await call(`/v1/account?${'abcdefgh'.replaceAll(/./g, '&$&=1')}`);
    await row.getByText('200').waitFor();
    expect(await page.locator('tr:focus').textContent()).toContain('/v1/schools?limit=1');
    // A long warning leaves room for the path.
    const path = await row.getByText('/v1/schools?limit=1').boundingBox();
    expect(path?.width).toBeGreaterThan(150);
  });

  test('shows what is wrong with a fault', async () => {
    await page.goto(`${socket.baseUrl}/_control`);
    await page.getByLabel('Fault').fill('explode');
    await page.getByRole('button', { name: 'Add fault' }).click();
    await page.getByText('action must be one of').waitFor();
  });

  test('rejects requests from pages of another site', async () => {
    const foreign = await createService();
    const other = await foreign.listen();
    await page.goto(`${other.baseUrl}/_control`);
    const asked = await page.evaluate(
      (url) =>
        fetch(url, { headers: { 'X-Edu-Control': '1' } }).then(
          ({ status }) => status,
          () => 'refused',
        ),
      `${socket.baseUrl}/_control`,
    );
    expect(asked).toBe('refused');
    await foreign.close();
  });
});
