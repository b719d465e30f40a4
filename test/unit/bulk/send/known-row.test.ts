/** Which codes of a plan are looked up one by one, and which are taken to be free. */
import { describe, expect, test } from 'vitest';
import type { RowWrite } from '../../../../src/bulk/row-command.js';
import { codeProbe } from '../../../../src/bulk/send/known-row.js';
import type { Client } from '../../../../src/client/request/client.js';
import { licenses } from '../../../../src/contract/licenses.js';
import { EduError } from '../../../../src/core/errors.js';

const write = (code: string, hasOwnKey = false): RowWrite => ({
  endpoint: licenses.create,
  input: { body: { type: 'Teacher', code } },
  hasOwnKey,
});

/** A client whose lists and look-ups show some codes. */
function showing(listed: readonly string[], elsewhere: readonly string[] = []) {
  const lookedUp: string[] = [];
  const client = {
    async call(_: unknown, { params }: { params: { code: string } }) {
      lookedUp.push(params.code);
      if (elsewhere.includes(params.code)) throw new EduError('forbidden', 'another organization', { status: 403 });
      throw new EduError('not_found', 'unknown', { status: 404 });
    },
    async *pages() {
      yield listed.map((code) => ({ code }));
    },
  };
  return { client: client as unknown as Client, lookedUp };
}

describe('codes of a plan', () => {
  test('up to 10,000 codes that users gave are all looked up', async () => {
    const { client } = showing([]);
    const { isTaken, assumedFree } = codeProbe(client, client, 10_000);
    expect(await isTaken(write('a'))).toBe(true);
    expect(assumedFree()).toBe(0);
  });

  test('of more, lists and a sample are read, and the others are counted', async () => {
    const { client, lookedUp } = showing(['c7']);
    const { isTaken, assumedFree } = codeProbe(client, client, 10_001);
    const taken: string[] = [];
    for (let row = 0; row < 100; row++) if (await isTaken(write(`c${row}`))) taken.push(`c${row}`);
    expect(taken).toEqual(['c7']);
    expect(lookedUp).toHaveLength(20);
    expect(assumedFree()).toBe(79);
  });

  test('a sample that is taken elsewhere has all that follow looked up', async () => {
    const { client } = showing([], ['c3']);
    const { isTaken, assumedFree } = codeProbe(client, client, 10_001);
    const taken: boolean[] = [];
    for (let row = 0; row < 40; row++) taken.push(await isTaken(write(`c${row}`)));
    expect(taken).toEqual([false, false, false, ...Array.from({ length: 37 }, () => true)]);
    expect(assumedFree()).toBe(0);
  });

  test('codes that edu derived are taken to be free from 51 rows on, and not counted', async () => {
    const { client, lookedUp } = showing([]);
    const { isTaken, assumedFree } = codeProbe(client, client, 51);
    for (let row = 0; row < 30; row++) expect(await isTaken(write(`c${row}`, true))).toBe(false);
    expect(lookedUp).toHaveLength(20);
    expect(assumedFree()).toBe(0);
  });
});
