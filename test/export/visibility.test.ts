/** Exports that could not read everything, compared with an oracle that knows the data of the service. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, temporaryFolder } from '../support/run.js';
import { type WorldService, worldService } from './world.js';

type Item = Readonly<Record<string, unknown>>;

const idOf = ({ id, classId }: Item): string => String(id ?? classId);

/** Lists that may become unreadable, their resource, and another list of that resource. */
const LISTS = [
  ['users', '/v1/users?organization=s1', '/v1/users?organization=d1', 'School s1'],
  ['licenses', '/v1/licenses?type=BOOKS', '/v1/licenses?type=TEACHER', 'BOOKS'],
  ['subscriptions', '/v1/subscriptions', undefined, ''],
] as const;

/**
 * Removes the last item of a list, changes the first and adds one.
 * @returns the resulting differences
 */
function change(service: WorldService, list: string): string[] {
  const items = service.lists.get(list) ?? [];
  const [first = {}, ...others] = items;
  const last = others.pop();
  const name = 'classId' in first ? 'classId' : 'id';
  const added = { ...first, [name]: `${idOf(first)}x` };
  service.lists.set(list, [{ ...first, changedField: 1, year: 9 }, ...others, added]);
  return [`added ${idOf(added)}`, `changed ${idOf(first)}`, ...(last === undefined ? [] : [`removed ${idOf(last)}`])];
}

async function exported(service: WorldService, ...words: string[]) {
  const to = temporaryFolder();
  const ran = await run(['export', ...words, '--to', to], { env: service.env });
  const manifest = JSON.parse(readFileSync(join(to, 'manifest.json'), 'utf8'));
  return { to, ran, manifest };
}

async function differences(a: string, b: string) {
  const ran = await run(['diff', a, b, '--json']);
  const records = JSON.parse(ran.stdout) as { change: string; key: string }[];
  return { code: ran.code, keys: records.map(({ change: kind, key }) => `${kind} ${key}`).sort() };
}

function changesIn(to: string, resource: string): string[] {
  return ['added', 'changed', 'removed', 'not_visible']
    .flatMap((kind) =>
      readFileSync(join(to, `${resource}.${kind}.ndjson`), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => `${kind} ${idOf(JSON.parse(line) as Item)}`),
    )
    .sort();
}

describe('a list that returns 403 after it could be read', () => {
  it.each(LISTS)('%s: %s', async (resource, list, other, name) => {
    const service = await worldService(30);
    // A resource of which no list may be read is a failure only if it is named.
    const words = name === '' ? [] : [resource];
    const before = await exported(service, ...words);
    expect(before.ran).toMatchObject({ code: 0, stderr: '' });
    const hidden = (service.lists.get(list) ?? []).map((item) => `not_visible ${idOf(item)}`);
    const changed = other === undefined ? [] : change(service, other);
    const expected = [...hidden, ...changed].sort();
    service.onPage = (request) => (request.list === list ? 403 : undefined);

    const after = await exported(service, ...words);
    // Without a comparison, it is unknown whether the list could be read before; it is only named.
    expect(after.ran.code).toBe(0);
    expect(after.ran.stderr).toBe(
      `Warning: skipped ${resource}${name === '' ? '' : ` of ${name}`}: not allowed (403)\n`,
    );
    expect(await differences(before.to, after.to)).toEqual({ code: 3, keys: expected });

    const guarded = await exported(service, ...words, '--baseline', before.to);
    expect(guarded.ran.code).toBe(3);
    expect(guarded.ran.stderr).toContain(name);
    expect(guarded.manifest).toMatchObject({ complete: false, resources: { [resource]: { file: null } } });

    const since = await exported(service, ...words, '--since', before.to);
    expect(since.ran.code).toBe(3);
    expect(since.manifest.complete).toBe(false);
    if (name !== '') expect(changesIn(since.to, resource)).toEqual(expected);

    // The fault is over: items that the last export could not read do not count as added.
    service.onPage = () => undefined;
    const later = await differences(after.to, (await exported(service, ...words)).to);
    const seen = (service.lists.get(list) ?? []).map((item) => `not_visible ${idOf(item)}`);
    expect(later).toEqual({ code: 3, keys: seen.sort() });
    const changesSince = await exported(service, ...words, '--since', after.to);
    expect(changesSince.ran.code).toBe(3);
    const items = seen.length === 1 ? 'item' : 'items';
    expect(changesSince.ran.stderr).toContain(
      `  - ${resource}: ${seen.length} ${items} that only one of the two exports can read: ${resource}.not_visible.ndjson\n`,
    );
    const whole = await exported(service, ...words, '--baseline', before.to);
    expect(whole.ran).toMatchObject({ code: 0, stderr: '' });
    expect(await differences(before.to, whole.to)).toEqual({ code: other === undefined ? 0 : 1, keys: changed.sort() });
  });
});

