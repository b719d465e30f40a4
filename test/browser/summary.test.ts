/** The page of `licenses summary --html` in a real Chromium, with names that try to leave their cell. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { Tally } from '../../src/commands/summary/license-tally.js';
import { page as html } from '../../src/commands/summary/page.js';
import { temporaryFolder } from '../support/run.js';
import { launchChromium } from './chromium.js';

const HOSTILE =
  '</th></style><script>document.title="owned"</script><img src="http://127.0.0.1:9/x" onerror="alert(1)">\u202e';

const FACTS = { today: '2026-11-22', until: '2027-01-21', organization: HOSTILE, service: 'https://service.example' };

function tally(): Tally {
  const found = new Tally(['book', 'organization', 'type', 'category'], '2026-11-22', '2027-01-21');
  for (const [index, title] of ['Algebra', HOSTILE].entries()) {
    found.add({
      type: 'Books',
      books: [{ id: `b${index}`, title }],
      expiration: { type: 'Date', date: '2026-12-31' },
      maximumActivations: 10,
      numberOfActivations: 4 + index,
      organization: { id: 's1', type: 'School' },
    });
  }
  return found;
}

test.each(['light', 'dark'] as const)(
  'shows figures and bars in %s, and runs and loads nothing',
  async (colorScheme) => {
    const browser = await launchChromium();
    onTestFinished(() => browser.close());
    const file = join(temporaryFolder(), 'page.html');
    writeFileSync(file, html(tally(), FACTS));
    const page = await browser.newPage({ colorScheme });
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).protocol));
    await page.goto(pathToFileURL(file).href);
    expect(await page.title()).toBe('Licences on 2026-11-22');
    expect(requests.filter((protocol) => protocol !== 'data:')).toEqual(['file:']);
    const row = page.getByRole('row', { name: /Algebra/ });
    expect(await row.getByRole('cell').allInnerTexts()).toEqual(['40%', '4', '10', '1', '0', '0', '1']);
    const hostile = page.getByRole('rowheader', { name: /document\.title/ });
    expect(await hostile.count()).toBe(1);
    const [bar, part] = await Promise.all([
      page.locator('tr', { hasText: 'Algebra' }).locator('.bar').boundingBox(),
      page.locator('tr', { hasText: 'Algebra' }).locator('.bar div').boundingBox(),
    ]);
    expect((part?.width ?? 0) / (bar?.width ?? 1)).toBeCloseTo(0.4, 1);
    const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(background).toBe(colorScheme === 'light' ? 'rgb(238, 241, 246)' : 'rgb(14, 19, 27)');
  },
);
