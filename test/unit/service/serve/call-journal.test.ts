import { describe, expect, test } from 'vitest';
import { journalOf, keptAnswer } from '../../../../src/service/serve/call-journal.js';

const json = { 'content-type': 'application/json' };

describe('the journal of requests', () => {
  test.each([
    ['a small JSON body', { status: 200, headers: json, body: '{"a":1}' }, '{"a":1}'],
    ['not a large one', { status: 200, headers: json, body: `"${'x'.repeat(64 * 1024)}"` }, ''],
    ['no bytes of a file', { status: 200, headers: { 'content-type': 'image/png' }, body: Buffer.alloc(10) }, ''],
  ])('keeps %s', (_, answer, body) => {
    expect(keptAnswer(answer)).toEqual({ ...answer, body });
  });

  test('returns the kept responses of 1,000 requests', async () => {
    const journal = journalOf({ now: () => 0, basePath: '', callerOf: () => undefined });
    const send = journal.wrap(async ({ url }) => ({ status: 200, headers: json, body: JSON.stringify(url) }));
    for (let number = 1; number <= 2_500; number++)
      await send({ method: 'GET', url: `http://a.test/v1/books?n=${number}`, headers: {} });
    const entries = journal.entries();
    expect(entries).toHaveLength(1_000);
    expect(entries[0]).toMatchObject({ number: 1_501, answer: { body: 'http://a.test/v1/books?n=1501' } });
    expect(entries.at(-1)).toMatchObject({ number: 2_500 });
  });
});
