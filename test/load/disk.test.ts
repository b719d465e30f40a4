/**
 * Real disks that are full or read-only, as far as they differ from the limit of the file size in
 * test/faults/disk.test.ts.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Exit, edu, start, surroundings } from '../support/spawned.js';
import { type SmallDisk, smallDisk } from './small-disk.js';

const TOKEN = 'edu-offline-distributor';
const CREATE = ['licenses', 'create', '--name', 'A', '--type', 'Teacher', '--maximum-activations', '1'];

function disk(kibibytes: number): SmallDisk {
  const made = smallDisk(kibibytes);
  if (made === undefined) throw new Error('no file system can be mounted here');
  onTestFinished(() => made.remove());
  return made;
}

let env: Record<string, string>;
const run = (argv: readonly string[], input = ''): Promise<Exit> => edu(argv, { env, input });

beforeEach(async () => {
  const serving = start(['offline', 'serve', '--memory', '--port', '0', '--json'], { env: surroundings() });
  let line = '';
  serving.child.stdout.on('data', (chunk) => (line += chunk));
  await expect.poll(() => line, { timeout: 30_000 }).toContain('\n');
  env = surroundings({ EDU_BASE_URL: (JSON.parse(line) as { baseUrl: string }).baseUrl, EDU_TOKEN: TOKEN });
});

const teachers = async (): Promise<number> => {
  const { stdout } = await run(['licenses', 'list', '--type', 'TEACHER', '-o', 'ids']);
  return stdout.split('\n').length - 1;
};

const textsIn = (folder: string): Map<string, string> =>
  new Map(
    readdirSync(folder, { withFileTypes: true })
      .filter((one) => one.isFile())
      .map(({ name }) => [name, readFileSync(join(folder, name), 'latin1')]),
  );

function saysFull({ stderr }: Exit): void {
  expect(stderr).toMatch(/ENOSPC|disk is full|disk I\/O error/);
  expect(stderr).toMatch(/^Hint: (Make room|Free some space)/m);
  expect(stderr).not.toMatch(/bug|^\s+at /m);
}

describe('a full disk', () => {
  test('leaves settings and credentials unchanged', async () => {
    const small = disk(256);
    const { EDU_TOKEN, ...others } = env;
    env = { ...others, EDU_CONFIG_DIR: join(small.path, 'config') };
    const lines: readonly (readonly string[])[] = [
      ['config', 'set', 'language', 'NL'],
      ['--base-url', env.EDU_BASE_URL ?? '', 'auth', 'login', '--with-token'],
    ];
    for (const isNew of [true, false]) {
      const before = isNew ? new Map() : textsIn(join(small.path, 'config', 'private'));
      const empty = small.fill();
      for (const line of [...lines, ...(isNew ? [] : [['auth', 'logout']])]) {
        const refused = await run(line, EDU_TOKEN);
        expect(refused.code, line.join(' ')).toBe(2);
        saysFull(refused);
      }
      empty();
      if (!isNew) expect(textsIn(join(small.path, 'config', 'private'))).toEqual(before);
      for (const line of lines) expect((await run(line, EDU_TOKEN)).code).toBe(0);
    }
    expect(readdirSync(join(small.path, 'config')).sort()).toEqual(['private', 'settings.json']);
  });

  test('leaves offline data unchanged and usable when there is space again', async () => {
    const small = disk(4096);
    env = { ...env, EDU_STATE_DIR: join(small.path, 'state') };
    const list = ['--offline', 'licenses', 'list', '-o', 'ids'];
    for (const kibibytes of [64, 300]) {
      const tiny = disk(kibibytes);
      const none = await edu(list, { env: { ...env, EDU_STATE_DIR: join(tiny.path, 'state') } });
      expect(none).toMatchObject({ code: 1, stdout: '' });
      saysFull(none);
    }
    const before = (await run(list)).stdout;
    expect(before.split('\n')).toHaveLength(251);
    const empty = small.fill();
    for (const line of [CREATE, ['offline', 'reset', '--yes']]) {
      const refused = await run(['--offline', ...line]);
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      saysFull(refused);
      expect(refused.stderr).not.toContain('damaged');
    }
    empty();
    expect((await run(list)).stdout).toBe(before);
    // The disk fills up while rows are created: no acknowledged row is lost.
    const reserve = join(small.path, 'reserve');
    writeFileSync(reserve, Buffer.alloc(500_000));
    const many = await run(['--offline', ...CREATE, '--count', '20000', '--job', 'many']);
    // The journal cannot be written (1), rows failed (3), or the service kept failing (7).
    expect([1, 3, 7], many.stderr).toContain(many.code);
    rmSync(reserve);
    const now = new Set((await run(list)).stdout.split('\n'));
    const [job] = JSON.parse((await run(['jobs', 'list', '--json'])).stdout) as readonly { readonly done: number }[];
    const made = now.size - before.split('\n').length;
    expect(made).toBeGreaterThan(100);
    expect(made).toBeGreaterThanOrEqual(job?.done ?? 20000);
  });

  test('stops a job before it sends a row that is not in its journal, and lets it resume', async () => {
    const small = disk(160);
    env = { ...env, EDU_STATE_DIR: join(small.path, 'state') };
    const before = await teachers();
    const create = [...CREATE, '--count', '3000', '--quiet'];
    const stopped = await run(create);
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).toMatch(/^Error: Cannot write the journal \S+: .*ENOSPC/m);
    const made = (await teachers()) - before;
    expect(made).toBeGreaterThan(10);
    expect(made).toBeLessThan(3000);
    // A larger disk.
    const state = join(env.EDU_CONFIG_DIR ?? '', '..', 'moved');
    cpSync(join(small.path, 'state'), state, { recursive: true });
    env = { ...env, EDU_STATE_DIR: state };
    expect((await run(create)).code).toBe(0);
    expect((await teachers()) - before).toBe(3000);
  });

  test('leaves existing results, exports and downloads, and no incomplete ones', async () => {
    const small = disk(2048);
    const results = join(small.path, 'results.csv');
    const to = join(small.path, 'export');
    const picture = join(env.EDU_CONFIG_DIR ?? '', '..', 'picture.png');
    writeFileSync(picture, Buffer.alloc(200_000));
    const id = (await run(['files', 'upload', picture, '-o', 'ids'])).stdout.trim();
    const lines: readonly (readonly string[])[] = [
      [...CREATE, '--count', '30', '--results', results],
      ['export', 'books', 'users', '--to', to],
      ['files', 'download', id, '--to', join(small.path, 'picture.png'), '--force'],
    ];
    for (const isNew of [true, false]) {
      const before = [textsIn(small.path), existsSync(to) ? textsIn(to) : undefined];
      const empty = small.fill();
      for (const line of lines) {
        const refused = await run([...line, ...(line.includes('--results') ? ['--batch', 'again'] : [])]);
        expect([1, 3], line.join(' ')).toContain(refused.code);
        expect(refused.stderr).toMatch(/ENOSPC/);
        expect(refused.stderr).not.toMatch(/bug|^\s+at /m);
      }
      empty();
      expect([textsIn(small.path), existsSync(to) ? textsIn(to) : undefined]).toEqual(before);
      for (const line of lines) expect((await run(line)).code, line.join(' ')).toBe(0);
      expect(readdirSync(small.path).sort(), String(isNew)).toEqual(['export', 'picture.png', 'results.csv']);
    }
  });
});

test('a read-only disk is enough for commands that write nothing', async () => {
  const small = disk(8192);
  const config = { EDU_CONFIG_DIR: join(small.path, 'config'), EDU_STATE_DIR: join(small.path, 'state') };
  env = { ...env, ...config, HOME: small.path };
  const { EDU_TOKEN, EDU_BASE_URL = '', ...others } = env;
  const withToken = env;
  expect((await run([...CREATE, '--count', '2', '--job', 'two'])).code).toBe(0);
  env = others;
  expect((await run(['config', 'set', 'base-url', EDU_BASE_URL])).code).toBe(0);
  expect((await run(['auth', 'login', '--with-token'], EDU_TOKEN)).code).toBe(0);
  expect((await run(['--offline', 'whoami'])).code).toBe(0);
  mkdirSync(join(small.path, 'out'));
  const rows = join(env.EDU_CONFIG_DIR ?? '', 'settings.json');
  const id = (await run(['files', 'upload', rows, '-o', 'ids'])).stdout.trim();
  small.readOnly();
  for (const line of [
    ['--version'],
    ['help', 'offline'],
    ['completion', 'fish'],
    ['__complete', 'licenses', 'get', ''],
    ['licenses', 'list', '-o', 'ids'],
    CREATE,
    ['config', 'get', 'base-url'],
    ['auth', 'status'],
    ['auth', 'token'],
    ['jobs', 'list', '-o', 'json'],
    ['jobs', 'show', 'two'],
    ['account', 'show'],
    ['doctor'],
  ]) {
    const { code, stdout, stderr } = await run(line);
    expect(code, `${line.join(' ')}: ${stderr}`).toBe(0);
    expect(stdout, line.join(' ')).not.toBe('');
  }
  for (const [line, exit, way] of [
    [['config', 'set', 'language', 'NL'], 2, 'EDU_CONFIG_DIR'],
    [['config', 'unset', 'base-url'], 2, 'EDU_CONFIG_DIR'],
    [['auth', 'login', '--with-token'], 2, 'EDU_TOKEN'],
    [['auth', 'logout'], 2, 'EDU_CONFIG_DIR'],
    [[...CREATE, '--count', '2', '--batch', 'again'], 2, 'EDU_STATE_DIR'],
    [['--offline', 'licenses', 'list'], 1, 'EDU_STATE_DIR'],
    [['offline', 'reset', '--yes'], 1, 'EDU_STATE_DIR'],
    [['export', '--to', join(small.path, 'out')], 2, 'a folder that you can write to with --to'],
    [['files', 'download', id, '--to', join(small.path, 'out')], 2, 'in a folder that you can write'],
  ] as const) {
    const { code, stdout, stderr } = await run(line, EDU_TOKEN);
    expect({ code, stdout }, `${line.join(' ')}: ${stderr}`).toEqual({ code: exit, stdout: '' });
    expect(stderr, line.join(' ')).toMatch(/EROFS|read-only|unable to open database file/i);
    expect(stderr, line.join(' ')).toMatch(new RegExp(`^Hint: .*${way}`, 'm'));
    expect(stderr).not.toMatch(/bug|^\s+at /m);
  }
  env = withToken;
  expect((await run(['licenses', 'list', '-o', 'ids'])).code).toBe(0);
});