describe('an export into the folder of an earlier one', () => {
  it('keeps a list that returns 403 for a while, however often it is exported', async () => {
    const service = await worldService(30);
    const to = temporaryFolder();
    const again = (...flags: string[]) => run(['export', 'users', 'books', '--to', to, ...flags], { env: service.env });
    expect((await again()).code).toBe(0);
    service.onPage = ({ list }) => (list === '/v1/users?organization=s1' ? 403 : undefined);
    for (const flags of [[], [], ['--language', 'DE']]) {
      const { code, stderr } = await again(...flags);
      expect(code).toBe(3);
      expect(stderr).toContain(`School s1: the earlier export in ${to} could read it, now: not allowed (403)`);
    }
    service.onPage = () => undefined;
    expect(await again()).toMatchObject({ code: 0 });
    service.onPage = ({ list }) => (list === '/v1/users?organization=s1' ? 403 : undefined);
    expect((await again('--fresh')).code).toBe(0);
  });
});

it('a list that neither export could read is named, and no difference', async () => {
  const service = await worldService(3);
  service.onPage = ({ list }) => (/readers|organization=s1|TEACHER/.test(list) ? 403 : undefined);
  const [{ to }, other] = [await exported(service), await exported(service)];
  expect(await run(['diff', to, other.to, 'readers'])).toEqual({
    code: 0,
    stdout: 'No differences in what both can see.\n',
    stderr: 'Warning: cannot compare readers: not visible in either\n',
  });
  const { stderr } = await run(['diff', to, other.to, 'users', 'licenses', 'schools']);
  expect(stderr).toBe(
    ['users of School s1', 'licenses of TEACHER']
      .map((what) => `Warning: cannot compare ${what}: not visible in either\n`)
      .join(''),
  );
});

it('an export of a caller who has moved is not compared with one of the former organization', async () => {
  const service = await worldService(3);
  const env = { ...service.env, EDU_STATE_DIR: temporaryFolder() };
  await run(['users', 'list'], { env });
  const before = await exported(service, 'users', 'licenses');
  service.items.set('/v1/users/u1', { id: 'u1', organization: { id: 's1', type: 'School' } });
  const after = await exported({ ...service, env }, 'users', 'licenses');
  expect(after.manifest.organization).toEqual({ id: 's1', type: 'School' });
  const why = 'one is of Distributor d1, the other of School s1';
  expect(await run(['diff', before.to, after.to])).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
  const to = temporaryFolder();
  for (const where of [
    ['--to', before.to],
    ['--to', to, '--since', before.to],
    ['--to', to, '--baseline', before.to],
  ]) {
    const ran = await run(['export', 'licenses', ...where], { env });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
  }
});

it.each([null, '..'])(
  'a school with the ID %j, whose users cannot be requested, makes an export incomplete',
  async (id) => {
    const service = await worldService(3);
    service.lists.set('/v1/schools', [...(service.lists.get('/v1/schools') ?? []), { id, name: 'Nameless' }]);
    const { ran, manifest } = await exported(service, 'schools', 'users');
    expect(ran).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('users: failed all schools: 1 item has no valid ID\n'),
    });
    expect(manifest.resources).toMatchObject({ schools: { complete: false }, users: { complete: false } });
  },
);

