/**
 * Full disks: the error and exit code of the program, that no incomplete file gets a final name,
 * and that no existing data is lost. The system's limit of the file size stands in for a full disk, since writes fail
 * in the same way. `npm run test:load` uses disks that are full.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/run.js';
import { type Exit, edu, surroundings } from '../support/spawned.js';
import { CREATE, inShell, saysSo, served, TOKEN } from './failing-disk.js';

let env: Record<string, string>;
let home: string;
beforeEach(() => {
  home = temporaryFolder();
  env = surroundings({ TMPDIR: home });
});

/** Limit of the file size in KiB. */
const limited = (kibibytes: number, argv: readonly string[], input = ''): Promise<Exit> =>
  inShell(`ulimit -f ${kibibytes}; exec "$@"`, argv, env, input);
const plainly = (argv: readonly string[], input = ''): Promise<Exit> => edu(argv, { env, input });

/** Uses a service on the network from now on. */
async function useService(): Promise<string> {
  const baseUrl = await served();
  env = { ...env, EDU_BASE_URL: baseUrl, EDU_TOKEN: TOKEN };
  return baseUrl;
}

const teachers = async (): Promise<number> => {
  const { stdout } = await plainly(['licenses', 'list', '--type', 'TEACHER', '-o', 'ids']);
  return stdout.split('\n').length - 1;
};

