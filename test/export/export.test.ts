import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { NO_PROCESS, ownerOf } from '../support/lock.js';
import { home, run, temporaryFolder } from '../support/run.js';
import { OWNED_AND_OWN, worldService } from './world.js';

const linesIn = (folder: string, file: string): Record<string, unknown>[] =>
  readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const idsIn = (folder: string, file: string): unknown[] =>
  linesIn(folder, file).map(({ id, classId }) => id ?? classId);

const manifestIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));

/** The files of an export, without run.json. */
const contents = (folder: string): Record<string, string> => {
  const names = readdirSync(folder).filter((name) => name !== 'run.json');
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'latin1')]));
};

describe('an export', () => {
  it("contains everything of the caller's organization and the three that it owns, sorted by ID", async () => {
    const service = await worldService();
    const to = join(temporaryFolder(), 'new', 'folder');
    const ran = await run(['export', '--to', to, '--with', 'activations'], { env: service.env });
    expect(ran.stderr).toBe('');
    expect(ran.code).toBe(0);
    expect(manifestIn(to)).toMatchObject({ complete: true, organization: { id: 'd1' } });
    expect(manifestIn(to).organizations.map(({ id }: { id: string }) => id)).toEqual(OWNED_AND_OWN);
    const users = OWNED_AND_OWN.flatMap((id) => service.lists.get(`/v1/users?organization=${id}`) ?? []);
    expect(users).toHaveLength(160);
    expect(linesIn(to, 'users.ndjson')).toEqual(users);
    expect(idsIn(to, 'books.ndjson')).toEqual(OWNED_AND_OWN.flatMap((id) => [`b-${id}-1`, `b-${id}-2`]));
    expect(idsIn(to, 'roles.ndjson')).toEqual(OWNED_AND_OWN.map((id) => `r-${id}`));
    expect(idsIn(to, 'classes.ndjson')).toEqual(['c-s1', 'c-s2']);
    expect(idsIn(to, 'licenses.ndjson')).toEqual(
      Array.from({ length: 250 }, (_, index) => String(index + 1).padStart(6, '0')),
    );
    expect(idsIn(to, 'account.ndjson')).toEqual(['u1']);
    expect(readFileSync(join(to, 'readers.ndjson'), 'utf8')).toBe('');
    // Licences without activations are skipped; activations have the fields of the API, then their licence.
    expect(linesIn(to, 'activations.ndjson')).toHaveLength(83);
    expect(readFileSync(join(to, 'activations.ndjson'), 'utf8').split('\n')[0]).toBe(
      '{"creationDate":"2026-01-01 00:00:00","expirationDate":"2027-01-01 00:00:00","user":"u-s1-001","licenseId":"000003"}',
    );
    expect(service.asked.filter((list) => list.endsWith('activations'))).toHaveLength(83);
    expect(readdirSync(to).filter((name) => name.startsWith('.') || name.includes('partial'))).toEqual([]);
  });

  it('is the same, byte for byte, for any order of items and keys', async () => {
    const service = await worldService();
    const [a, b, c] = ['a', 'b', 'c'].map((name) => join(temporaryFolder(), name)) as [string, string, string];
    await run(['export', '--to', a], { env: service.env });
    service.shuffles = true;
    await run(['export', '--to', b], { env: service.env });
    await run(['export', '--to', c, '--concurrency', '1'], { env: service.env });
    expect(contents(b)).toEqual(contents(a));
    expect(contents(c)).toEqual(contents(a));
    // Known keys in the order of the API, then the others, sorted.
    const [first = ''] = readFileSync(join(b, 'licenses.ndjson'), 'utf8').split('\n');
    expect(
      first.startsWith('{"id":"000001","name":"Licence 000001","code":"code000001","type":"Teacher","books":[]'),
    ).toBe(true);
    expect(first.endsWith('"endUsers":[],"unknownField":{"a":2,"b":1}}')).toBe(true);
  });

  it('reads a list again when an item is removed midway', async () => {
    const service = await worldService();
    let removed = false;
    service.onPage = ({ list, page }) => {
      if (list === '/v1/licenses?type=BOOKS' && page === 5 && !removed) {
        removed = true;
        // An item that was already returned is removed.
        service.remove(list, 0);
      }
      return undefined;
    };
    const to = temporaryFolder();
    const ran = await run(['export', 'licenses', '--to', to], { env: service.env });
    expect(ran.code).toBe(0);
    const ids = idsIn(to, 'licenses.ndjson');
    expect(ids).toHaveLength(249);
    expect(ids).not.toContain('000002');
    expect(manifestIn(to).resources.licenses).toMatchObject({ count: 249, restarts: 1, complete: true });
  });

  it('gives up a list whose cursor keeps expiring, with exit code 3', async () => {
    const service = await worldService();
    service.onPage = ({ list, page }) => (list === '/v1/users?organization=s2' && page === 2 ? 410 : undefined);
    const to = temporaryFolder();
    const ran = await run(['export', 'users', 'books', '--max-restarts', '2', '--to', to, '--json'], {
      env: service.env,
    });
    expect(ran.code).toBe(3);
    const { error } = JSON.parse(ran.stderr);
    expect(error).toMatchObject({ kind: 'partial', status: 410, path: '/v1/users?organization=s2&type=School' });
    expect(error.details[0].message).toMatch(/^failed School s2: .*: the service rejected its own cursor \(410\); /);
    expect(error.hint.match(/Run it again/g)).toHaveLength(1);
    expect(existsSync(join(to, 'users.ndjson'))).toBe(false);
    expect(idsIn(to, 'books.ndjson')).toHaveLength(8);
    expect(manifestIn(to)).toMatchObject({
      complete: false,
      resources: { users: { complete: false, file: null, restarts: 2 } },
    });
    // 1 pass and 2 restarts, each of which reached the second page.
    expect(service.asked.filter((list) => list === '/v1/users?organization=s2')).toHaveLength(6);
  });

  it('fetches only what is missing when page 7 had failed for good', async () => {
    const service = await worldService();
    service.onPage = ({ list, page }) => (list === '/v1/licenses?type=BOOKS' && page === 7 ? 500 : undefined);
    const env = { ...service.env, ...home() };
    const to = temporaryFolder();
    const broken = await run(['export', '--to', to, '--retries', '0'], { env });
    expect(broken.code).toBe(3);
    expect(broken.stderr).toContain('licenses');
    expect(existsSync(join(to, 'licenses.ndjson'))).toBe(false);
    expect(idsIn(to, 'users.ndjson')).toHaveLength(160);
    const verified = await run(['export', '--verify', to], { env });
    expect(verified.code).toBe(3);
    service.onPage = () => undefined;
    service.asked.length = 0;
    const mended = await run(['export', '--to', to], { env });
    expect(mended.code).toBe(0);
    expect(service.asked.filter((list) => list.startsWith('/v1/users'))).toEqual([]);
    expect(idsIn(to, 'licenses.ndjson')).toHaveLength(250);
    expect((await run(['export', '--verify', to], { env })).code).toBe(0);
    // A complete export is not resumed: the next one reads everything.
    service.asked.length = 0;
    await run(['export', '--to', to], { env });
    expect(service.asked).toContain('/v1/users?organization=s1');
  });

  it('records lists that the caller may not read, and fails for them only with --strict', async () => {
    const service = await worldService();
    service.onPage = ({ list }) =>
      list === '/v1/subscriptions' || list === '/v1/users?organization=s1' ? 403 : undefined;
    const to = temporaryFolder();
    const ran = await run(['export', '--to', to], { env: service.env });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toBe(
      'Warning: skipped users of School s1: not allowed (403)\nWarning: skipped subscriptions: not allowed (403)\n',
    );
    const { subscriptions, users } = manifestIn(to).resources;
    expect(subscriptions).toMatchObject({ complete: true, file: null, notes: ['skipped: not allowed (403)'] });
    expect(users).toMatchObject({ complete: true, count: 120, notes: ['skipped School s1: not allowed (403)'] });
    const quiet = await run(['export', '--to', temporaryFolder(), '--quiet'], { env: service.env });
    expect(quiet.stderr).toBe(ran.stderr);
    const strict = await run(['export', '--to', temporaryFolder(), '--strict'], { env: service.env });
    expect(strict.code).toBe(3);
    for (const name of ['School s1', 'skipped subscriptions']) expect(strict.stderr).toContain(name);
    const forPrograms = await run(['export', '--to', temporaryFolder(), '--strict', '--json'], { env: service.env });
    expect(JSON.parse(forPrograms.stderr).error.details).toEqual([
      { where: 'users', message: 'skipped School s1: not allowed (403)' },
      { where: 'subscriptions', message: 'skipped: not allowed (403)' },
    ]);
  });

  it.each([
    ['licenses', '/v1/licenses'],
    ['classes,users', '/v1/schools/'],
    ['activations', '/v1/licenses'],
  ])('exits 6 when none of the lists of %s may be read', async (words, path) => {
    const service = await worldService(30);
    service.onPage = ({ list }) => (list.startsWith(path) ? 403 : undefined);
    const to = temporaryFolder();
    const again = () => run(['export', words, '--to', to], { env: service.env });
    const { code, stderr } = await again();
    expect(code).toBe(6);
    const [name = ''] = words.split(',');
    expect(stderr).toContain(`no list of ${name === 'activations' ? 'licenses' : name} can be read: not allowed (403)`);
    expect(stderr).toContain('List your permissions with `edu account show`');
    expect(manifestIn(to)).toMatchObject({ complete: false, resources: { [name]: { complete: false, file: null } } });
    service.onPage = () => undefined;
    expect((await again()).code).toBe(0);
  });

  it('is never complete if no list may be read', async () => {
    const service = await worldService(30);
    service.onPage = () => 403;
    const to = temporaryFolder();
    expect((await run(['export', '--to', to], { env: service.env })).code).toBe(6);
    expect(manifestIn(to)).toMatchObject({ complete: false, resources: { account: { complete: true, count: 1 } } });
  });

  it('warns that --max-removed checks nothing without an earlier export', async () => {
    const service = await worldService(3);
    const line = ['export', 'licenses', '--to', temporaryFolder(), '--max-removed', '10%'];
    expect(await run(line, { env: service.env })).toMatchObject({
      code: 0,
      stderr: 'Warning: --max-removed checks nothing: this export is compared with no earlier one\n',
    });
    expect(await run(line, { env: service.env })).toMatchObject({ code: 0, stderr: '' });
  });

  it('skips items that are gone, and fails when a list that always exists returns 404', async () => {
    const service = await worldService();
    service.onPage = ({ list }) => (list.endsWith('organization=s1') ? 404 : undefined);
    const to = temporaryFolder();
    expect((await run(['export', 'users', '--to', to], { env: service.env })).code).toBe(0);
    expect(manifestIn(to).resources.users).toMatchObject({ notes: ['skipped School s1: not found (404)'] });
    const env = { ...service.env, EDU_BASE_URL: `${service.env.EDU_BASE_URL}/not/it` };
    const elsewhere = temporaryFolder();
    const ran = await run(['export', '--to', elsewhere], { env });
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('base URL');
    const { complete, resources } = manifestIn(elsewhere);
    expect(complete).toBe(false);
    expect(resources.licenses).toMatchObject({
      complete: false,
      notes: expect.arrayContaining(['failed BOOKS: not found (404)']),
    });
  });

  it('records the missing lists when publishers or schools cannot be listed', async () => {
    const service = await worldService();
    service.onPage = ({ list }) => (list === '/v1/schools' ? 403 : undefined);
    const to = temporaryFolder();
    expect((await run(['export', '--to', to], { env: service.env })).code).toBe(0);
    const { users, classes } = manifestIn(to).resources;
    const notes = ['skipped all schools: not allowed (403)'];
    expect(users).toMatchObject({ complete: true, count: 80, notes });
    expect(classes).toMatchObject({ complete: true, file: null, notes });
  });

  it('reads the activations of a licence without a count, of which csv has none', async () => {
    const service = await worldService(6);
    const list = '/v1/licenses?type=BOOKS';
    service.lists.set(
      list,
      (service.lists.get(list) ?? []).map((item) => ({ ...item, numberOfActivations: null })),
    );
    const to = temporaryFolder();
    await run(['export', 'activations', '--to', to, '--format', 'csv'], { env: service.env });
    expect(manifestIn(to).resources.activations).toMatchObject({ count: 2 });
    expect(service.asked).toContain('/v1/licenses/000003/activations');
  });

  it('ends with 4 when the token is not accepted, and with 7 when the connection is refused', async () => {
    const refused = await run(['export', '--to', join(temporaryFolder(), 'x')], {
      env: { EDU_BASE_URL: 'http://127.0.0.1:9' },
    });
    expect(refused.code).toBe(4);
    const env = { EDU_BASE_URL: 'http://127.0.0.1:9', EDU_TOKEN: 't' };
    const there = temporaryFolder();
    const alone = await run(['export', '--to', join(there, 'x', 'y'), '--retries', '0'], { env });
    expect(alone.code).toBe(7);
    // Its temporary files are gone; the user's own empty folder is not.
    expect(readdirSync(there)).toEqual([]);
    expect((await run(['export', '--to', there, '--retries', '0'], { env })).code).toBe(7);
    expect(readdirSync(there)).toEqual([]);
  });

  it('refuses the folder of a running export, and takes over that of an exited one', async () => {
    const service = await worldService();
    const to = temporaryFolder();
    mkdirSync(join(to, '.edu-export'));
    const lock = join(to, '.edu-export', 'lock');
    writeFileSync(lock, JSON.stringify(ownerOf(process.ppid, 'a')));
    const second = await run(['export', 'books', '--to', to], { env: service.env });
    expect(second.code).toBe(2);
    expect(second.stderr).toContain(`${to} is being written by process ${process.ppid} on ${hostname()}.`);
    expect(second.stderr).toContain(`Wait for it to end. If that process no longer exists: rm ${lock}`);
    expect(service.asked).toEqual([]);
    writeFileSync(lock, JSON.stringify(ownerOf(NO_PROCESS, 'b')));
    expect((await run(['export', 'books', '--to', to], { env: service.env })).code).toBe(0);
    expect(existsSync(join(to, '.edu-export'))).toBe(false);
  });

  it.each([
    [['export', '--to', ''], '--to'],
    [['export'], '--to'],
    [['export', 'licence-types', '--to', 'x'], 'RESOURCE'],
    [['export', '--to', 'x', '--limit', '5'], '--limit'],
    [['export', '--to', 'x', '--languages', 'XX'], '--languages'],
    [['export', '--to', 'x', '--since', 'x'], '--since'],
    [['export', '--verify', '/nonexistent'], 'manifest.json'],
  ])('%j is a usage error that names %s', async (argv, named) => {
    const ran = await run(argv, { env: { EDU_OFFLINE: '1' } });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(named);
  });

  it('--verify of a manifest that cannot be read says what to do', async () => {
    const folder = temporaryFolder();
    symlinkSync('elsewhere', join(folder, 'manifest.json'));
    const { code, stderr } = await run(['export', '--verify', folder]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/\(ELOOP\)\.\nHint: Name/) });
  });
});

