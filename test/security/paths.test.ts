/** Names from responses, manifests, state folders and command lines cannot be used as paths. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { rememberedOrganization, rememberOrganization } from '../../src/settings/remembered.js';
import { bundled, closeBundled } from '../support/bundled-service.js';
import { home, run, temporaryFolder } from '../support/run.js';
import { scriptedService } from '../support/scripted-service.js';

afterEach(closeBundled);

const CLIMBING = [
  '../evil',
  '../../evil',
  '..\\..\\evil',
  '/etc/evil',
  'C:\\evil',
  './../evil',
  'a/../../evil',
  '..%2fevil',
  '%2e%2e/evil',
  '..',
  '.',
  'evil\0.pdf',
  '.bashrc',
  '-rf',
];

describe('downloads', () => {
  test.each(CLIMBING)('save a file called %j in the folder that was named', async (name) => {
    for (const disposition of [
      `attachment; filename="${name.replace(/[\\\0]/g, '')}"`,
      `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    ]) {
      const service = await scriptedService({
        '*': { headers: { 'content-disposition': disposition }, body: 'bytes' },
      });
      const outside = temporaryFolder();
      const folder = join(outside, 'in', 'here');
      mkdirSync(folder, { recursive: true });
      const { code } = await run(['files', 'download', 'f1', '--to', folder], { env: service.env });
      expect(code).toBe(0);
      const [file = '', ...more] = readdirSync(folder);
      expect(more).toEqual([]);
      expect(readFileSync(join(folder, file), 'utf8')).toBe('bytes');
      expect(file).not.toMatch(/^[.-]/);
      expect([readdirSync(outside), readdirSync(join(outside, 'in'))]).toEqual([['in'], ['here']]);
    }
  });

  test('do not write through a link of the same name', async () => {
    const service = await scriptedService({
      '*': { headers: { 'content-disposition': 'attachment; filename="a.pdf"' }, body: 'bytes' },
    });
    const folder = temporaryFolder();
    const target = join(temporaryFolder(), 'precious');
    symlinkSync(target, join(folder, 'a.pdf'));
    for (const force of [[], ['--force']]) {
      const ran = await run(['files', 'download', 'f1', '--to', folder, ...force], { env: service.env });
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('the service gave the name of a link')]);
      expect(existsSync(target)).toBe(false);
    }
    expect(lstatSync(join(folder, 'a.pdf')).isSymbolicLink()).toBe(true);
  });
});

describe('the bundled service', () => {
  test.each([
    '..',
    '%2e%2e',
    '..%2f..%2foffline.db',
    '%2fetc%2fpasswd',
    '..%5c..%5cx',
    'x%00',
    '%c0%ae%c0%ae%2f',
    '....//',
  ])('serves no file called %j', async (name) => {
    const directory = temporaryFolder();
    const service = await bundled({ directory });
    for (const path of [
      `/v1/api/file/get/${name}`,
      `/v1/books/${name}`,
      `/v1/users/${name}`,
      `/_control/snapshots/${name}`,
    ]) {
      const { status, text } = await service.call('GET', path);
      expect([400, 403, 404]).toContain(status);
      expect(text).not.toContain('SQLite');
      expect(text).not.toContain('root:');
    }
    expect(service.errors).toEqual([]);
  });
});

describe('names of jobs and profiles', () => {
  test.each(CLIMBING)('cannot be %j', async (name) => {
    const env = home();
    const outside = join(env.EDU_STATE_DIR, '..', 'evil');
    mkdirSync(outside, { recursive: true });
    mkdirSync(join(env.EDU_STATE_DIR, 'jobs'), { recursive: true });
    writeFileSync(join(outside, 'manifest.json'), '{"version":1}');
    for (const line of [
      ['jobs', 'show'],
      ['jobs', 'remove', '--yes'],
      ['jobs', 'resume', '--offline'],
    ]) {
      expect([2, 5]).toContain((await run([...line, '--', name], { env })).code);
    }
    const settings = await run(['config', 'set', 'language', 'EN', `--profile=${name}`], { env });
    expect(settings.code).toBe(2);
    expect(existsSync(join(outside, 'manifest.json'))).toBe(true);
  });
});

describe('manifests of exports', () => {
  const LINES = [
    (folder: string) => ['export', '--verify', folder],
    (folder: string) => ['diff', folder, folder],
    (folder: string) => ['offline', 'import', folder],
  ];

  /** An export of schools, whose manifest names another file as its data or schema, and beside it a copy of the data. */
  async function exportOf(file: string, member: 'file' | 'schema' = 'file', ...flags: string[]): Promise<string> {
    const folder = join(temporaryFolder(), 'export');
    expect((await run(['--offline', 'export', 'schools', '--to', folder, ...flags], { env: home() })).code).toBe(0);
    copyFileSync(join(folder, 'schools.ndjson'), join(folder, '..', 'secret.ndjson'));
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
    manifest.resources.schools[member] = file;
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
    return folder;
  }

  test.each(['../secret.ndjson', '/etc/passwd', '..\\secret.ndjson', './../secret.ndjson', '-', '.hidden', 'a/b', ''])(
    'cannot make edu read the file %j',
    async (file) => {
      const folder = await exportOf(file);
      for (const lineOf of LINES) {
        const { code, stdout, stderr } = await run(lineOf(folder), { env: home() });
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
        expect(stderr).toContain(`${join(folder, 'manifest.json')} is not the manifest of an export.`);
      }
    },
  );

  test('cannot make an export or a merge replace or remove a file outside of the folder', async () => {
    const folder = await exportOf('../secret.ndjson', 'schema', '--shard', '1/1');
    const secret = readFileSync(join(folder, '..', 'secret.ndjson'), 'utf8');
    const env = home();
    for (const line of [
      ['export', 'merge', folder, '--to', join(folder, '..', 'merged')],
      ['--offline', 'export', 'schools', '--shard', '1/1', '--to', folder],
    ]) {
      const { code, stderr } = await run(line, { env });
      expect([code, stderr]).toEqual([2, expect.stringContaining('manifest.json')]);
    }
    expect(readFileSync(join(folder, '..', 'secret.ndjson'), 'utf8')).toBe(secret);
  });

  test('may name the file of the export itself', async () => {
    const folder = await exportOf('schools.ndjson');
    for (const lineOf of LINES.slice(0, 2)) expect((await run(lineOf(folder), { env: home() })).code).toBe(0);
  });

  test.skipIf(process.platform === 'win32').each(['schools.ndjson', 'manifest.json'])(
    'cannot make edu read the target of a link in place of %s',
    async (name) => {
      const env = home();
      const folder = join(temporaryFolder(), 'export');
      expect((await run(['--offline', 'export', 'schools', '--to', folder], { env })).code).toBe(0);
      const target = join(folder, '..', 'elsewhere');
      renameSync(join(folder, name), target);
      symlinkSync(target, join(folder, name));
      for (const line of [
        ['export', '--verify', folder],
        ['offline', 'import', folder],
      ]) {
        const { code, stdout, stderr } = await run(line, { env });
        expect([code, stdout + stderr]).toEqual([expect.any(Number), expect.stringContaining('it is a symbolic link')]);
        expect(code).not.toBe(0);
      }
    },
  );

  test.skipIf(process.platform === 'win32')('do not wait for a pipe in place of a file', async () => {
    const folder = await exportOf('schools.ndjson');
    rmSync(join(folder, 'schools.ndjson'));
    execFileSync('mkfifo', [join(folder, 'schools.ndjson')]);
    for (const lineOf of LINES) expect((await run(lineOf(folder), { env: home() })).code).not.toBe(0);
  });
});

