/** Interrupted exports, which resume list by list. */
import { createHash } from 'node:crypto';
import { appendFileSync, copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { observe } from '../support/observed-fs.js';
import { run, temporaryFolder } from '../support/run.js';
import { type WorldService, worldService } from './world.js';

const FLAGS = ['users', 'classes', 'activations', '--retries', '0'];
const WORK = '.edu-export';
const NOW = Date.parse('2026-03-04T05:06:07Z');

/** Its clock stands still, so that it saves no list while another one is read, however slow the machine is. */
const exported = (service: WorldService, to: string, ...flags: string[]) =>
  run(['export', ...FLAGS, '--to', to, ...flags], { env: service.env, now: () => NOW });

const data = (folder: string): string[] =>
  ['users', 'classes', 'licenses', 'activations'].map((name) => readFileSync(join(folder, `${name}.ndjson`), 'utf8'));

/** An export in which the second page of one list of users failed. */
async function brokenOff() {
  const service = await worldService(60);
  const whole = temporaryFolder();
  expect((await exported(service, whole)).code).toBe(0);
  const to = temporaryFolder();
  service.onPage = ({ list, page }) => (list === '/v1/users?organization=s2' && page === 2 ? 500 : undefined);
  expect((await exported(service, to, '--concurrency', '1')).code).toBe(3);
  service.onPage = () => undefined;
  service.asked.length = 0;
  const users = () => new Set(service.asked.filter((list) => list.startsWith('/v1/users')));
  return { service, whole, to, users };
}

interface JournalEntry {
  readonly resource: string;
  readonly facts: { readonly bytes: number; readonly sha256: string };
}

/** Collects what a data file contains whenever the manifest in its folder has been removed. */
function contentsAtRemoval(folder: string, file: string): readonly string[] {
  const contents: string[] = [];
  observe(promises, (real) => ({
    rm: async (...given: Parameters<typeof promises.rm>) => {
      if (given[0] !== join(folder, 'manifest.json')) return real.rm(...given);
      // The file would be replaced meanwhile if the removal were not awaited.
      for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
      await real.rm(...given);
      contents.push(readFileSync(join(folder, file), 'utf8'));
    },
  }));
  return contents;
}

const exportedShard = (service: WorldService, to: string, index: number) =>
  run(['export', 'licenses', '--to', to, '--shard', `${index + 1}/2`], { env: service.env });

describe('an interrupted export', () => {
  it.each([
    ['of everything', 'licenses.ndjson', () => []],
    ['of changes', 'licenses.removed.ndjson', (since: string) => ['--since', since]],
  ])('notes its files and removes the old manifest, then replaces them: export %s', async (_, file, flagsOf) => {
    const service = await worldService(60);
    const [base, to] = [temporaryFolder(), temporaryFolder()];
    const flags = ['licenses', '--to'];
    expect((await run(['export', ...flags, base], { env: service.env })).code).toBe(0);
    expect((await run(['export', ...flags, to, ...flagsOf(base)], { env: service.env })).code).toBe(0);
    service.remove('/v1/licenses?type=BOOKS', 0);
    const former = readFileSync(join(to, file), 'utf8');
    const removed = contentsAtRemoval(to, file);
    const noted = contentsAtRemoval(to, join(WORK, 'journal.ndjson'));
    expect((await run(['export', ...flags, to, ...flagsOf(base)], { env: service.env })).code).toBe(0);
    expect(removed).toEqual([former]);
    expect(noted).toEqual([expect.stringContaining(file)]);
    expect(readFileSync(join(to, file), 'utf8')).not.toBe(former);
    expect(readdirSync(to)).toContain('manifest.json');
  });

  it('is not described by the manifest of the earlier one when shards are merged', async () => {
    const service = await worldService(60);
    const shards = [temporaryFolder(), temporaryFolder()];
    const merge = async (to: string) => {
      for (const [index, shard] of shards.entries()) expect((await exportedShard(service, shard, index)).code).toBe(0);
      expect((await run(['export', 'merge', ...shards, '--to', to])).code).toBe(0);
    };
    const to = temporaryFolder();
    await merge(to);
    service.remove('/v1/licenses?type=BOOKS', 0);
    const former = readFileSync(join(to, 'licenses.ndjson'), 'utf8');
    const removed = contentsAtRemoval(to, 'licenses.ndjson');
    await merge(to);
    expect(removed).toEqual([former]);
    expect(readFileSync(join(to, 'licenses.ndjson'), 'utf8')).not.toBe(former);
  });

  it('reads the missing lists, then all lists of users once more, and has the bytes of an uninterrupted run', async () => {
    const { service, whole, to, users } = await brokenOff();
    const { code, stderr } = await exported(service, to);
    expect(code).toBe(0);
    // Each with the time at which it was read.
    expect(stderr).toMatch(/^Kept from an earlier run: .*3 lists of users \(20\S+Z\)/);
    const first = service.asked.filter((list) => list.startsWith('/v1/users')).slice(0, 2);
    expect(new Set(first)).toEqual(new Set(['/v1/users?organization=s2']));
    expect(users().size).toBe(4);
    expect(data(to)).toEqual(data(whole));
    expect(JSON.parse(readFileSync(join(to, 'run.json'), 'utf8')).resources.users).toMatchObject({ keptLists: 3 });
    expect(readdirSync(to)).not.toContain(WORK);
  });

  it('saves complete lists while a long one is still read', async () => {
    const service = await worldService(60);
    const to = temporaryFolder();
    let time = NOW;
    const saved = () =>
      readFileSync(join(to, WORK, 'journal.ndjson'), 'utf8').match(/"resource":"users".*"lists":.*/)?.[0];
    let found: string | undefined;
    service.onPage = async ({ list, page }) => {
      if (list !== '/v1/users?organization=s2') return undefined;
      if (page === 1) time += 5_000;
      else found ??= await vi.waitFor(() => saved() ?? Promise.reject(new Error('nothing is saved')));
      return undefined;
    };
    const flags = ['--concurrency', '1', '--retries', '0', '--to', to];
    const ran = await run(['export', 'users', ...flags], { env: service.env, now: () => time });
    expect(ran.code).toBe(0);
    expect(found).toContain('/users?');
    expect(found).not.toContain('organization=s2');
  });

  it('reads everything again with --fresh, or as another format', async () => {
    for (const flags of [['--fresh'], ['--format', 'json']]) {
      const { service, to, users } = await brokenOff();
      expect((await exported(service, to, ...flags)).code).toBe(0);
      expect(users().size).toBe(4);
    }
  });

  it.each([
    ['replaced files', [], false],
    ['replaced files in another language', ['--language', 'DE'], false],
    ['was killed before it replaced them', [], true],
  ])('that is not resumed and %s leaves an earlier export to compare with', async (_, flags, isKilled) => {
    const service = await worldService(60);
    const to = temporaryFolder();
    expect((await exported(service, to)).code).toBe(0);
    const users = join(to, 'users.ndjson');
    const former = readFileSync(users, 'utf8');
    service.remove('/v1/users?organization=s1', 0);
    service.onPage = ({ list }) => (list === '/v1/licenses?type=BOOKS' ? 500 : undefined);
    expect((await exported(service, to, ...flags)).code).toBe(3);
    expect(readFileSync(users, 'utf8')).not.toBe(former);
    if (isKilled) writeFileSync(users, former);
    service.onPage = () => undefined;
    // Not resumed with another limit.
    expect(await exported(service, to, '--max-removed', '1')).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    ['a number in its journal', /^journal\.ndjson$/, '"runs":[{"path":"users.'],
    ['its temporary files', /^users\.\d+\.run$/, ''],
  ])('reads lists again if a byte of %s has changed', async (_, files, before) => {
    const { service, whole, to, users } = await brokenOff();
    const names = readdirSync(join(to, WORK)).filter((name) => files.test(name));
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const path = join(to, WORK, name);
      const bytes = readFileSync(path);
      const at = before === '' ? bytes.length - 2 : bytes.indexOf(before) + before.length;
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      writeFileSync(path, bytes);
    }
    // Torn by the end of the process.
    appendFileSync(join(to, WORK, 'journal.ndjson'), '{"resource":"users","lis');
    const { code, stderr } = await exported(service, to);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('lists of users') });
    expect(users().size).toBe(4);
    expect(data(to)).toEqual(data(whole));
  });

  it.each<[string, (entry: JournalEntry, outside: string) => string]>([
    [
      'names data outside',
      ({ facts, ...rest }, file) => JSON.stringify({ ...rest, facts: { ...facts, file: `../${file}` } }),
    ],
    [
      'names a temporary file outside',
      ({ resource, facts: { bytes, sha256 } }, file) =>
        JSON.stringify({ resource, runs: [{ path: `../../${file}`, bytes, sha256 }], lists: [], at: '' }),
    ],
    ['has no facts', ({ resource }) => JSON.stringify({ resource, facts: null })],
    ['is no entry', () => 'null'],
    ['is no JSON', () => '{'],
  ])('reads a list again if its line in the journal %s', async (_, forge) => {
    const { service, whole, to } = await brokenOff();
    const [journal, outside] = [join(to, WORK, 'journal.ndjson'), `${to}.outside`];
    copyFileSync(join(to, 'classes.ndjson'), outside);
    const lines = readFileSync(journal, 'utf8').split('\n');
    const at = lines.findIndex((line) => line.includes('{"resource":"classes","facts"'));
    const forged = forge(JSON.parse(lines[at]?.slice(17) ?? ''), basename(outside));
    lines[at] = `${createHash('sha256').update(forged).digest('hex').slice(0, 16)} ${forged}`;
    writeFileSync(journal, lines.join('\n'));
    expect((await exported(service, to)).code).toBe(0);
    expect(data(to)).toEqual(data(whole));
    expect(readFileSync(outside, 'utf8')).toBe(readFileSync(join(whole, 'classes.ndjson'), 'utf8'));
    expect(readFileSync(join(to, 'manifest.json'), 'utf8')).not.toContain('outside');
    rmSync(outside);
  });

  it('resumes with the activations of licences that were not read', async () => {
    const service = await worldService(60);
    const whole = temporaryFolder();
    await exported(service, whole);
    const to = temporaryFolder();
    const broken = '/v1/licenses/000030/activations';
    service.items.set(broken, { message: 'no list at all' });
    expect((await exported(service, to, '--concurrency', '1')).code).toBe(3);
    expect(readdirSync(to)).not.toContain('activations.ndjson');
    service.items.delete(broken);
    service.asked.length = 0;
    expect((await exported(service, to)).code).toBe(0);
    const asked = service.asked.filter((list) => list.endsWith('/activations'));
    expect(asked).toContain(broken);
    expect(asked).not.toContain('/v1/licenses/000003/activations');
    expect(data(to)).toEqual(data(whole));
  });
});

