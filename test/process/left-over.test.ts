/** Leftovers of killed processes: the next process removes them, and touches no files of running ones. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isAbandoned, processTag, removeAbandoned } from '../../src/core/fs/temporary.js';
import { ownerOf } from '../support/lock.js';
import { run, temporaryFolder } from '../support/run.js';
import { edu, start, surroundings } from '../support/spawned.js';

/** The tag of a process that has exited. */
function deadMark(): string {
  const { pid } = spawnSync(process.execPath, ['--version']);
  const [, , where] = processTag().split('-');
  return `${pid}-1-${where}`;
}

describe('names of temporary files', () => {
  test('distinguish exited processes from running ones, and from other machines', () => {
    const dead = deadMark();
    expect(isAbandoned(`edu-files-${dead}.abcdef`)).toBe(true);
    expect(isAbandoned(`rows.csv.${dead}.1a2b.part`)).toBe(true);
    expect(isAbandoned(`edu-files-${processTag()}.abcdef`)).toBe(false);
    const [pid, , where] = processTag().split('-');
    // The same process ID, reused by a later process.
    expect(isAbandoned(`x.${pid}-1-${where}`)).toBe(process.platform === 'linux');
    expect(isAbandoned(`x.${dead.replace(/\w{8}$/, '00000000')}`)).toBe(false);
    for (const name of ['', 'x', '0-1-00000000', `1${dead}0`, `-${dead}-`, `x${dead}`]) {
      expect(isAbandoned(name), name).toBe(false);
    }
  });

  test('allow the removal of exactly the matching ones that are left over', () => {
    const [folder, dead] = [temporaryFolder(), deadMark()];
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'kept'), '');
    for (const name of [`a.${dead}.part`, `b.${dead}.part`, `a.${processTag()}.part`, 'a.part']) {
      writeFileSync(join(folder, name), '');
    }
    mkdirSync(join(folder, `a.${dead}.1.part`));
    writeFileSync(join(folder, `a.${dead}.1.part`, 'x'), '');
    symlinkSync(outside, join(folder, `a.${dead}.2.part`));
    removeAbandoned(folder, (name) => name.startsWith('a.'));
    expect(readdirSync(folder).sort()).toEqual([`a.${processTag()}.part`, 'a.part', `b.${dead}.part`].sort());
    expect(readdirSync(outside)).toEqual(['kept']);
    removeAbandoned(join(folder, 'nowhere'), () => true);
  });
});

async function ready(child: ReturnType<typeof start>): Promise<{ readonly baseUrl: string }> {
  let line = '';
  child.child.stdout.on('data', (chunk) => (line += chunk));
  await expect.poll(() => line, { timeout: 20_000 }).toContain('\n');
  return JSON.parse(line) as { readonly baseUrl: string };
}

const SERVE = ['offline', 'serve', '--port', '0', '--json'];

test('removes the files of a service in memory that was killed', async () => {
  const env = surroundings({ TMPDIR: temporaryFolder() });
  const folders = (): string[] => readdirSync(env.TMPDIR ?? '').filter((name) => name.startsWith('edu-files-'));
  const living = start([...SERVE, '--memory'], { env });
  await ready(living);
  const [kept = ''] = folders();
  const killed = start([...SERVE, '--memory'], { env });
  await ready(killed);
  expect(folders()).toHaveLength(2);
  killed.child.kill('SIGKILL');
  await killed.done;
  expect(folders()).toHaveLength(2);
  const next = start([...SERVE, '--memory'], { env });
  await ready(next);
  expect(folders()).toHaveLength(2);
  expect(folders()).toContain(kept);
  for (const { child, done } of [next, living]) {
    child.kill('SIGTERM');
    expect(await done).toMatchObject({ code: 0 });
  }
  expect(readdirSync(env.TMPDIR ?? '')).toEqual([]);
});

