import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ON_REQUEST, RESOURCES } from '../../src/export/collect/resources.js';
import { offline } from '../support/offline.js';
import { home, run, sharedFolder, temporaryFolder } from '../support/run.js';
import { startWorld, worldService } from './world.js';

describe('edu diff', () => {
  const folder = sharedFolder();
  const [a, b, csv, some] = ['a', 'b', 'csv', 'some'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];

  // One licence is added, one removed and one changed in the second.
  beforeAll(async () => {
    const { service, close } = await startWorld(30);
    const { lists } = service;
    const env = { ...service.env, EDU_CONFIG_DIR: join(folder, 'config'), EDU_STATE_DIR: join(folder, 'state') };
    await run(['export', '--to', a], { env });
    await run(['export', '--to', csv, '--format', 'csv'], { env });
    await run(['export', 'licenses', '--to', some], { env });
    const list = '/v1/licenses?type=BOOKS';
    const [first, second, ...others] = lists.get(list) ?? [];
    lists.set(list, [{ ...second, maximumActivations: 9 }, ...others, { ...first, id: '000999', code: 'new1' }]);
    await run(['export', '--to', b], { env });
    await close();
  });

  it('ends with 0 and one sentence when nothing differs', async () => {
    expect(await run(['diff', a, a])).toEqual({ code: 0, stdout: 'No differences.\n', stderr: '' });
    expect(await run(['diff', a, a, '--json'])).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
    const env = home();
    await run(['config', 'set', 'output', 'ndjson'], { env });
    expect(await run(['diff', a, a], { env })).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('lists what was added, removed and changed, with exit code 1', async () => {
    expect(await run(['diff', a, b])).toEqual({
      code: 1,
      stdout: [
        'licenses',
        '  - 000002 code000002 Licence 000002',
        '  ~ 000003 code000003 Licence 000003',
        '      maximumActivations: 5 → 9',
        '  + 000999 new1 Licence 000002',
        '1 added, 1 removed, 1 changed',
        '',
      ].join('\n'),
      stderr: '',
    });
    const colored = await run(['diff', a, b, 'licenses'], { terminal: 80 });
    expect(colored.stdout).toContain('\x1b[31m5\x1b[39m → \x1b[32m9\x1b[39m');
  });

  it('adds to the step summary only what it compared', async () => {
    const summary = join(temporaryFolder(), 'summary.md');
    const env = { GITHUB_STEP_SUMMARY: summary };
    const empty = join(temporaryFolder(), '50%, a:b');
    expect(await run(['diff', a, empty, '--github'], { env })).toMatchObject({
      code: 2,
      stdout: `::error title=edu diff::"${empty.replace('%', '%25')}" is not a completed export: manifest.json not found.\n`,
    });
    expect(existsSync(summary) ? readFileSync(summary, 'utf8') : '').toBe('');
    expect(await run(['diff', a, b, '--github'], { env })).toEqual({
      code: 1,
      stdout: '::notice title=edu diff licenses::1 added, 1 removed, 1 changed\n',
      stderr: '',
    });
    expect(await run(['diff', a, b, '--github', '--json'], { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--json does not apply to --github'),
    });
    expect(readFileSync(summary, 'utf8').split('\n')).toEqual([
      '## Differences',
      '',
      '| Resource | Change | Key | Name | Field | Before | After |',
      '| --- | --- | --- | --- | --- | --- | --- |',
      '| licenses | removed | 000002 | code000002 Licence 000002 |  |  |  |',
      '| licenses | changed | 000003 | code000003 Licence 000003 | maximumActivations | 5 | 9 |',
      '| licenses | added | 000999 | new1 Licence 000002 |  |  |  |',
      '',
      '1 added, 1 removed, 1 changed',
      '',
    ]);
  });

  it('names a step summary that cannot be written', async () => {
    const folder = temporaryFolder();
    const ran = await run(['diff', a, b, '--github'], { env: { GITHUB_STEP_SUMMARY: folder } });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toBe(`Error: GITHUB_STEP_SUMMARY: ${folder} cannot be written: it is a folder (EISDIR).\n`);
  });

  it('prints one record for each difference in JSON', async () => {
    const ran = await run(['diff', a, b, '--json']);
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.stdout)).toMatchObject([
      {
        resource: 'licenses',
        change: 'removed',
        key: '000002',
        before: { code: 'code000002' },
        after: null,
        fields: [],
      },
      { change: 'changed', key: '000003', fields: [{ path: 'maximumActivations', before: 5, after: 9 }] },
      { change: 'added', key: '000999', before: null, after: { code: 'new1' } },
    ]);
    const tsv = await run(['diff', a, b, '-o', 'tsv', '--fields', 'change,key']);
    expect(tsv.stdout).toBe('removed\t000002\nchanged\t000003\nadded\t000999\n');
  });

  it('matches by natural key if IDs differ, and by ID without one', async () => {
    const service = await worldService(30);
    const [one, other] = [temporaryFolder(), temporaryFolder()];
    await run(['export', 'licenses', 'users', '--to', one], { env: service.env });
    for (const list of ['/v1/licenses?type=BOOKS', '/v1/users?organization=s1']) {
      const items = service.lists.get(list) ?? [];
      service.lists.set(list, items.map((item, index) => ({ ...item, id: `other-${index}` })).reverse());
    }
    await run(['export', 'licenses', 'users', '--to', other], { env: service.env });
    expect((await run(['diff', one, other])).code).toBe(1);
    const counts = await run(['diff', one, other, '--summary', '--limit', '1']);
    expect(counts.stdout).toMatch(/^users: .*\n\d.*\n$/);
    expect(counts.stderr).toBe('Note: cut by --limit after 1 resource; there are more\n');
    expect(await run(['diff', one, other, '--key', 'natural'])).toMatchObject({ code: 0, stdout: 'No differences.\n' });
  });

  it('does not take an organization with another ID in another service for one that is hidden', async () => {
    const [here, there] = [await worldService(3), await worldService(3)];
    const [{ id: _, ...school } = {}, ...schools] = there.lists.get('/v1/schools') ?? [];
    there.lists.set('/v1/schools', [{ id: 's9', ...school }, ...schools]);
    there.lists.set('/v1/users?organization=s9', (here.lists.get('/v1/users?organization=s1') ?? []).slice(1));
    const [one, other] = [temporaryFolder(), temporaryFolder()];
    await run(['export', 'users', '--to', one], { env: here.env });
    await run(['export', 'users', '--to', other], { env: there.env });
    const how = ['--key', 'natural', '--summary'];
    expect(await run(['diff', one, other, ...how])).toMatchObject({
      code: 1,
      stdout: 'users: 1 removed\n1 removed\n',
      stderr: '',
    });
    expect(await run(['diff', other, one, ...how])).toMatchObject({
      code: 1,
      stdout: 'users: 1 added\n1 added\n',
      stderr: '',
    });
  });

  it('stops after --limit differences, with a note', async () => {
    const stderr = 'Note: cut by --limit after 1 difference; there are more\n';
    const text = 'licenses\n  - 000002 code000002 Licence 000002\n';
    expect(await run(['diff', a, b, '--limit', '1'])).toEqual({ code: 1, stdout: text, stderr });
    const records = ['diff', a, b, '-o', 'tsv', '--fields', 'key', '--limit'];
    expect(await run([...records, '1'])).toEqual({ code: 1, stdout: '000002\n', stderr });
    expect(await run([...records, '3'])).toMatchObject({ stdout: '000002\n000003\n000999\n', stderr: '' });
    expect(await run(['diff', a, a, '--limit', '1'])).toMatchObject({
      code: 0,
      stdout: 'No differences.\n',
      stderr: '',
    });
  });

  it('refuses a folder without an export, an incomplete export, and csv against json', async () => {
    expect(await run(['diff', a, '/nonexistent'])).toMatchObject({ code: 2 });
    expect(await run(['diff', a])).toMatchObject({ code: 2 });
    expect(await run(['diff', a, csv])).toMatchObject({ code: 2, stderr: expect.stringContaining('csv') });
    expect(await run(['diff', a, a, 'activations'])).toMatchObject({ code: 2 });
  });

  it('names a resource that only one of them contains', async () => {
    const ran = await run(['diff', a, some, 'licenses', 'books']);
    expect(ran.code).toBe(3);
    expect(ran.stderr).toBe('Warning: cannot compare books: only A contains them\n');
    const keys = await run(['diff', a, some, 'books', '-o', 'tsv', '--fields', 'change,key', '--limit', '1']);
    expect(keys.stdout).toBe('not_visible\tb-d1-1\n');
    // The licences before them differ, and fill --limit.
    const cut = await run(['diff', b, some, 'licenses', 'subscriptions', '--limit', '1']);
    expect(cut).toMatchObject({ code: 3, stdout: expect.stringMatching(/^licenses\n {2}\+ 000002 .*\n$/) });
    expect(cut.stderr).toContain('Warning: cannot compare subscriptions: only A contains them\n');
  });
});

describe('edu export --since', () => {
  it.each(['ndjson', 'csv'])('writes only what changed, as %s', async (format) => {
    const service = await worldService(30);
    const folder = temporaryFolder();
    const [a, b] = [join(folder, 'a'), join(folder, 'b')];
    await run(['export', '--to', a, '--format', format], { env: service.env });
    const list = '/v1/licenses?type=BOOKS';
    const [first, second, ...others] = service.lists.get(list) ?? [];
    service.lists.set(list, [{ ...second, name: 'New, "quoted"\nname' }, ...others, { ...first, id: '000999' }]);
    const ran = await run(['export', '--to', b, '--since', a, '--format', format], { env: service.env });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const lines = (change: string) => readFileSync(join(b, `licenses.${change}.${format}`), 'utf8');
    expect(lines('added')).toContain('000999');
    expect(lines('changed')).toContain('000003');
    expect(lines('removed')).toContain('000002');
    const header = format === 'csv' ? 1 : 0;
    expect(lines('removed').trimEnd().split('\n')).toHaveLength(header + 1);
    expect(
      readFileSync(join(b, `users.added.${format}`), 'utf8')
        .trimEnd()
        .split('\n'),
    ).toHaveLength(1);
    expect(JSON.parse(readFileSync(join(b, 'manifest.json'), 'utf8')).resources.licenses).toMatchObject({
      count: 3,
      changes: { added: { count: 1 }, changed: { count: 1 }, removed: { count: 1 } },
    });
    expect((await run(['export', '--verify', b])).code).toBe(0);
    expect((await run(['diff', a, b])).code).toBe(2);
    expect((await run(['export', '--to', a, '--since', b], { env: service.env })).code).toBe(2);
  });

  it.each(['ndjson', 'csv'])('writes nothing if nothing changed, as %s', async (format) => {
    const service = await worldService(30);
    const folder = temporaryFolder();
    const [a, b] = [join(folder, 'a'), join(folder, 'b')];
    await run(['export', '--to', a, '--format', format], { env: service.env });
    await run(['export', '--to', b, '--since', a, '--format', format], { env: service.env });
    const { resources } = JSON.parse(readFileSync(join(b, 'manifest.json'), 'utf8'));
    for (const facts of Object.values(resources)) expect(facts).toMatchObject({ count: 0 });
  });

  it('contains an item once that one list shows twice with different content', async () => {
    const service = await worldService(0);
    const to = join(temporaryFolder(), 'a');
    service.lists.set(
      '/v1/subscriptions',
      ['one', 'other'].map((code) => ({ id: 'x', code })),
    );
    await run(['export', 'subscriptions', '--to', to], { env: service.env });
    expect(readFileSync(join(to, 'subscriptions.ndjson'), 'utf8')).toBe('{"id":"x","code":"other"}\n');
    expect(JSON.parse(readFileSync(join(to, 'manifest.json'), 'utf8')).resources.subscriptions.notes).toEqual([
      'x: listed 2 times with different content; the last one is kept',
    ]);
  });
});

/** The number of exported items of each resource. */
function countsIn(folder: string): Readonly<Record<string, number>> {
  const { resources } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  return Object.fromEntries(RESOURCES.map((name) => [name, resources[name]?.count ?? 0]));
}

describe('edu offline import', () => {
  it('loads an export so that the next export is the same, also from another service', async () => {
    const { edu } = offline();
    const folder = temporaryFolder();
    const [a, b] = [join(folder, 'a'), join(folder, 'b')];
    const all = ['--languages', 'all'];
    await edu('licenses', 'create', '--name', 'X', '--code', 'x1', '--type', 'Teacher', '--maximum-activations', '1');
    await edu('export', '--to', a, ...all);
    const counts = countsIn(a);
    const empty = RESOURCES.filter((name) => counts[name] === 0 && !ON_REQUEST.has(name));
    expect(empty, 'exported without samples in src/service/seeds/').toEqual([]);
    await edu('offline', 'reset', '--seed', 'empty');
    expect(await edu('offline', 'import', a)).toEqual({ code: 0, stdout: '', stderr: '' });
    await edu('export', '--to', b, ...all);
    expect(countsIn(b), 'items loaded by src/service/import/').toEqual(counts);
    expect(await run(['diff', a, b])).toEqual({ code: 0, stdout: 'No differences.\n', stderr: '' });

    const service = await worldService(30);
    const [c, d] = [join(folder, 'c'), join(folder, 'd')];
    await run(['export', '--to', c, '--with', 'activations'], { env: service.env });
    expect((await edu('offline', 'import', c)).code).toBe(0);
    await edu('export', '--to', d, '--with', 'activations');
    expect(await edu('diff', c, d)).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') });
    // Its licences have an unknown field, and no list of users contains its account.
    expect(await edu('diff', c, d, '--force')).toEqual({ code: 0, stdout: 'No differences.\n', stderr: '' });
  });

  it('rehearses a job on the copy, with its permissions and subjects', async () => {
    const service = await worldService(30);
    const { edu } = offline();
    const to = temporaryFolder();
    await run(['export', '--to', to], { env: service.env });
    await edu('offline', 'import', to);
    const made = await edu('classes', 'create', '--subject-id', '01', '--school-id', 's1', '--name', '6b', '--quiet');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const licence = ['--type', 'Books', '--book', 'b-p1-1', '--days', '365', '--maximum-activations', '1'];
    expect((await edu('licenses', 'create', '--name', 'X', '--code', 'code000001', ...licence)).code).toBe(1);
    expect((await edu('licenses', 'create', '--name', 'X', '--code', 'free1', ...licence)).code).toBe(0);
    // No list of schools contains that role, but the users of the school have it.
    const changed = await edu('users', 'update', 'u-s1-001', '--last-name', 'New', '--quiet');
    expect(changed).toMatchObject({ code: 0, stderr: '' });
    await edu('offline', 'reset');
    const subjects = await edu('books', 'subjects', '-o', 'ids');
    expect(subjects.stdout.split('\n')[0]).toBe('0001');
  });

  it('refuses an export that it cannot load, and leaves the data unchanged', async () => {
    const service = await worldService(30);
    const { edu } = offline();
    const csv = temporaryFolder();
    await run(['export', '--to', csv, '--format', 'csv'], { env: service.env });
    expect((await edu('offline', 'import', csv)).code).toBe(2);
    expect((await edu('offline', 'import', '/nonexistent')).code).toBe(2);
    expect((await edu('offline', 'import')).code).toBe(2);
    expect((await edu('licenses', 'get', 'code:welcome1')).code).toBe(0);
  });
});
