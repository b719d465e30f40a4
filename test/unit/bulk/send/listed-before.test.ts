import { expect, test } from 'vitest';
import { snapshotOf } from '../../../../src/bulk/send/listed-before.js';
import { ownOrganization } from '../../../../src/client/create/list-of-created.js';
import type { Client } from '../../../../src/client/request/client.js';
import { schools } from '../../../../src/contract/schools.js';

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
      return { id: params?.id ?? 'u1', organization: { id: 's1', type: 'School' } };
    },
    async *pages({ path }: { path: string }) {
      ask(path);
      yield [{ id: 's1' }];
    },
  } as unknown as Client;
  return { asked, client };
}

test('requests the organization of the caller once, and again after a failure', async () => {
  const { asked, client } = counting((_, time) => time === 1);
  await expect(ownOrganization(client, {})).rejects.toThrow('no');
  for (const reader of [client, snapshotOf(client)])
    expect(await ownOrganization(reader, {})).toEqual({ id: 's1', type: 'School' });
  expect(asked).toEqual(['/v1/account', '/v1/account', '/v1/users/{id} u1']);
});

test('reads each list once', async () => {
  const { asked, client } = counting();
  const reader = snapshotOf(client);
  for (let time = 0; time < 2; time++)
    for await (const page of reader.pages(schools.list, {})) expect(page).toEqual([{ id: 's1' }]);
  expect(asked).toHaveLength(1);
});
