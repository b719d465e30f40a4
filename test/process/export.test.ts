/** Exports as processes: killed, refused, on a full disk. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type WorldService, worldService } from '../export/world.js';
import { home, temporaryFolder } from '../support/run.js';
import { edu } from '../support/spawned.js';
import { withResolvers } from '../support/with-resolvers.js';

const bin = resolve('bin/edu.js');

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

function start(argv: readonly string[], env: Readonly<Record<string, string>>, shell?: string) {
  const options = { env: { PATH: process.env.PATH, ...env } };
  const words = [process.execPath, bin, ...argv];
  const child: ChildProcess =
    shell === undefined
      ? spawn(process.execPath, [bin, ...argv], options)
      : spawn('bash', ['-c', `${shell}; exec "$@"`, 'bash', ...words], options);
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdout?.resume();
  const ended = new Promise<Ended>((done) => child.on('close', (code, signal) => done({ code, signal, stderr })));
  return { child, ended };
}

/** Holds the answer to a page of licences until `goOn`. */
function holdLicences(service: WorldService, at: number) {
  const [{ promise: reached, resolve: reach }, { promise: released, resolve: goOn }] = [
    withResolvers(),
    withResolvers(),
  ];
  service.onPage = async ({ list, page }) => {
    if (list !== '/v1/licenses?type=BOOKS' || page !== at) return undefined;
    reach();
    await released;
    return undefined;
  };
  return { reached, goOn };
}

it('reads 64 lists at a time without a warning of Node', async () => {
  const service = await worldService();
  const to = join(temporaryFolder(), 'to');
  const { ended } = start(['export', '--to', to, '--concurrency', '64'], { ...service.env, ...home() });
  const { code, stderr } = await ended;
  expect(code).toBe(0);
  expect(stderr).not.toContain('Warning');
});

/** An export of which a page of licences waits. */
async function heldUp(...resources: readonly string[]) {
  const service = await worldService();
  const env = { ...service.env, ...home() };
  const to = join(temporaryFolder(), 'to');
  const { reached, goOn } = holdLicences(service, 4);
  const rerun = () => start(['export', ...resources, '--to', to], env);
  const running = rerun();
  await reached;
  return { service, to, rerun, goOn, ...running };
}

describe('an export that is killed', () => {
  it('leaves nothing unfinished under a final name, and is continued by the next run', async () => {
    const { service, to, rerun, goOn, child, ended } = await heldUp('licenses', 'books', 'subjects');
    const done = (): boolean => {
      const journal = join(to, '.edu-export', 'journal.ndjson');
      const text = existsSync(journal) ? readFileSync(journal, 'utf8') : '';
      // A file is noted before it has its final name.
      return ['books', 'subjects'].every(
        (name) => text.includes(`{"resource":"${name}","facts"`) && existsSync(join(to, `${name}.ndjson`)),
      );
    };
    while (!done()) await new Promise((later) => setTimeout(later, 10));
    child.kill('SIGKILL');
    expect((await ended).signal).toBe('SIGKILL');
    goOn();
    expect(existsSync(join(to, 'licenses.ndjson'))).toBe(false);
    expect(existsSync(join(to, 'manifest.json'))).toBe(false);
    expect(readFileSync(join(to, 'books.ndjson'), 'utf8').trimEnd().split('\n')).toHaveLength(8);

    service.onPage = () => undefined;
    service.asked.length = 0;
    const again = await rerun().ended;
    expect(again.code).toBe(0);
    expect(again.stderr).toMatch(
      /^Kept from an earlier run: subjects \(\S+\), books \(\S+\)\. --fresh reads everything again\.\n$/,
    );
    expect(service.asked.filter((list) => list.startsWith('/v1/books'))).toEqual([]);
    expect(readFileSync(join(to, 'licenses.ndjson'), 'utf8').trimEnd().split('\n')).toHaveLength(250);
    const data = ['books', 'licenses', 'subjects'].flatMap((name) => [`${name}.ndjson`, `${name}.schema.json`]);
    expect(readdirSync(to).sort()).toEqual([...data, 'manifest.json', 'run.json'].sort());
  });

  it('ends with 130 on Ctrl-C, releases its folder and keeps complete files', async () => {
    const { to, goOn, child, ended } = await heldUp('licenses');
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    goOn();
    expect(existsSync(join(to, 'licenses.ndjson'))).toBe(false);
    expect(existsSync(join(to, '.edu-export', 'lock'))).toBe(false);
  });
});