it('ends when its licences are damaged, whatever it reads meanwhile', async () => {
  const service = await worldService(900, 100);
  for (const [list, items] of service.lists) {
    const unused = items.map((one, index) => ({ ...one, numberOfActivations: index === 0 ? 1 : 0 }));
    if (list.startsWith('/v1/licenses')) service.lists.set(list, unused);
  }
  const to = temporaryFolder();
  let isDamaged = false;
  service.onPage = async ({ list }) => {
    isDamaged ||= list.endsWith('/activations');
    if (isDamaged) writeFileSync(join(to, 'licenses.ndjson'), '');
    while (list === '/v1/schools' && !isDamaged) await setTimeout(500);
    return undefined;
  };
  const { code, stderr } = await run(['export', ...FLAGS, '--to', to], { env: service.env });
  expect([code, stderr]).toEqual([2, expect.stringContaining('licenses.ndjson is not the file that the manifest')]);
});

it('ends with 7 when no list can be reached, and leaves the earlier export in the folder', async () => {
  const service = await worldService(30);
  const to = temporaryFolder();
  const line = ['export', 'licenses', 'books', '--to', to];
  expect((await run(line, { env: service.env })).code).toBe(0);
  service.onPage = () => 503;
  expect((await run([...line, '--retries', '0'], { env: service.env })).code).toBe(7);
  expect((await run(['export', '--verify', to])).code).toBe(0);
});
