import { expect, test } from 'vitest';
import { sourcesOf } from '../../../src/export/collect/sources.js';
import { bench } from '../client/support.js';

test('makes the lists of organizations one by one, since there may be ten thousands', () => {
  const { client } = bench([]);
  let prepared = 0;
  const counting: typeof client = {
    ...client,
    prepare: (endpoint, input) => {
      prepared++;
      return client.prepare(endpoint, input);
    },
  };
  const organizations = Array.from({ length: 1000 }, (_, index) => ({ id: `s${index}`, type: 'School' }));
  const sources = sourcesOf('users', counting, { language: 'EN', languages: [], organizations });
  expect(sources.next().value).toMatchObject({ of: 'School s0' });
  expect(prepared).toBeLessThan(5);
  expect([...sources]).toHaveLength(999);
});