/** An export with enough books for a test to interrupt its reading. */
async function largeExport(env: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(temporaryFolder(), 'large');
  expect((await start(['export', '--offline', '--to', folder], env).ended).code).toBe(0);
  const [data, manifestFile] = [join(folder, 'books.ndjson'), join(folder, 'manifest.json')];
  const [line = ''] = readFileSync(data, 'utf8').split('\n');
  const book = JSON.parse(line) as Readonly<Record<string, unknown>>;
  const ids = Array.from({ length: 40_000 }, (_, index) => `b${String(index).padStart(6, '0')}`);
  const text = ids.map((id) => `${JSON.stringify({ ...book, id })}\n`).join('');
  writeFileSync(data, text);
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as { resources: { books: object } };
  const sha256 = createHash('sha256').update(text).digest('hex');
  Object.assign(manifest.resources.books, { count: ids.length, bytes: text.length, sha256 });
  writeFileSync(manifestFile, JSON.stringify(manifest));
  return folder;
}

describe.each([
  ['SIGINT', { code: 130 }],
  ['SIGHUP', { signal: 'SIGHUP' }],
] as const)('%s', (signal, end) => {
  it('ends --verify, and leaves nothing', async () => {
    const env = home();
    const folder = join(temporaryFolder(), 'to');
    expect((await start(['export', 'books', '--offline', '--to', folder], env).ended).code).toBe(0);
    // Sparse, and longer than a test can read; no more is read than the manifest names.
    const [bytes, manifestFile] = [50_000_000_000, join(folder, 'manifest.json')];
    truncateSync(join(folder, 'books.ndjson'), bytes);
    const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as { resources: { books: object } };
    Object.assign(manifest.resources.books, { bytes });
    writeFileSync(manifestFile, JSON.stringify(manifest));
    const { child, ended } = start(['export', '--verify', folder], env);
    await new Promise((later) => setTimeout(later, 1_000));
    child.kill(signal);
    expect(await ended).toMatchObject(end);
  });

  it('ends an import, and leaves the data unchanged', async () => {
    const env = { ...home(), TMPDIR: temporaryFolder() };
    const folder = await largeExport(env);
    const { child, ended } = start(['offline', 'import', folder], env);
    while (readdirSync(env.TMPDIR).length === 0) await new Promise(setImmediate);
    child.kill(signal);
    expect(await ended).toMatchObject(end);
    expect(readdirSync(env.TMPDIR)).toEqual([]);
    const { stdout } = await edu(['offline', 'info', '--json'], { env });
    expect(JSON.parse(stdout)).toMatchObject({ seed: 'demo' });
  });

  it('ends a comparison, and leaves no temporary files', async () => {
    const env = { ...home(), TMPDIR: temporaryFolder() };
    const folder = await largeExport(env);
    const { child, ended } = start(['diff', folder, folder, '--key', 'natural'], env);
    while (readdirSync(env.TMPDIR).length === 0) await new Promise(setImmediate);
    child.kill(signal);
    expect(await ended).toMatchObject(end);
    expect(readdirSync(env.TMPDIR)).toEqual([]);
  });
});

describe('two exports into one folder', () => {
  it('are refused: the second names the process of the first', async () => {
    const service = await worldService();
    const env = { ...service.env, ...home() };
    const to = join(temporaryFolder(), 'to');
    const { reached, goOn } = holdLicences(service, 1);
    const first = start(['export', 'licenses', '--to', to], env);
    await reached;
    const second = await start(['export', 'licenses', '--to', to], env).ended;
    expect(second.code).toBe(2);
    expect(second.stderr).toContain(`process ${first.child.pid}`);
    goOn();
    expect((await first.ended).code).toBe(0);
    expect(readdirSync(to).sort()).toEqual(['licenses.ndjson', 'licenses.schema.json', 'manifest.json', 'run.json']);
  });
});

describe('a full disk', () => {
  it.each(['ndjson', 'json'])('is reported, and leaves no incomplete file (%s)', async (format) => {
    const service = await worldService(1000, 100);
    const env = { ...service.env, ...home() };
    const to = join(temporaryFolder(), 'to');
    service.onPage = async ({ list, page }) => {
      const isLate = list.startsWith('/v1/licenses') && page > 1;
      while (isLate && !existsSync(join(to, `books.${format}`))) await new Promise((later) => setTimeout(later, 10));
      return undefined;
    };
    // No file may grow beyond 128 kB; the licences take more, the books do not.
    const line = ['export', 'books', 'licenses', '--to', to, '--format', format];
    const full = await start(line, env, 'ulimit -f 128').ended;
    // As on a full disk: part of it exists, and the next run resumes.
    expect(full.code).toBe(3);
    expect(full.stderr).toContain('The export is not complete: it would exceed the maximum file size (EFBIG)');
    expect(readdirSync(to).filter((name) => name.startsWith('licenses'))).toEqual([]);
    expect(existsSync(join(to, 'manifest.json'))).toBe(false);
    const again = await start(line, env).ended;
    expect(again.code).toBe(0);
  });
});
