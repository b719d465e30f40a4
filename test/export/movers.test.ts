/** Users who move from one organization to another while an export reads its lists, or between two exports. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, temporaryFolder } from '../support/run.js';
import { OWNED_AND_OWN, type WorldService, worldService } from './world.js';

type Item = Readonly<Record<string, unknown>>;

const listOf = (organization: string): string => `/v1/users?organization=${organization}`;
const TYPES: Readonly<Record<string, string>> = { d1: 'Distributor', p1: 'Publisher', s1: 'School', s2: 'School' };

/** A service with a few users, who can be read by ID. */
async function people(): Promise<WorldService & { move(id: string, to: string): void }> {
  const service = await worldService(3, 2);
  for (const organization of OWNED_AND_OWN) {
    const users = (service.lists.get(listOf(organization)) ?? []).slice(0, 5);
    service.lists.set(listOf(organization), users);
    for (const user of users) service.items.set(`/v1/users/${user.id}`, user);
  }
  return Object.assign(service, {
    move(id: string, to: string): void {
      const from = OWNED_AND_OWN.find((one) => service.lists.get(listOf(one))?.some((user) => user.id === id)) ?? '';
      const index = (service.lists.get(listOf(from)) ?? []).findIndex((user) => user.id === id);
      const user = service.lists.get(listOf(from))?.[index];
      if (user === undefined || from === to) return;
      const moved = { ...user, organization: { id: to, type: TYPES[to] } };
      service.remove(listOf(from), index);
      service.lists.set(listOf(to), [...(service.lists.get(listOf(to)) ?? []), moved]);
      service.items.set(`/v1/users/${id}`, moved);
    },
  });
}

const linesIn = (folder: string, file = 'users.ndjson'): Item[] =>
  readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Item);
const idsIn = (folder: string, file?: string) => linesIn(folder, file).map(({ id }) => id);

const everyone = OWNED_AND_OWN.flatMap((of) => [0, 1, 2, 3, 4].map((index) => `u-${of}-00${index}`)).sort();

async function exported(service: WorldService, ...flags: string[]) {
  const to = temporaryFolder();
  const ran = await run(['export', 'users', '--to', to, ...flags], { env: service.env });
  return { to, ran, manifest: JSON.parse(readFileSync(join(to, 'manifest.json'), 'utf8')) };
}

describe('a user who moves while the lists are read', () => {
  it.each([2, 5, 11])('is in the export once, wherever it happens (page %i)', async (page) => {
    for (const concurrency of ['1', '4']) {
      const service = await people();
      let pages = 0;
      service.onPage = ({ list }) => {
        if (!list.startsWith('/v1/users')) return undefined;
        // From the list that is read last to the one that is read first, and the other way.
        if (++pages === page) {
          service.move('u-s2-004', 'd1');
          service.move('u-d1-000', 's2');
        }
        return undefined;
      };
      const { to, ran, manifest } = await exported(service, '--concurrency', concurrency);
      expect(ran).toMatchObject({ code: 0, stderr: '' });
      expect(manifest.complete).toBe(true);
      expect(idsIn(to)).toEqual(everyone);
      const organization = Object.fromEntries(linesIn(to).map((user) => [user.id, user.organization]));
      expect(organization['u-s2-004']).toEqual({ id: 'd1', type: 'Distributor' });
    }
  });

  it('is not removed since an earlier export, which costs one request', async () => {
    const service = await people();
    const before = await exported(service);
    service.asked.length = 0;
    let isFirst = true;
    service.onPage = ({ list }) => {
      if (list === listOf('s2') && isFirst) {
        isFirst = false;
        service.move('u-s2-004', 'd1');
      }
      return undefined;
    };
    const flags = ['--since', before.to, '--concurrency', '1', '--max-removed', '0'];
    const { to, ran, manifest } = await exported(service, ...flags);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(idsIn(to, 'users.removed.ndjson')).toEqual([]);
    expect(linesIn(to, 'users.changed.ndjson')).toMatchObject([{ id: 'u-s2-004', organization: { id: 'd1' } }]);
    expect(manifest.resources.users.notes).toEqual(['u-s2-004: in no list when it was read; read by its ID']);
    expect(service.asked.filter((list) => list === listOf('d1'))).toHaveLength(3);
  });

  it('is in the export of a shard that showed him before', async () => {
    const service = await people();
    const shards = ['1/2', '2/2'];
    const before = await Promise.all(shards.map((shard) => exported(service, '--shard', shard)));
    const [of] = OWNED_AND_OWN.filter((one) => idsIn(before[1]?.to ?? '').includes(`u-${one}-000`));
    const [to] = OWNED_AND_OWN.filter((one) => idsIn(before[0]?.to ?? '').includes(`u-${one}-000`));
    const first = await exported(service, '--shard', '1/2', '--baseline', before[0]?.to ?? '');
    service.move(`u-${of}-000`, to ?? '');
    const second = await exported(service, '--shard', '2/2', '--baseline', before[1]?.to ?? '');
    const merged = temporaryFolder();
    expect((await run(['export', 'merge', first.to, second.to, '--to', merged])).code).toBe(0);
    expect(idsIn(merged)).toEqual(everyone);
  });
});