describe('a school that is no longer listed', () => {
  it('hides its users instead of removing them, and makes an export with a baseline fail', async () => {
    const service = await worldService(30);
    const before = await exported(service, 'users');
    service.lists.set('/v1/schools', (service.lists.get('/v1/schools') ?? []).slice(1));
    const after = await exported(service, 'users');
    const { code, keys } = await differences(before.to, after.to);
    expect(code).toBe(3);
    expect(keys).toHaveLength(40);
    expect(keys.every((key) => key.startsWith('not_visible u-s1-'))).toBe(true);
    const { ran } = await exported(service, 'users', '--baseline', before.to);
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining('no longer listed') });
    // A new school adds its users.
    const added = await exported(service, 'users');
    service.lists.set('/v1/schools', [...(service.lists.get('/v1/schools') ?? []), { id: 's1', name: 'School s1' }]);
    const grown = await differences(added.to, (await exported(service, 'users')).to);
    expect(grown.code).toBe(1);
    expect(grown.keys.every((key) => key.startsWith('added u-s1-'))).toBe(true);
  });
});

describe('--max-removed', () => {
  it.each([
    ['10%', 3],
    ['20%', 0],
    ['4', 3],
    ['5', 0],
  ])('%s ends with %i when 5 of 30 licences are gone', async (max, code) => {
    const service = await worldService(30);
    const before = await exported(service, 'licenses');
    const list = '/v1/licenses?type=BOOKS';
    service.lists.set(list, (service.lists.get(list) ?? []).slice(5));
    for (const flag of ['--baseline', '--since']) {
      const { to, ran, manifest } = await exported(service, 'licenses', flag, before.to, '--max-removed', max);
      expect(ran.code).toBe(code);
      expect(readdirSync(to).filter((name) => name.endsWith('.partial'))).toEqual([]);
      expect(manifest.complete).toBe(code === 0);
      const message = `5 of 30 licenses were removed since ${flag} ${before.to}, more than --max-removed ${max}`;
      if (code === 3) expect(ran.stderr).toContain(message);
    }
  });

  it.each(['x', '101%', '1.5'])('%j is a usage error', async (value) => {
    const ran = await run(['export', '--to', 'x', '--max-removed', value], { env: { EDU_OFFLINE: '1' } });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('--max-removed') });
  });
});

describe('activations', () => {
  it('that a licence counts but the service does not return are an error, each named', async () => {
    const service = await worldService(12);
    for (const list of ['/v1/licenses?type=BOOKS', '/v1/licenses?type=TEACHER']) {
      const count = (item: Item) => (['000004', '000005'].includes(String(item.id)) ? 2 : item.numberOfActivations);
      service.lists.set(
        list,
        (service.lists.get(list) ?? []).map((item) => ({ ...item, numberOfActivations: count(item) })),
      );
    }
    const { ran, manifest } = await exported(service, 'activations');
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('licence 000004: not allowed (403)');
    expect(ran.stderr).toContain('licence 000005: not allowed (403)');
    expect(manifest.resources.activations).toMatchObject({ complete: false, file: null });
  });

  it('fewer than a licence counts are an error, and a licence without ID is never requested', async () => {
    const service = await worldService(6);
    const list = '/v1/licenses?type=BOOKS';
    const counted = (service.lists.get(list) ?? []).map((item) => ({ ...item, numberOfActivations: 3 })).slice(1, 2);
    service.lists.set(list, counted);
    const short = await exported(service, 'activations');
    expect(short.ran.code).toBe(3);
    expect(short.ran.stderr).toContain('licence 000003: the licence counts 3 and the service gives 1');
    service.lists.set(list, [...counted, { name: 'no id', numberOfActivations: 1 }]);
    const { ran } = await exported(service, 'activations');
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('licences: 1 item has no valid ID');
    expect(service.asked.filter((path) => path.includes('undefined'))).toEqual([]);
  });

  it('of licences that only one export could list are neither removed nor added', async () => {
    const service = await worldService(60);
    const before = await exported(service, 'activations');
    const teachers = /"licenseId":"\d+[16]"/g;
    const hidden = (readFileSync(join(before.to, 'activations.ndjson'), 'utf8').match(teachers) ?? []).length;
    expect(hidden).toBe(4);
    service.onPage = ({ list }) => (list === '/v1/licenses?type=TEACHER' ? 403 : undefined);
    const after = await exported(service, 'activations');
    expect(after.ran.stderr).toContain('skipped activations of TEACHER: not allowed (403)');
    // Earlier exports name such lists only for licences.
    const place = join(after.to, 'manifest.json');
    const { activations } = after.manifest.resources;
    const resources = { ...after.manifest.resources, activations: { ...activations, unseen: [] } };
    writeFileSync(place, JSON.stringify({ ...after.manifest, resources }));
    expect((await exported(service, 'activations', '--baseline', after.to)).ran.code).toBe(0);
    for (const [a, b] of [
      [before.to, after.to],
      [after.to, before.to],
    ] as const) {
      const ran = await run(['diff', a, b, 'activations', '--summary']);
      expect(ran).toMatchObject({ code: 3, stdout: `activations: ${hidden} not visible\n${hidden} not visible\n` });
    }
  });
});

