/** Files beside the data of an export: the record of the run, and the schemas. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { RESOURCES } from '../../src/export/collect/resources.js';
import { mismatch, schemaFile, schemaText } from '../../src/export/files/schema.js';
import { run, temporaryFolder } from '../support/run.js';
import { worldService } from './world.js';

const jsonIn = (folder: string, name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

describe('run.json', () => {
  it('counts the requests, retries and waits of each resource', async () => {
    const service = await worldService(250);
    let isFirst = true;
    service.onPage = ({ list, page }) => {
      if (list !== '/v1/licenses?type=BOOKS' || page !== 2 || !isFirst) return undefined;
      isFirst = false;
      return 503;
    };
    const to = temporaryFolder();
    const start = Date.now();
    expect((await run(['export', 'licenses', 'books', '--to', to], { env: service.env })).code).toBe(0);
    const record = jsonIn(to, 'run.json');
    const { licenses, books } = record.resources;
    const ofLicences = service.asked.filter((list) => list.startsWith('/v1/licenses'));
    expect(licenses).toMatchObject({ requests: ofLicences.length, retries: 1, restarts: 0, keptFrom: null });
    expect(licenses.waitedMs).toBeGreaterThan(0);
    expect(books).toMatchObject({ requests: 4, retries: 0, waitedMs: 0 });
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(record).toMatchObject({ version, account: 'u1', complete: true, retries: 1, waitedMs: licenses.waitedMs });
    expect(record.requests).toBeGreaterThanOrEqual(licenses.requests + books.requests);
    for (const time of [record.startedAt, record.finishedAt, licenses.startedAt]) {
      expect(Date.parse(time)).toBeGreaterThanOrEqual(start);
    }
  });

  it('says what an earlier run read, and when, also on stderr', async () => {
    const service = await worldService(30);
    service.onPage = ({ list }) => (list === '/v1/subscriptions' ? 500 : undefined);
    const to = temporaryFolder();
    const line = ['export', 'books', 'subscriptions', '--to', to, '--retries', '0'];
    expect((await run(line, { env: service.env })).code).toBe(3);
    const first = jsonIn(to, 'run.json');
    const subscriptions = { requestId: expect.stringMatching(/^req-\d+$/) };
    expect(first).toMatchObject({
      complete: false,
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      resources: { books: { requestId: null }, subscriptions },
    });
    service.onPage = () => undefined;
    const again = await run(line, { env: service.env });
    const at = first.resources.books.finishedAt;
    expect(again.stderr).toBe(`Kept from an earlier run: books (${at}). --fresh reads everything again.\n`);
    expect(jsonIn(to, 'run.json').resources).toMatchObject({
      books: { ...first.resources.books, keptFrom: at },
      subscriptions: { requests: 1, keptFrom: null },
    });
  });

  it('is ignored by edu diff and by --verify', async () => {
    const service = await worldService(30);
    const [a, b] = [temporaryFolder(), temporaryFolder()];
    for (const to of [a, b]) await run(['export', 'licenses', '--to', to], { env: service.env });
    writeFileSync(join(b, 'run.json'), '{}');
    expect(await run(['diff', a, b])).toMatchObject({ code: 0 });
    expect(await run(['export', '--verify', b])).toMatchObject({ code: 0 });
    expect(readFileSync(join(a, 'manifest.json'), 'utf8')).toBe(readFileSync(join(b, 'manifest.json'), 'utf8'));
  });
});

it('prints a line of progress every 30 s without a terminal, also while it waits', async () => {
  const service = await worldService(60);
  let [reached, goOn] = [() => {}, () => {}];
  const atPage3 = new Promise<void>((done) => (reached = done));
  const held = new Promise<undefined>((done) => (goOn = () => done(undefined)));
  service.onPage = ({ list, page }) => {
    if (list !== '/v1/licenses?type=BOOKS' || page !== 3) return undefined;
    reached();
    return held;
  };
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const running = run(['export', 'licenses', '--to', temporaryFolder()], { env: service.env });
    await atPage3;
    await vi.advanceTimersByTimeAsync(60_000);
    goOn();
    const { code, stderr } = await running;
    expect(code).toBe(0);
    // Pages of one millisecond have no rate.
    expect(stderr).toMatch(/^(Exporting: licenses \d+ \(\d+ s(, [\d,]+ items\/s)?\)\n){2}$/);
  } finally {
    vi.useRealTimers();
  }
});

it('an export of fewer resources does not remove files of the earlier one in its folder', async () => {
  const service = await worldService(3);
  const to = temporaryFolder();
  await run(['export', 'books', 'schools', '--to', to], { env: service.env });
  const files = readdirSync(to);
  const { code, stderr } = await run(['export', 'books', '--to', to], { env: service.env });
  expect([code, readdirSync(to)]).toEqual([2, files]);
  expect(stderr).toContain(`Cannot export into ${to}: it contains another export (schools would be removed from it).`);
  expect((await run(['export', 'books', 'schools', 'roles', '--to', to], { env: service.env })).code).toBe(0);
  // Files of the earlier export that this one does not need are removed.
  const json = ['export', 'books', 'schools', 'roles', '--to', to, '--format', 'json'];
  expect((await run(json, { env: service.env })).code).toBe(0);
  const names = ['books', 'roles', 'schools'].flatMap((name) => [`${name}.json`, `${name}.schema.json`]);
  expect(readdirSync(to).sort()).toEqual([...names, 'manifest.json', 'run.json'].sort());
});

describe('schemas', () => {
  it('lie beside the data, as the manifest names them', async () => {
    const service = await worldService(30);
    const to = temporaryFolder();
    await run(['export', '--to', to], { env: service.env });
    const { resources } = jsonIn(to, 'manifest.json');
    const schemas = new Map(RESOURCES.map((name) => [schemaFile(name), schemaText(name)]));
    for (const { schema } of Object.values<{ schema: string }>(resources)) {
      expect(readFileSync(join(to, schema), 'utf8')).toBe(schemas.get(schema));
    }
    rmSync(join(to, 'books.schema.json'));
    const { code, stdout } = await run(['export', '--verify', to]);
    expect(code).toBe(1);
    expect(stdout).toContain('books\tbooks.schema.json\t0\tthe file is not there\n');
    const some = await run(['export', '--verify', to, 'books']);
    expect([some.code, some.stderr]).toEqual([2, expect.stringContaining('RESOURCE does not apply to --verify')]);
  });

  it('are printed by --schema, without a login', async () => {
    const one = JSON.parse((await run(['export', '--schema', 'licences'])).stdout);
    expect(one).toEqual(JSON.parse(readFileSync('docs/schema/licenses.schema.json', 'utf8')));
    expect(one.required).toContain('endUsers');
    const all = JSON.parse((await run(['export', '--schema'])).stdout);
    expect(Object.keys(all.$defs)).toEqual([...RESOURCES]);
    const ids = Object.values<{ $id: string }>(all.$defs).map(({ $id }) => $id);
    expect(new Set(ids).size).toBe(RESOURCES.length);
    expect(await run(['export', '--schema', '--to', 'x'])).toMatchObject({ code: 2 });
  });

  it.each([
    [{ a: [1, 'x'] }, 'a[1] is string, not number'],
    [{ a: [1, 2], b: { c: 'x9' } }, 'b.c does not match ^\\d+$'],
    [{ b: {} }, 'b.c is missing'],
    [{ a: null, b: { c: 9, d: [1] } }, undefined],
  ])('say where %j does not match', (item, expected) => {
    const b = { required: ['c'], properties: { c: { pattern: '^\\d+$' }, d: { type: 'array' } } };
    const a = { type: ['array', 'null'], items: { type: 'number' } };
    expect(mismatch(item, { type: 'object', properties: { a, b } })).toBe(expected);
  });

  it('validate every item with --strict-schema', async () => {
    const service = await worldService(30);
    const list = '/v1/licenses?type=BOOKS';
    const strict = (to: string) => run(['export', 'licenses', '--to', to, '--strict-schema'], { env: service.env });
    const good = temporaryFolder();
    expect(await strict(good)).toMatchObject({ code: 0 });
    const [first, second, ...rest] = service.lists.get(list) ?? [];
    service.lists.set(list, [{ ...first, maximumActivations: '5' }, { ...second, endUsers: [{ id: 7 }] }, ...rest]);
    expect((await run(['export', 'licenses', '--to', temporaryFolder()], { env: service.env })).code).toBe(0);
    const to = temporaryFolder();
    const { code, stderr } = await strict(to);
    expect(code).toBe(3);
    expect(stderr).toContain(
      'BOOKS: 2 do not match licenses.schema.json, the first: 000002: maximumActivations is string, not number or null',
    );
    expect(jsonIn(to, 'manifest.json').resources.licenses).toMatchObject({ complete: false, file: null });
  });

  it('name an invalid user once, although an export without an earlier one reads the lists of users twice', async () => {
    const service = await worldService(30);
    const list = '/v1/users?organization=s1';
    const [first, ...rest] = service.lists.get(list) ?? [];
    service.lists.set(list, [{ ...first, firstName: 7 }, ...rest]);
    const to = temporaryFolder();
    expect((await run(['export', 'users', '--to', to, '--strict-schema'], { env: service.env })).code).toBe(3);
    expect(jsonIn(to, 'manifest.json').resources.users.notes).toEqual([
      expect.stringMatching(/^failed School s1: 1 does not match users\.schema\.json, the first: /),
    ]);
  });
});
