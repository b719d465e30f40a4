import { appendFileSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Listings } from '../../../../src/bulk/send/known-ids.js';
import { temporaryFolder } from '../../../support/run.js';

test('another run reads what one has saved', () => {
  const file = join(temporaryFolder(), 'listings.ndjson');
  const first = new Listings(file);
  const [a, b] = [first.keep('/v1/readers', ['1', '2']), first.keep('/v1/schools/ü/classes', [])];
  expect([...(first.read(a) ?? [])]).toEqual(['1', '2']);
  const second = new Listings(file);
  const c = second.keep('/v1/readers', ['3']);
  const third = new Listings(file);
  expect([a, b, c].map((number) => [...(third.read(number) ?? ['nothing'])])).toEqual([['1', '2'], [], ['3']]);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('ignores an incomplete line, and reads the lines after it', () => {
  const file = join(temporaryFolder(), 'listings.ndjson');
  const torn = new Listings(file).keep('/v1/readers', ['1', '2']);
  truncateSync(file, readFileSync(file).length - 5);
  const whole = new Listings(file).keep('/v1/readers', ['3']);
  const again = new Listings(file);
  expect(again.read(torn)).toBeUndefined();
  expect([...(again.read(whole) ?? [])]).toEqual(['3']);
  appendFileSync(file, 'rubbish');
  expect(again.read(9999)).toBeUndefined();
});