describe('a user who changes the organization while users are read', () => {
  it('is exported once, with the newer data, and recorded', async () => {
    const service = await worldService(30);
    const moved = { ...(service.lists.get('/v1/users?organization=d1') ?? [])[7] };
    const id = String(moved.id);
    const now = { ...moved, organization: { id: 's2', type: 'School' } };
    service.lists.set('/v1/users?organization=s2', [...(service.lists.get('/v1/users?organization=s2') ?? []), now]);
    service.items.set(`/v1/users/${id}`, now);
    for (const format of ['ndjson', 'csv']) {
      const { ran, to, manifest } = await exported(service, 'users', '--format', format);
      expect(ran).toMatchObject({ code: 0, stderr: '' });
      const text = readFileSync(join(to, `users.${format}`), 'utf8');
      expect(text.split(id)).toHaveLength(2);
      expect(text.slice(text.indexOf(id)).slice(0, 300)).toContain('s2');
      expect(manifest.resources.users).toMatchObject({
        complete: true,
        count: 160,
        notes: [`${id}: listed 2 times with different content; read again, kept once`],
      });
    }
  });
});

describe('a new field', () => {
  it('is one difference, not one for each item', async () => {
    const service = await worldService(30);
    const before = await exported(service, 'users');
    for (const [list, items] of service.lists) {
      if (list.startsWith('/v1/users'))
        service.lists.set(
          list,
          items.map((item) => ({ ...item, colour: 'red' })),
        );
    }
    const after = await exported(service, 'users');
    expect(await run(['diff', before.to, after.to])).toMatchObject({
      code: 1,
      stdout: 'users\n  * new field colour in 160 of 160\n1 new field\n',
    });
    expect(await differences(after.to, before.to)).toEqual({ code: 1, keys: ['missing_field colour'] });
  });
});

describe('exports of other accounts, services and languages', () => {
  it('are refused unless --force is given', async () => {
    const [one, other] = [await worldService(30), await worldService(30)];
    const before = await exported(one, 'books');
    const after = await exported(other, 'books');
    expect(await run(['diff', before.to, after.to])).toMatchObject({ code: 2 });
    expect(await run(['diff', before.to, after.to, '--force'])).toMatchObject({ code: 0 });
    const german = await exported(one, 'books', '--language', 'DE');
    expect(await run(['diff', before.to, german.to])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('one has names in EN, the other in DE'),
    });
    const to = temporaryFolder();
    other.asked.length = 0;
    expect(await run(['export', 'books', '--to', before.to], { env: other.env })).toMatchObject({ code: 2 });
    expect(other.asked).toEqual([]);
    for (const flag of ['--since', '--baseline']) {
      const refused = await run(['export', 'books', '--to', to, flag, before.to], { env: other.env });
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') });
      expect((await run(['export', 'books', '--to', to, flag, before.to, '--force'], { env: other.env })).code).toBe(0);
    }
  });
});