/** Starts an upload that never ends. */
function beginUpload(baseUrl: string): ClientRequest {
  const headers = {
    authorization: 'Bearer edu-offline-distributor',
    'content-type': 'multipart/form-data; boundary=b',
  };
  const sent = request(`${baseUrl}/v1/files`, { method: 'POST', headers });
  sent.on('error', () => {});
  const type = '--b\r\nContent-Disposition: form-data; name="fileType"\r\n\r\nImage\r\n';
  const file =
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n';
  sent.write(`${type}${file}${'x'.repeat(200_000)}`);
  return sent;
}

test('removes an upload that was under way when its service was killed', async () => {
  const env = surroundings();
  const files = join(env.EDU_STATE_DIR ?? '', 'offline', 'files');
  const parts = (): string[] => readdirSync(files).filter((name) => name.endsWith('.part'));
  const serving = [start(SERVE, { env }), start(SERVE, { env })] as const;
  const uploads = (await Promise.all(serving.map(ready))).map(({ baseUrl }) => beginUpload(baseUrl));
  await expect.poll(() => parts().length, { timeout: 20_000 }).toBe(2);
  serving[0].child.kill('SIGKILL');
  await serving[0].done;
  // A blob of a complete upload without a record.
  writeFileSync(join(files, 'abandoned'), '');
  expect(await edu(['--offline', 'whoami'], { env })).toMatchObject({ code: 0 });
  expect(parts()).toHaveLength(1);
  expect(parts()[0]).toContain(`.${serving[1].child.pid}-`);
  expect(existsSync(join(files, 'abandoned'))).toBe(false);
  expect(existsSync(join(files, 'sample-pdf'))).toBe(true);
  // The other one is interrupted while its service stops.
  serving[1].child.kill('SIGTERM');
  for (const upload of uploads) upload.destroy();
  expect(await serving[1].done).toMatchObject({ code: 0 });
  expect(parts()).toEqual([]);
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  'removes an upload to the service in process that %s interrupted',
  async (signal) => {
    const env = surroundings();
    const state = join(env.EDU_STATE_DIR ?? '', 'offline');
    expect(await edu(['--offline', 'whoami'], { env })).toMatchObject({ code: 0 });
    const before = readdirSync(state, { recursive: true }).sort();
    const large = join(temporaryFolder(), 'large.bin');
    writeFileSync(large, '');
    // Sparse, and longer than a test can copy.
    truncateSync(large, 20_000_000_000);
    const uploading = start(['--offline', 'files', 'upload', large], { env });
    const parts = (): string[] => readdirSync(join(state, 'files')).filter((name) => name.endsWith('.part'));
    await expect.poll(() => parts().length, { timeout: 20_000 }).toBe(1);
    uploading.child.kill(signal);
    expect(await uploading.done).toMatchObject({ code: signal === 'SIGTERM' ? 143 : 130 });
    // Removed at its end, or by the next run on a busy machine.
    expect(await edu(['--offline', 'whoami'], { env })).toMatchObject({ code: 0 });
    expect(readdirSync(state, { recursive: true }).sort()).toEqual(before);
  },
);

test('removes locks that were created but not yet written', async () => {
  const env = surroundings();
  const to = join(temporaryFolder(), 'out');
  mkdirSync(join(to, '.edu-export'), { recursive: true });
  writeFileSync(join(to, '.edu-export', `lock.${deadMark()}.2b.new`), '');
  const dead = { ...ownerOf(0, '2b'), process: deadMark() };
  writeFileSync(join(to, '.edu-export', 'lock.break'), JSON.stringify(dead));
  expect(await edu(['--offline', 'export', 'books', '--to', to], { env })).toMatchObject({ code: 0 });
  expect(readdirSync(to).sort()).toEqual(['books.ndjson', 'books.schema.json', 'manifest.json', 'run.json']);
});

test('removes the draft of a job that was killed while it read its input', async () => {
  const env = surroundings();
  const drafts = (): string[] => {
    const jobs = join(env.EDU_STATE_DIR ?? '', 'jobs');
    return existsSync(jobs) ? readdirSync(jobs).filter((name) => name.startsWith('.draft-')) : [];
  };
  // Its input never ends: an idle pipe.
  const pipe = join(temporaryFolder(), 'rows');
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
  const create = ['--offline', 'licenses', 'create', '--from'];
  const waiting = [start([...create, pipe], { env }), start([...create, pipe], { env })] as const;
  await expect.poll(() => drafts().length, { timeout: 20_000 }).toBe(2);
  waiting[0].child.kill('SIGKILL');
  await waiting[0].done;
  expect(drafts()).toHaveLength(2);
  const rows = { env, input: 'name,type,maximum-activations\nA,Teacher,1\n' };
  expect(await edu([...create, '-'], rows)).toMatchObject({ code: 0 });
  expect(drafts()).toHaveLength(1);
  expect(drafts()[0]).toContain(`-${waiting[1].child.pid}-`);
});

test('removes old drafts of other machines, and none of a running process', async () => {
  const env = surroundings();
  const jobs = join(env.EDU_STATE_DIR ?? '', 'jobs');
  mkdirSync(jobs, { recursive: true });
  const elsewhere = processTag().replace(/\w{8}$/, '00000000');
  const days = (count: number): Date => new Date(Date.now() + count * 86_400_000);
  const drafts = {
    [`.draft-${processTag()}.living`]: days(-3),
    [`.draft-${elsewhere}.fresh`]: days(0),
    [`.draft-${elsewhere}.old`]: days(-2),
  };
  for (const [name, time] of Object.entries(drafts)) {
    mkdirSync(join(jobs, name));
    utimesSync(join(jobs, name), time, time);
  }
  const create = ['--offline', 'licenses', 'create', '--from', '-'];
  const input = 'name,type,maximum-activations\nA,Teacher,1\n';
  // A day and an hour after the files' times.
  const ran = await run(create, { env, input, now: () => Date.now() + 25 * 3_600_000 });
  expect(ran).toMatchObject({ code: 0 });
  const left = readdirSync(jobs).filter((name) => name.startsWith('.draft-'));
  expect(left.sort()).toEqual(Object.keys(drafts).slice(0, 2).sort());
});

test('removes incomplete files beside their targets', async () => {
  const env = surroundings({ EDU_BASE_URL: 'http://127.0.0.1:9' });
  const dead = deadMark();
  const [out, config] = [temporaryFolder(), env.EDU_CONFIG_DIR ?? ''];
  const results = join(out, 'results.csv');
  writeFileSync(join(out, `.edu-${dead}.1.part`), 'half');
  mkdirSync(join(config, 'private'), { recursive: true, mode: 0o700 });
  writeFileSync(join(config, 'settings.json.tmp-0123456789abcdef'), '{');
  writeFileSync(join(config, 'private', `.edu-${dead}.1.part`), '{', { mode: 0o600 });
  const create = ['--offline', 'licenses', 'create', '--count', '1', '--name', 'A', '--type', 'Teacher'];
  const made = await edu([...create, '--maximum-activations', '1', '--results', results], { env });
  expect(made).toMatchObject({ code: 0 });
  expect(readdirSync(out)).toEqual(['results.csv']);
  const serving = start([...SERVE, '--memory'], { env });
  const { baseUrl } = await ready(serving);
  const login = ['--base-url', baseUrl, 'auth', 'login', '--with-token'];
  expect(await edu(login, { env, input: 'edu-offline-distributor' })).toMatchObject({ code: 0 });
  expect(readdirSync(join(config, 'private')).sort()).toEqual(['code-secret', 'credentials.json']);
  expect(readdirSync(config).sort()).toEqual(['private', 'settings.json']);

  const folder = mkdtempSync(join(out, 'downloads-'));
  const uploaded = await edu(['--offline', 'files', 'upload', results, '-o', 'ids'], { env });
  writeFileSync(join(folder, `.edu-${dead}.1.part`), 'half');
  const download = ['--offline', 'files', 'download', uploaded.stdout.trim(), '--to', join(folder, 'x.csv')];
  expect(await edu(download, { env })).toMatchObject({ code: 0 });
  expect(readdirSync(folder)).toEqual(['x.csv']);
});
