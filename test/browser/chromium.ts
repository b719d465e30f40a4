/** Starts the installed Chromium for tests. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts it. Throws if there is none: a test that needs a browser must not pass without. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = [process.env.CHROMIUM ?? '', ...PLACES].find((place) => place !== '' && existsSync(place));
  if (executablePath === undefined)
    throw new Error(`no Chromium in ${PLACES.join(', ')}: install it, or name it in CHROMIUM`);
  return chromium.launch({ executablePath, args: FLAGS });
}
