/** Pipes, devices, folders and endless files in place of a file: one error at once, and signals work. */
import { spawn, spawnSync } from 'node:child_process';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ODD, replace } from '../support/odd-files.js';
import { temporaryFolder } from '../support/run.js';
import { EDU, type Exit, edu, start, surroundings } from '../support/spawned.js';

const CREATE = ['licenses', 'create', '--offline', '--type', 'Teacher', '--maximum-activations', '1', '--days', '30'];
const ROW = 'name\nAutumn\n';

describe.skipIf(process.platform === 'win32').each(Object.keys(ODD))('%s', (odd) => {
  test('is refused as settings', async () => {
    const env = surroundings();
    mkdirSync(env.EDU_CONFIG_DIR ?? '', { mode: 0o700 });
    replace(join(env.EDU_CONFIG_DIR ?? '', 'settings.json'), odd);
    const { code, stderr } = await edu(['licenses', 'list', '--offline'], { env });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('settings.json') });
  });

  test('is refused as credentials', async () => {
    const env = surroundings({ EDU_BASE_URL: 'https://api.example.com' });
    const folder = join(env.EDU_CONFIG_DIR ?? '', 'private');
    mkdirSync(folder, { mode: 0o700, recursive: true });
    replace(join(folder, 'credentials.json'), odd);
    const { code, stderr } = await edu(['auth', 'token'], { env });
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining('credentials.json') });
  });

  test("is refused as a job's manifest", async () => {
    const env = surroundings();
    const input = join(temporaryFolder(), 'rows.csv');
    writeFileSync(input, ROW);
    expect((await edu([...CREATE, '--from', input, '--yes'], { env })).code).toBe(0);
    const jobs = join(env.EDU_STATE_DIR ?? '', 'jobs');
    const [id = ''] = readdirSync(jobs).filter((name) => !name.includes('.'));
    for (const name of readdirSync(join(jobs, id))) {
      if (name.endsWith('.json')) replace(join(jobs, id, name), odd);
    }
    const { code, stderr } = await edu(['jobs', 'show', id, '--offline'], { env });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('manifest.json') });
  });

  test("is refused as a job's input, journal or rows", async () => {
    const env = surroundings();
    const input = join(temporaryFolder(), 'rows.csv');
    writeFileSync(input, 'name,code\nA,taken1\n');
    expect((await edu([...CREATE, '--from', input, '--yes'], { env })).code).toBe(0);
    const jobs = join(env.EDU_STATE_DIR ?? '', 'jobs');
    const [id = ''] = readdirSync(jobs).filter((name) => !name.includes('.'));
    const kept = join(temporaryFolder(), 'kept');
    for (const name of ['input', 'rows.bin', 'journal.ndjson']) {
      const path = join(jobs, id, name);
      if (existsSync(path)) renameSync(path, kept);
      replace(path, odd);
      const { code, stderr } = await edu(['jobs', 'resume', id, '--offline'], { env });
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(name) });
      rmSync(path, { recursive: true });
      if (existsSync(kept)) renameSync(kept, path);
    }
  });

  test('is refused as the manifest or a file of an export', async () => {
    const env = surroundings();
    const folder = join(temporaryFolder(), 'export');
    expect((await edu(['export', 'schools', '--offline', '--to', folder], { env })).code).toBe(0);
    // The files that diff reads: neither the schemas nor run.json.
    for (const name of ['schools.ndjson', 'manifest.json']) {
      replace(join(folder, name), odd);
      const { code, stderr } = await edu(['diff', folder, folder], { env });
      expect({ code, stderr }).toEqual({
        code: expect.toSatisfy((it) => it === 2 || it === 3),
        stderr: expect.stringContaining(name),
      });
    }
  });
});

/** Runs a command line through bash. */
function bash(line: string, argv: readonly string[], env: Record<string, string>): Omit<Exit, 'signal'> {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', line, 'bash', process.execPath, EDU, ...argv], {
    env,
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
}

describe.skipIf(process.platform === 'win32')('the limits of the process', () => {
  test('end in an error that names the file for too few open files', async () => {
    const env = surroundings();
    const line = ['schools', 'list', '--offline'];
    expect((await edu(line, { env })).code).toBe(0);
    // The required number differs between versions of Node.
    const failed = [22, 24, 26, 28]
      .map((limit) => bash(`ulimit -n ${limit} && exec "$@"`, line, env))
      .filter(({ code }) => code !== 0);
    expect(failed).not.toEqual([]);
    for (const { stderr } of failed) expect(stderr).toMatch(/^Error: .*(open files|open database file|are open)/);
  });

  test.each(['export schools --offline --to x', 'config path'])('include %s in a folder that was removed', (line) => {
    const env = { ...surroundings(), ...(line.startsWith('config') ? { EDU_CONFIG_DIR: 'relative' } : {}) };
    const { code, stderr } = bash('cd "$(mktemp -d)" && rmdir "$PWD" && "$@"', line.split(' '), env);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^Error: Cannot find the current folder: it no longer exists\.\nHint: .*cd/);
  });
});

