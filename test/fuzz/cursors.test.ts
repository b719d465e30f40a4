/** Fuzzing of cursors and settings of the bundled service. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { Refusal } from '../../src/service/error-answer.js';
import { cursorsOf } from '../../src/service/paging.js';
import { faultsOf, parseFaults } from '../../src/service/serve/faults.js';
import { OptionError } from '../../src/service/serve/option-values.js';
import { defaultVariants } from '../../src/service/variants.js';
import { type Bundled, bundled, closeBundled } from '../support/bundled-service.js';
import { fuzz, tryTo } from './fuzz.js';
import { jsonValue, text } from './hostile.js';

let service: Bundled;
beforeAll(async () => {
  service = await bundled();
});
afterAll(closeBundled);

describe('cursors', () => {
  const scope = { userId: 'u', list: '/v1/books' };
  const cursors = () => cursorsOf({ store: service.store, now: service.now, variants: defaultVariants() });
  const forged = fc.oneof(
    text(60),
    fc.base64String(),
    fc.tuple(fc.nat(), fc.nat(60), fc.nat(255)).map(([after, at, to]) => {
      const genuine = Buffer.from(cursors().issue(scope, 'books', after), 'base64');
      genuine[at % genuine.length] = to;
      return genuine.toString('base64');
    }),
  );

  fuzz('that were not issued are refused', forged, async (cursor) => {
    const tried = await tryTo(
      () => cursors().read(scope, cursor),
      (error) => error instanceof Refusal && error.status === 400,
    );
    // The change left it the same.
    if ('value' in tried) expect(cursors().issue(scope, 'books', tried.value.after)).toBe(cursor);
  });
});

describe('settings of the bundled service', () => {
  const isOptionError = (error: Error): boolean => error instanceof OptionError;
  const word = fc.oneof(
    fc.constantFrom(
      'GET',
      '/v1/*',
      '/**',
      '503',
      'reset',
      'when=after',
      'every=2',
      'times=1',
      'body={}',
      'latency=5',
      'retry-after=1',
    ),
    text(15),
  );
  fuzz(
    'faults of any text are faults, or an error',
    fc.array(word, { maxLength: 6 }).map((words) => words.join(' ')),
    async (line) => {
      await tryTo(() => parseFaults(line), isOptionError);
    },
  );
  fuzz('faults of any JSON are faults, or an error', jsonValue, async (value) => {
    await tryTo(() => faultsOf(value), isOptionError);
  });
});