describe('a user whom no list shows any more', () => {
  it('is removed if he does not exist, and not visible if he may not be seen', async () => {
    const service = await people();
    const before = await exported(service);
    for (const id of ['u-s1-001', 'u-s1-002']) {
      const index = (service.lists.get(listOf('s1')) ?? []).findIndex((user) => user.id === id);
      service.remove(listOf('s1'), index);
    }
    service.items.delete('/v1/users/u-s1-001');
    service.items.set('/v1/users/u-s1-002', null);
    const { to, ran } = await exported(service, '--since', before.to);
    expect(ran.code).toBe(3);
    expect(idsIn(to, 'users.removed.ndjson')).toEqual(['u-s1-001']);
    expect(idsIn(to, 'users.not_visible.ndjson')).toEqual(['u-s1-002']);
    const whole = await exported(service, '--baseline', before.to);
    expect(whole.ran.code).toBe(0);
    expect(whole.manifest.resources.users.notes).toEqual([
      'u-s1-002: in no list when it was read; not allowed (403) by its ID',
    ]);
  });

  it('is read by his ID by edu diff --verify', async () => {
    const service = await people();
    const before = await exported(service);
    for (const _ of [0, 1, 2]) service.remove(listOf('s1'), 0);
    service.items.delete('/v1/users/u-s1-001');
    service.items.set('/v1/users/u-s1-002', null);
    // An export of a program that reads no items by their IDs.
    const after = await exported(service, '--fresh');
    const { code, stdout } = await run(['diff', before.to, after.to, '--verify', '--json'], { env: service.env });
    expect(code).toBe(3);
    const found = JSON.parse(stdout) as { change: string; key: string; note: string | null }[];
    expect(found.map(({ change, key, note }) => [change, key, note])).toEqual([
      ['not_visible', 'u-s1-000', 'exists, although no list of B shows it'],
      ['removed', 'u-s1-001', null],
      ['not_visible', 'u-s1-002', 'exists, but may not be read'],
    ]);
    const env = { ...service.env, EDU_BASE_URL: `${service.env.EDU_BASE_URL}/other` };
    expect((await run(['diff', before.to, after.to, '--verify'], { env })).code).toBe(2);
    expect((await run(['diff', before.to, after.to])).code).toBe(1);
  });

  it('makes the export incomplete if the service does not tell whether he exists', async () => {
    const service = await people();
    const { to } = await exported(service);
    service.remove(listOf('s1'), 0);
    service.items.set('/v1/users/u-s1-000', { toJSON: () => undefined } as unknown as Item);
    const { ran, manifest } = await exported(service, '--baseline', to, '--retries', '0');
    expect(ran.code).toBe(3);
    expect(manifest.resources.users).toMatchObject({ complete: false, file: null });
  });
});