describe('links planted in the state folder', () => {
  test('are refused in place of a job, without touching their target', async () => {
    const env = home();
    const precious = temporaryFolder();
    const job = {
      version: 1,
      id: 'abcdef0123',
      name: null,
      identity: 'x',
      path: 'schools create',
      baseUrl: 'http://x',
      values: {},
      settings: {},
      input: null,
      encoding: null,
      marked: false,
      delimiter: null,
      shard: null,
      rows: 0,
      created: '2026-01-01T00:00:00.000Z',
    };
    writeFileSync(join(precious, 'manifest.json'), JSON.stringify(job));
    mkdirSync(join(env.EDU_STATE_DIR, 'jobs'), { recursive: true });
    symlinkSync(precious, join(env.EDU_STATE_DIR, 'jobs', 'abcdef0123'));
    const { code, stderr } = await run(['jobs', 'remove', 'abcdef0123', '--yes'], { env });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('it is a symbolic link') });
    expect(existsSync(join(precious, 'manifest.json'))).toBe(true);
  });

  test('are replaced, not followed, in place of a remembered value', async () => {
    const env = home();
    const target = join(temporaryFolder(), 'precious');
    writeFileSync(target, 'precious');
    mkdirSync(env.EDU_STATE_DIR, { recursive: true });
    symlinkSync(target, join(env.EDU_STATE_DIR, 'organizations.json'));
    const machine = { now: () => 1, wait: async () => {}, unique: () => 'u' };
    const caller = { baseUrl: 'http://x', token: 't' };
    await rememberOrganization(env, caller, { id: 'o', type: 'School' }, machine);
    expect(readFileSync(target, 'utf8')).toBe('precious');
    expect(await rememberedOrganization(env, caller, machine)).toEqual({ id: 'o', type: 'School' });
  });
});