describe('formats', () => {
  it('are the same data as ndjson, one json document, and csv by RFC 4180', async () => {
    const service = await worldService(5);
    const folder = temporaryFolder();
    const [ndjson, json, csv] = ['ndjson', 'json', 'csv'].map((name) => join(folder, name)) as [string, string, string];
    for (const to of [ndjson, json, csv]) {
      const format = to.slice(folder.length + 1);
      expect((await run(['export', '--to', to, '--format', format], { env: service.env })).code).toBe(0);
      expect((await run(['export', '--verify', to], { env: service.env })).code).toBe(0);
    }
    expect(JSON.parse(readFileSync(join(json, 'users.json'), 'utf8'))).toEqual(linesIn(ndjson, 'users.ndjson'));
    expect(readFileSync(join(json, 'readers.json'), 'utf8')).toBe('[]\n');
    const [header, first] = readFileSync(join(csv, 'users.csv'), 'utf8').split(/\n(?=u-)/);
    expect(header).toBe(
      'id,email,firstName,lastName,language,avatarUrl,organization.id,organization.type,roles.id,roles.name',
    );
    expect(first).toBe('u-d1-000,0@d1.example,"Ä""\u2028\u009b","L,;\n",DE,,d1,Distributor,r-d1,Administrator');
    expect((await run(['diff', ndjson, json])).code).toBe(0);
    expect((await run(['diff', csv, csv])).code).toBe(0);
  });

  it('are compressed to the same bytes each time', async () => {
    const service = await worldService();
    const [a, b] = [temporaryFolder(), temporaryFolder()];
    for (const to of [a, b]) await run(['export', 'licenses', '--to', to, '--gzip'], { env: service.env });
    expect(contents(b)).toEqual(contents(a));
    const packed = readFileSync(join(a, 'licenses.ndjson.gz'));
    expect([packed.readUInt32LE(4), packed[9]]).toEqual([0, 255]);
    expect(gunzipSync(packed).toString().split('\n')).toHaveLength(251);
  });
});

describe('--verify', () => {
  it('finds a file that was changed, cut or removed', async () => {
    const service = await worldService(10);
    const to = temporaryFolder();
    await run(['export', 'licenses', 'books', '--to', to], { env: service.env });
    const path = join(to, 'licenses.ndjson');
    const whole = readFileSync(path, 'utf8');
    writeFileSync(path, whole.replace('Licence 000001', 'Licence 00000I'));
    expect(await run(['export', '--verify', to])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/sha256.*--fresh/s),
    });
    writeFileSync(path, whole.slice(0, -20));
    expect(await run(['export', '--verify', to])).toMatchObject({ code: 1, stderr: expect.stringContaining('bytes') });
    expect((await run(['diff', to, to])).code).toBe(2);
  });
});