describe.skipIf(process.platform === 'win32')('--from', () => {
  test.each([
    ['/dev/zero', 'is neither a file nor a pipe'],
    ['/', 'is a folder'],
  ])('%s is refused', async (path, why) => {
    const { code, stderr } = await edu([...CREATE, '--from', path, '--yes']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(why) });
  });

  test.each(['-', '/dev/stdin'])('%s reads from a pipe', async (path) => {
    const env = surroundings();
    const { code, stdout, stderr } = await edu([...CREATE, '--from', path, '--yes', '--quiet'], { env, input: ROW });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^\S+\n$/);
  });

  test('reads the output of a command that a shell substitutes', async () => {
    const line = `"$@" --from <(printf '${ROW.replaceAll('\n', '\\n')}') --yes --quiet`;
    const child = spawn('bash', ['-c', line, 'bash', process.execPath, EDU, ...CREATE], { env: surroundings() });
    let stdout = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
    expect(stdout).toMatch(/^\S+\n$/);
  });

  test('reads a named pipe whose writer opens it later', async () => {
    const path = join(temporaryFolder(), 'pipe');
    replace(path, 'a pipe');
    const { done } = start([...CREATE, '--from', path, '--yes', '--quiet']);
    createWriteStream(path).end(ROW);
    expect((await done).code).toBe(0);
  });

  test('--results to a pipe is an error at once without a reader, and written with one', async () => {
    const path = join(temporaryFolder(), 'pipe');
    replace(path, 'a pipe');
    const env = surroundings();
    const line = [...CREATE, '--from', '-', '--yes', '--results', path];
    const { code, stderr } = await edu(line, { env, input: ROW });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('no program reads from the pipe') });
    const reader = spawn('cat', [path]);
    let read = '';
    reader.stdout.on('data', (chunk) => (read += chunk));
    const closed = new Promise((resolve) => reader.on('close', resolve));
    // The reader may open the pipe later than the job ends.
    await expect.poll(async () => (await edu(line, { env, input: ROW })).code, { timeout: 10_000 }).toBe(0);
    await closed;
    expect(read).toContain('Autumn');
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('ends by %s while the pipe is idle', async (signal) => {
    const path = join(temporaryFolder(), 'pipe');
    replace(path, 'a pipe');
    const env = surroundings();
    const { child, done } = start([...CREATE, '--from', path, '--yes'], { env });
    // The draft's folder is created before the pipe is opened.
    const folders = () => readdirSync(env.EDU_STATE_DIR ?? '', { recursive: true }).length;
    await expect.poll(folders, { timeout: 10_000 }).toBeGreaterThan(1);
    child.kill(signal);
    const ended: Exit = await done;
    expect(ended.signal ?? ended.code).toBe(ended.signal === null ? { SIGTERM: 143, SIGINT: 130 }[signal] : signal);
  });
});

describe.skipIf(process.platform === 'win32')('edu api', () => {
  test.each([
    ['-F', 'name=@-'],
    ['--input', '-'],
  ])('%s %s ends by SIGTERM while nothing comes through stdin', async (...words) => {
    const argv = [EDU, 'api', '/v1/schools', '--offline', ...words];
    const child = spawn(process.execPath, argv, { env: surroundings() });
    const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(signal ?? code)));
    // It is not visible from outside that it reads, so the signal is repeated until it works.
    const again = setInterval(() => child.kill('SIGTERM'), 500);
    expect([143, 'SIGTERM']).toContain(await ended);
    clearInterval(again);
  });
});

describe.skipIf(process.platform === 'win32')('a downloaded file', () => {
  const BYTES = 'bytes '.repeat(20_000);

  async function uploaded(env: Record<string, string>): Promise<string> {
    const file = join(temporaryFolder(), 'a.pdf');
    writeFileSync(file, BYTES);
    return (await edu(['--offline', 'files', 'upload', file, '-o', 'ids'], { env })).stdout.trim();
  }

  test('goes to stdout, under all its names, without a report beside it', async () => {
    const env = surroundings();
    const folder = temporaryFolder();
    const id = await uploaded(env);
    const line = (to: string) => `${process.execPath} ${EDU} --offline files download ${id} --to ${to}`;
    const plain = spawnSync(
      'sh',
      ['-c', `${line('-')} > a; ${line('/dev/stdout')} > b; echo x > c; ${line('/dev/fd/1')} >> c`],
      {
        env,
        cwd: folder,
      },
    );
    expect([plain.status, String(plain.stderr)]).toEqual([0, '']);
    const [a, b, c] = ['a', 'b', 'c'].map((name) => readFileSync(join(folder, name), 'latin1'));
    expect([a, b, c]).toEqual([BYTES, BYTES, `x\n${BYTES}`]);
    const piped = spawnSync('sh', ['-c', `${line('/dev/stdout')} | cat`], { env });
    expect(piped.stdout.toString('latin1')).toBe(BYTES);
  });

  test('goes to a pipe without --force', async () => {
    const env = surroundings();
    const id = await uploaded(env);
    const pipe = join(temporaryFolder(), 'pipe');
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    const reader = spawn('cat', [pipe]);
    let size = 0;
    reader.stdout.on('data', (chunk: Buffer) => (size += chunk.length));
    const closed = new Promise((resolve) => reader.on('close', resolve));
    await expect
      .poll(async () => (await edu(['--offline', 'files', 'download', id, '--to', pipe], { env })).code, {
        timeout: 15_000,
      })
      .toBe(0);
    await closed;
    expect(size).toBe(BYTES.length);
  });
});
