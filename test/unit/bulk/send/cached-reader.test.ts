import { expect, test } from 'vitest';
import { knowingCaller, snapshotOf } from '../../../../src/bulk/send/cached-reader.js';
import type { Client } from '../../../../src/client/request/client.js';
import { account } from '../../../../src/contract/account.js';
import { schools } from '../../../../src/contract/schools.js';
import { users } from '../../../../src/contract/users.js';

/** A client that counts its requests. */
function counting(fails: (name: string, time: number) => boolean = () => false) {
  const asked: string[] = [];
  const ask = (name: string): void => {
    const time = asked.push(name);
    if (fails(name, time)) throw new Error('no');
  };
  const client = {
    async call({ path }: { path: string }, { params }: { params?: { id?: string } }) {
      ask(`${path} ${params?.id ?? ''}`.trim());
      return { id: params?.id ?? 'u1' };
    },
    async *pages({ path }: { path: string }) {
      ask(path);
      yield [{ id: 's1' }];
    },
  } as unknown as Client;
  return { asked, client };
}

test('requests the caller once, and other users each time', async () => {
  const { asked, client } = counting();
  const reader = knowingCaller(client);
  for (let time = 0; time < 3; time++) {
    expect(await reader.call(account.show, {})).toEqual({ id: 'u1' });
    expect(await reader.call(users.get, { params: { id: 'u1' } })).toEqual({ id: 'u1' });
    expect(await reader.call(users.get, { params: { id: 'u2' } })).toEqual({ id: 'u2' });
  }
  expect(asked.filter((name) => name === '/v1/account')).toHaveLength(1);
  expect(asked.filter((name) => name.endsWith('u1'))).toHaveLength(1);
  expect(asked.filter((name) => name.endsWith('u2'))).toHaveLength(3);
});

test('does not cache a failure', async () => {
  const { asked, client } = counting((_, time) => time === 1);
  const reader = knowingCaller(client);
  await expect(reader.call(account.show, {})).rejects.toThrow('no');
  expect(await reader.call(account.show, {})).toEqual({ id: 'u1' });
  expect(asked).toHaveLength(2);
});

test('caches lists only in a snapshot', async () => {
  for (const [readerOf, times] of [
    [knowingCaller, 2],
    [snapshotOf, 1],
  ] as const) {
    const { asked, client } = counting();
    const reader = readerOf(client);
    for (let time = 0; time < 2; time++) {
      for await (const page of reader.pages(schools.list, {})) expect(page).toEqual([{ id: 's1' }]);
    }
    expect(asked).toHaveLength(times);
  }
});
