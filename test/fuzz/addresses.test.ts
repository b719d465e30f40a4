/** Fuzzing of addresses: of the service, and of pages to open in a browser. */
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { EduError } from '../../src/core/errors.js';
import { checkServiceAddress } from '../../src/output/terminal/browser.js';
import { checkBaseUrl } from '../../src/settings/base-url.js';
import { fuzz, tryTo } from './fuzz.js';
import { isNonsense, obeyed, PIECES, text } from './hostile.js';

describe('addresses', () => {
  const hosts = fc.oneof(
    fc.constantFrom(
      'a.test',
      '127.0.0.1',
      'localhost',
      '[::1]',
      '127.1',
      '0x7f.1',
      'user@a.test',
      'a.test:99999',
      '127.0.0.1.evil.test',
    ),
    text(12),
  );
  const addresses = fc.oneof(
    text(80),
    fc
      .tuple(
        fc.constantFrom('http', 'https', 'HTTPS', 'file', 'javascript', 'data'),
        fc.constantFrom('://', ':/', ':', ':\\\\', '://@'),
        hosts,
        text(20),
      )
      .map((parts) => parts.join('')),
  );
  const isHarmless = (address: string): void => {
    const url = new URL(address);
    expect(url.username + url.password).toBe('');
    expect(address).toMatch(/^https?:\/\/[\x21-\x7e]+$/);
    if (url.protocol === 'http:') expect(url.hostname).toMatch(/^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/);
  };

  fuzz(
    'from the service are opened only if they are safe',
    addresses,
    async (address) => {
      const tried = await tryTo(() => checkServiceAddress(address), isNonsense);
      if ('value' in tried) isHarmless(tried.value);
      else expect(obeyed(tried.error.message)).toBe(false);
    },
    { examples: [...PIECES, `https://a.test/${'%'.repeat(9000)}`, '--version', 'https://a.test/"&calc'] },
  );

  fuzz('of the service must be https, or http on loopback', addresses, async (address) => {
    const tried = await tryTo(
      () => checkBaseUrl(address, '--base-url'),
      (error) => error instanceof EduError && error.kind === 'usage',
    );
    if ('value' in tried) {
      isHarmless(tried.value);
      expect(tried.value).not.toMatch(/[?#]|\/$/);
    }
  });
});