describe('a full disk', () => {
  test('for settings: they are unchanged, and no lock is left', async () => {
    const config = env.EDU_CONFIG_DIR ?? '';
    const first = await limited(0, ['config', 'set', 'language', 'NL']);
    expect(first.code).toBe(2);
    saysSo(first);
    expect(readdirSync(config)).toEqual([]);
    expect((await plainly(['config', 'set', 'language', 'NL'])).code).toBe(0);
    const before = readFileSync(join(config, 'settings.json'), 'utf8');
    const second = await limited(0, ['config', 'set', 'language', 'FR']);
    expect(second.code).toBe(2);
    saysSo(second);
    expect(readdirSync(config)).toEqual(['settings.json']);
    expect(readFileSync(join(config, 'settings.json'), 'utf8')).toBe(before);
  });

  test('for credentials: reported before a code is spent; stored ones are kept', async () => {
    const baseUrl = await useService();
    const { EDU_TOKEN, ...without } = env;
    env = without;
    const folder = join(env.EDU_CONFIG_DIR ?? '', 'private');
    const login = ['--base-url', baseUrl, 'auth', 'login', '--with-token'];
    const first = await limited(0, login, EDU_TOKEN);
    expect(first.code).toBe(2);
    saysSo(first);
    expect(first.stderr).not.toContain('Logged in');
    expect(readdirSync(folder)).toEqual([]);
    expect((await plainly(login, EDU_TOKEN)).code).toBe(0);
    const before = readFileSync(join(folder, 'credentials.json'), 'utf8');
    for (const line of [login, ['--base-url', baseUrl, 'auth', 'logout']]) {
      const again = await limited(0, line, 'edu-offline-school');
      expect(again.code).toBe(2);
      saysSo(again);
      expect(readdirSync(folder)).toEqual(['credentials.json']);
      expect(readFileSync(join(folder, 'credentials.json'), 'utf8')).toBe(before);
    }
  });

  test('for offline data: reported when they are created or changed; they work again afterwards', async () => {
    const list = ['--offline', 'licenses', 'list', '-o', 'ids'];
    for (const kibibytes of [0, 1, 8, 100]) {
      const made = await limited(kibibytes, list);
      expect(made).toMatchObject({ code: 1, stdout: '' });
      saysSo(made);
    }
    const before = (await plainly(list)).stdout;
    expect(before.split('\n')).toHaveLength(251);
    for (const line of [CREATE, ['offline', 'reset']]) {
      const changed = await limited(1, ['--offline', ...line]);
      expect(changed).toMatchObject({ code: 1, stdout: '' });
      saysSo(changed);
      expect(changed.stderr).not.toContain('damaged');
    }
    const large = join(home, 'large.png');
    writeFileSync(large, Buffer.alloc(600 * 1024));
    const uploaded = await limited(500, ['--offline', 'files', 'upload', large]);
    expect(uploaded).toMatchObject({ code: 1, stdout: '' });
    expect(uploaded.stderr).toMatch(/EFBIG[^\n]*\n.*Make room on the disk/);
    expect((await plainly(list)).stdout).toBe(before);
    const state = join(env.EDU_STATE_DIR ?? '', 'offline');
    expect(readdirSync(state).sort()).toEqual(['files', 'service.db']);
    expect(readdirSync(join(state, 'files')).sort()).toEqual(['sample-pdf', 'sample-png']);
  });

  test('for a job: nothing is sent that is not in its journal, and it resumes later', {
    timeout: 60_000,
  }, async () => {
    await useService();
    const before = await teachers();
    const create = [...CREATE, '--count', '600', '--quiet'];
    const none = await limited(0, create);
    expect(none.code).toBe(2);
    saysSo(none);
    expect(readdirSync(join(env.EDU_STATE_DIR ?? '', 'jobs'))).toEqual([]);
    expect(await teachers()).toBe(before);
    // Room for the manifest and part of the journal.
    const some = await limited(32, create);
    expect(some.code).toBe(1);
    expect(some.stderr).toMatch(/^Error: Cannot write the journal \S+: .*EFBIG/m);
    const made = (await teachers()) - before;
    expect(made).toBeGreaterThan(10);
    expect(made).toBeLessThan(600);
    expect((await plainly(create)).code).toBe(0);
    expect((await teachers()) - before).toBe(600);
  });

  test('for the copy of the input: the error blames the disk, not the input', async () => {
    await useService();
    const rows = Array.from({ length: 3_000 }, (_, index) => `Row ${index},Teacher,1`);
    const text = `name,type,maximum-activations\n${rows.join('\n')}\n`;
    const { code, stderr } = await limited(16, ['licenses', 'create', '--from', '-'], text);
    expect(code).toBe(2);
    expect(stderr).toMatch(/Cannot write \S+jobs\/\S+: .* \(EFBIG\)/);
    expect(readdirSync(join(env.EDU_STATE_DIR ?? '', 'jobs'))).toEqual([]);
  });

  test('for results: the earlier file is kept, and the results can be written later', async () => {
    await useService();
    const before = await teachers();
    const results = join(home, 'results.csv');
    writeFileSync(results, 'old\n');
    // The name makes the results longer than any other file.
    const create = [...CREATE, '--count', '40', '--job', 'autumn'];
    expect((await plainly(create)).code).toBe(0);
    const { code, stderr } = await limited(1, ['jobs', 'resume', 'autumn', '--results', results]);
    expect(code).toBe(1);
    expect(stderr).toContain(`Cannot write ${results}: it would exceed the maximum file size (EFBIG). The outcome`);
    expect(readFileSync(results, 'utf8')).toBe('old\n');
    expect(readdirSync(home).filter((name) => name.startsWith('results'))).toEqual(['results.csv']);
    expect((await teachers()) - before).toBe(40);
    const [, hint = ''] = /^Hint: .*: edu (jobs resume \w+ --results) FILE$/m.exec(stderr) ?? [];
    expect((await plainly([...hint.split(' '), results])).code).toBe(0);
    expect(readFileSync(results, 'utf8').split('\n')).toHaveLength(42);
    expect((await teachers()) - before).toBe(40);
  });

  test('for an export: nothing incomplete under a final name, and no lock is left', async () => {
    await useService();
    const to = join(home, 'export');
    const none = await limited(0, ['export', '--to', to]);
    expect(none.code).toBe(3);
    saysSo(none);
    expect(existsSync(to)).toBe(false);
    const some = await limited(16, ['export', '--to', to]);
    expect(some.code).toBe(3);
    saysSo(some);
    expect(existsSync(join(to, 'manifest.json'))).toBe(false);
    const early = readdirSync(to).filter((name) => name.endsWith('.ndjson'));
    const texts = new Map(early.map((name) => [name, readFileSync(join(to, name), 'utf8')]));
    expect(early.length).toBeGreaterThan(0);
    // No large temporary file is left; what is complete is recorded.
    expect(readdirSync(join(to, '.edu-export'))).toEqual(['journal.ndjson']);
    expect((await plainly(['export', '--to', to])).code).toBe(0);
    for (const [name, text] of texts) expect(readFileSync(join(to, name), 'utf8')).toBe(text);
    const whole = new Map(readdirSync(to).map((name) => [name, readFileSync(join(to, name), 'utf8')]));
    expect(whole.size).toBeGreaterThan(10);
    const again = await limited(0, ['export', '--to', to]);
    expect(again.code).toBe(3);
    expect(new Map(readdirSync(to).map((name) => [name, readFileSync(join(to, name), 'utf8')]))).toEqual(whole);
  });

  test('for a download: the existing file is kept', async () => {
    await useService();
    const large = join(home, 'large.png');
    writeFileSync(large, Buffer.alloc(300 * 1024));
    const { stdout } = await plainly(['files', 'upload', large, '-o', 'ids']);
    const to = join(home, 'downloads');
    mkdirSync(to);
    const download = ['files', 'download', stdout.trim(), '--to', join(to, 'x.png')];
    const first = await limited(100, download);
    expect(first.code).toBe(1);
    saysSo(first);
    expect(readdirSync(to)).toEqual([]);
    writeFileSync(join(to, 'x.png'), 'old');
    const second = await limited(100, [...download, '--force']);
    expect(second.code).toBe(1);
    expect(readdirSync(to)).toEqual(['x.png']);
    expect(readFileSync(join(to, 'x.png'), 'utf8')).toBe('old');
  });

  test.each([
    [['--version']],
    [['--help']],
    [['help', 'bulk']],
    [['licenses', 'list', '--help']],
    [['completion', 'bash']],
    [['config', 'list']],
    [['--offline', 'licenses', 'list', '--json']],
    [['--offline', 'licenses', 'get', '00000001', '-o', 'table']],
    [['--offline', 'licenses', 'list', '--sort', 'name']],
    [['offline', 'info']],
  ])('for the output of %j', async (argv) => {
    const { code, stderr } = await inShell('exec "$@" >/dev/full', argv, env);
    expect(code).toBe(1);
    expect(stderr).toMatch(/Cannot write the output: .*ENOSPC/);
    expect(stderr).not.toMatch(/bug|^\s+at /m);
  });

  test.each<[string, readonly string[], string]>([
    ['a create', [...CREATE, '--code', 'full1'], 'Created licence full1 (ID ID)'],
    ['a create without a key', ['files', 'upload', 'a.pdf'], 'Uploaded a.pdf (ID ID)'],
    [
      'an update',
      ['licenses', 'update', '00000001', '--name', 'B', '--license-category', '01'],
      'Updated licence 00000001 "Welcome (welcome1)"',
    ],
    [
      'an assignment',
      ['licenses', 'assign', '00000001', 'u1'],
      'Assigned licence 00000001 "Welcome (welcome1)" to u1 "Noémie Dvořáková <distributor@example.org>"',
    ],
    ['a cancellation', ['licenses', 'cancel', '00000001', '--yes'], 'Cancelled licence 00000001 "Welcome (welcome1)"'],
    ['a deletion', ['classes', 'delete', 'c1', '--yes'], 'Deleted class c1 "5a"'],
    ['two', ['classes', 'delete', 'c1', 'c2', '--yes'], 'Deleted class c1 "5a", class c2 "5b"'],
    ['edu api', ['api', '/v1/publishers', '-f', 'name=P'], 'The service returned 200 for POST /v1/publishers'],
  ])('for the result of %s: the error says that it was carried out', async (_, argv, done) => {
    writeFileSync(join(home, 'a.pdf'), '%PDF-1.7\n');
    const { code, stderr } = await inShell(`cd ${home}; exec "$@" >/dev/full`, ['--offline', ...argv], env);
    const said = stderr.replaceAll(/\b[0-9a-f]{24}\b/g, 'ID');
    expect(said).toContain(
      `Error: ${done}, but the result cannot be printed: Cannot write the output: there is no space left`,
    );
    expect(said).toMatch(/^Hint: .* carried out: do not run it again/m);
    expect(code).toBe(1);
  });

  test('for differences: the exit code is not 1', async () => {
    const to = join(home, 'export');
    expect((await plainly(['--offline', 'export', 'books', '--to', to])).code).toBe(0);
    for (const argv of [
      ['diff', to, to],
      ['diff', to, to, '--json'],
    ]) {
      const { code, stderr } = await inShell('exec "$@" >/dev/full', argv, env);
      expect(stderr).toMatch(/Cannot write the output: there is no space left on the disk \(ENOSPC\)\./);
      expect(code).toBe(3);
    }
  });

  test('for the outcome of two writes, of which one failed', async () => {
    const argv = ['--offline', 'licenses', 'delete', '00000003', '00000001', '--yes', '--json'];
    const { code, stderr } = await inShell('exec "$@" >/dev/full', argv, env);
    expect(code).toBe(3);
    expect(JSON.parse(stderr).error).toMatchObject({
      kind: 'partial',
      message: expect.stringMatching(/^Deleted licence 00000003 .*, but the result cannot be printed: /),
      details: [{ where: 'licence 00000001 "Welcome (welcome1)"', message: expect.stringContaining('400') }],
    });
  });

  test('for messages on stderr: exit codes are unchanged', async () => {
    const say = 'exec "$@" 2>/dev/full';
    expect((await inShell(say, ['--offline', 'licenses', 'get', 'nothing'], env)).code).toBe(5);
    expect((await inShell(say, ['licenses', 'lsit'], env)).code).toBe(2);
    const listed = await inShell(say, ['--offline', 'licenses', 'list', '--limit', '1', '-o', 'ids'], env);
    expect(listed).toMatchObject({ code: 0, stdout: '00000001\n' });
  });
});
