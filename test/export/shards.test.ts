/** Exports whose lists are split among machines, and merged. */
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, temporaryFolder } from '../support/run.js';
import { type WorldService, worldService } from './world.js';

const jsonIn = (folder: string, name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

async function exported(service: WorldService, ...flags: string[]): Promise<string> {
  const to = temporaryFolder();
  const { code, stderr } = await run(['export', '--to', to, ...flags], { env: service.env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return to;
}

async function shards(service: WorldService, count: number, ...flags: string[]): Promise<string[]> {
  const folders: string[] = [];
  for (let index = 1; index <= count; index++) {
    folders.push(await exported(service, '--shard', `${index}/${count}`, ...flags));
  }
  return folders;
}

const merge = (folders: readonly string[], to: string) => run(['export', 'merge', ...folders, '--to', to]);

/** The data files of an export. */
const dataIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => !/^(run|manifest)\.json$/.test(name))
      .map((name) => [name, readFileSync(join(folder, name), 'latin1')]),
  );

describe('shards', () => {
  it.each([
    [1, ['--with', 'activations']],
    [3, ['--with', 'activations', '--format', 'json', '--gzip']],
    [7, ['--format', 'csv', '--languages', 'DE,EN']],
  ])('%i of them, merged, equal the whole export (%j)', async (count, flags) => {
    const service = await worldService(90);
    service.shuffles = true;
    const whole = await exported(service, ...flags);
    const folders = await shards(service, count, ...flags);
    const to = join(temporaryFolder(), 'merged');
    expect(await merge(folders.reverse(), to)).toMatchObject({ code: 0, stderr: '' });
    expect(dataIn(to)).toEqual(dataIn(whole));
    const [manifest, expected] = [jsonIn(to, 'manifest.json'), jsonIn(whole, 'manifest.json')];
    expect(manifest.shard).toBeUndefined();
    expect(manifest).toMatchObject({ complete: true, organizations: expected.organizations });
    expect(await run(['diff', whole, to])).toMatchObject({ code: 0 });
    expect((await run(['export', '--verify', to])).code).toBe(0);
  });

  it('read each list once, except the lists of organizations', async () => {
    const service = await worldService(30);
    await shards(service, 4);
    const count = new Map<string, number>();
    for (const list of service.asked) count.set(list, (count.get(list) ?? 0) + 1);
    expect(count.get('/v1/schools')).toBe(4);
    expect(count.get('/v1/users?organization=s1')).toBe(2);
    expect(count.get('/v1/schools/s1/classes')).toBe(1);
    expect(count.get('/v1/licenses?type=TEACHER')).toBe(1);
  });

  it('keep the record of lists that could not be read', async () => {
    const service = await worldService(30);
    service.onPage = ({ list }) => (/readers|users.*s1/.test(list) ? 403 : undefined);
    const folders: string[] = [];
    for (const index of [1, 2]) {
      const to = temporaryFolder();
      await run(['export', '--to', to, '--shard', `${index}/2`], { env: service.env });
      folders.push(to);
    }
    const whole = temporaryFolder();
    await run(['export', '--to', whole], { env: service.env });
    const to = temporaryFolder();
    expect(await merge(folders, to)).toMatchObject({
      code: 0,
      stderr: 'Warning: skipped users of School s1: not allowed (403)\nWarning: skipped readers: not allowed (403)\n',
    });
    expect(dataIn(to)).toEqual(dataIn(whole));
    const [merged, expected] = [jsonIn(to, 'manifest.json').resources, jsonIn(whole, 'manifest.json').resources];
    expect(expected.users.filters).toEqual(
      ['Distributor', 'Publisher', 'School'].map((type) => `/v1/users?organization={id}&type=${type}`),
    );
    for (const name of Object.keys(expected)) {
      const { unseen, notes, file, count, filters } = expected[name];
      expect(merged[name]).toMatchObject({ unseen, notes, file, count, filters });
    }
  });
});

describe('a merge is refused', () => {
  it('if a shard is missing, repeated, incomplete, or of another export', async () => {
    const service = await worldService(30);
    const [a = '', b = ''] = await shards(service, 2, 'users', 'schools');
    const whole = await exported(service, 'users', 'schools');
    const other = await exported(service, 'users', 'schools', '--shard', '1/3');
    const csv = await exported(service, 'users', 'schools', '--shard', '2/2', '--format', 'csv');
    const changes = await Promise.all([
      exported(service, 'users', 'schools', '--shard', '1/2', '--since', a),
      exported(service, 'users', 'schools', '--shard', '2/2', '--since', b),
    ]);
    service.onPage = ({ list }) => (list.startsWith('/v1/users') ? 500 : undefined);
    const broken = temporaryFolder();
    const line = ['export', 'users', 'schools', '--shard', '2/2', '--to', broken, '--retries', '0'];
    expect((await run(line, { env: service.env })).code).toBe(3);
    const copy = temporaryFolder();
    cpSync(b, copy, { recursive: true });
    for (const [folders, why] of [
      [[a], 'shard 2/2 is missing'],
      [[a, b, copy], 'a shard is named twice'],
      [[a, whole], 'is not a shard'],
      [[a, other], 'one is of 2 shards, the other of 3'],
      [[a, csv], '--format is ndjson in one, csv in the other'],
      [changes, 'contains only changes.'],
      [[a, broken], 'is not complete: users'],
    ] as const) {
      const to = join(temporaryFolder(), 'merged');
      const { code, stderr } = await merge(folders, to);
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
    }
    expect((await merge([a, b], a)).code).toBe(2);
  });

  it('if nothing but the account could be read', async () => {
    const service = await worldService(3);
    service.onPage = ({ list }) => (list === '/v1/account' ? undefined : 403);
    const folders = [temporaryFolder(), temporaryFolder()];
    for (const [index, folder] of folders.entries())
      await run(['export', '--to', folder, '--shard', `${index + 1}/2`], { env: service.env });
    const to = join(temporaryFolder(), 'merged');
    const { code, stderr } = await merge(folders, to);
    expect({ code, stderr }).toEqual({ code: 6, stderr: expect.stringContaining('no shard could read a list.') });
    expect(existsSync(to)).toBe(false);
  });

  it('if the shard with the list of schools is older than another, which names a new one', async () => {
    const service = await worldService(3);
    const flags = ['users', 'schools', '--shard'];
    const isHolder = (folder: string) => jsonIn(folder, 'manifest.json').resources.schools.filters.length > 0;
    const old = [await exported(service, ...flags, '1/2'), await exported(service, ...flags, '2/2')];
    service.lists.set('/v1/schools', [...(service.lists.get('/v1/schools') ?? []), { id: 's3' }]);
    service.lists.set('/v1/users?organization=s3', []);
    const index = old.findIndex((folder) => !isHolder(folder));
    const mixed = old.with(index, await exported(service, ...flags, `${index + 1}/2`));
    const { code, stderr } = await merge(mixed, temporaryFolder());
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(/School s3/) });
  });

  it('if a school was added after its shard had run', async () => {
    const service = await worldService(30);
    const names = Array.from({ length: 8 }, (_, index) => `new${index}`);
    const first = await exported(service, 'users', '--shard', '1/2');
    service.lists.set('/v1/schools', [...(service.lists.get('/v1/schools') ?? []), ...names.map((id) => ({ id }))]);
    for (const id of names) service.lists.set(`/v1/users?organization=${id}`, []);
    const second = await exported(service, 'users', '--shard', '2/2');
    const { code, stderr } = await merge([first, second], temporaryFolder());
    expect(code).toBe(3);
    expect(stderr).toMatch(/does not know School new\d/);
  });
});

it('a shard can be compared only with the same shard', async () => {
  const service = await worldService(30);
  const [a = '', b = ''] = await shards(service, 2, 'users');
  const whole = await exported(service, 'users');
  expect((await run(['diff', a, b])).stderr).toContain('one is shard 1/2, the other shard 2/2');
  expect((await run(['diff', a, whole])).code).toBe(2);
  expect((await run(['export', 'users', '--to', temporaryFolder(), '--baseline', a], { env: service.env })).code).toBe(
    2,
  );
  expect((await run(['export', 'users', '--to', temporaryFolder(), '--shard', '3/2'], { env: service.env })).code).toBe(
    2,
  );
  expect((await run(['offline', 'import', a], { env: { EDU_OFFLINE: '1' } })).code).toBe(2);
});
