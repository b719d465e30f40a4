/**
 * Command lines of every kind, one after the other and 16 at a time, with one home, some of them killed at random: each
 * ends with an expected exit code, and afterwards no temporary file, lock or process is left.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../src/service/seeds/random.js';
import { temporaryFolder } from '../support/run.js';
import { type Exit, start } from '../support/spawned.js';
import { everythingIn, processesWith, RUNS } from './measures.js';

const SEED = Number(process.env.EDU_LOAD_SEED || 20260101);

interface Line {
  readonly argv: readonly string[];
  /** Expected exit codes (default: 0). */
  readonly codes?: readonly number[];
  readonly input?: string;
  /** Without the token of the environment. */
  readonly alone?: true;
}

const TEACHER = ['--type', 'Teacher', '--maximum-activations', '1'];
const TOKEN = 'edu-offline-distributor';

/**
 * The command lines to run in turn.
 * @param number distinguishes names that must differ
 */
const lines = (number: number, home: string): readonly Line[] => [
  { argv: ['--version'] },
  { argv: ['--offline', 'licenses', 'list', '-o', 'ids'] },
  { argv: ['licenses', 'list', '--json'] },
  { argv: ['--offline', 'licenses', 'create', '--name', `Run ${number}`, ...TEACHER] },
  { argv: ['licenses', 'create', '--count', '20', '--name', `Run ${number}`, ...TEACHER] },
  { argv: ['help', 'bulk'] },
  { argv: ['licenses', 'get', 'nothing-of-this-id'], codes: [5] },
  { argv: ['licenses', 'list', '--no-such-flag'], codes: [2] },
  { argv: ['--offline', 'files', 'upload', join(home, 'upload.png')] },
  // Only one of several that run at once gets the folder, and the job.
  { argv: ['export', 'books', 'users', '--to', join(home, 'out', `export${number % 3}`)], codes: [0, 2] },
  {
    argv: ['licenses', 'create', '--from', join(home, 'rows.csv'), '--results', join(home, 'out', 'results.csv')],
    codes: [0, 2],
  },
  { argv: ['--offline', 'licenses', 'create', '--count', '5', '--name', `Run ${number}`, ...TEACHER] },
  { argv: ['config', 'set', 'timeout', `${30 + number}s`] },
  { argv: ['auth', 'login', '--with-token'], input: TOKEN, alone: true },
  { argv: ['auth', 'status'] },
  { argv: ['completion', 'bash'] },
  { argv: ['__complete', 'licenses', 'list', '--'] },
  { argv: ['--offline', 'users', 'list', '--sort', 'lastName', '-o', 'csv'] },
  { argv: ['files', 'download', 'sample-pdf', '--to', join(home, 'out', 'book.pdf'), '--force'], codes: [0, 5] },
  { argv: ['jobs', 'list', '--json'] },
  { argv: ['--offline', 'classes', 'list', '--school', 's1', '--as', 'viewer'] },
  { argv: ['offline', 'info', '--json'] },
  { argv: ['licenses', 'create', '--from', '-'], input: 'name,type\nA,Nonsense\n', codes: [2] },
];

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGKILL'] as const;
type Signal = (typeof SIGNALS)[number];
/** Exit codes of a command that a signal ended, besides those of an uninterrupted one. */
const ENDS: Readonly<Record<Signal, readonly (number | null)[]>> = {
  SIGTERM: [143, null],
  SIGINT: [130, null],
  SIGKILL: [null],
};
/**
 * This percentage of runs is killed, at the latest after this time in milliseconds; mostly early, since many take no
 * longer than 100.
 */
const KILLED = 25;
const WITHIN = 500;

interface Home {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
}

function runLine({ argv, input = '', alone }: Line, { env }: Home, kill?: readonly [Signal, number]): Promise<Exit> {
  const { EDU_TOKEN, ...others } = env;
  const { child, done } = start(argv, { env: alone ? others : env, input });
  const timer = kill && setTimeout(() => child.kill(kill[0]), kill[1]);
  return done.finally(() => clearTimeout(timer));
}

/** A home, and a service on the network with folders elsewhere. */
async function newHome(): Promise<Home> {
  const folder = temporaryFolder();
  const path = join(folder, 'home');
  for (const name of ['out', 'tmp', 'user']) mkdirSync(join(path, name), { recursive: true });
  mkdirSync(join(folder, 'service-tmp'));
  writeFileSync(
    join(path, 'upload.png'),
    Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(2e6)]),
  );
  const rows = Array.from({ length: 50 }, (_, index) => `Row ${index},Teacher,1`);
  writeFileSync(join(path, 'rows.csv'), `name,type,maximum-activations\n${rows.join('\n')}\n`);
  const PATH = process.env.PATH ?? '';
  const service = start(['offline', 'serve', '--memory', '--port', '0', '--json'], {
    env: { PATH, TMPDIR: join(folder, 'service-tmp'), EDU_CONFIG_DIR: join(folder, 'service') },
  });
  let ready = '';
  service.child.stdout.on('data', (chunk) => (ready += chunk));
  await expect.poll(() => ready, { timeout: 60_000 }).toContain('\n');
  const env = {
    PATH,
    HOME: join(path, 'user'),
    TMPDIR: join(path, 'tmp'),
    EDU_CONFIG_DIR: join(path, 'config'),
    EDU_STATE_DIR: join(path, 'state'),
    EDU_BASE_URL: (JSON.parse(ready) as { baseUrl: string }).baseUrl,
    EDU_TOKEN: TOKEN,
  };
  return { path, env };
}

/**
 * Runs a number of lines, some at a time.
 * @returns unexpected ends, and how many were killed
 */
async function runMany(home: Home, atATime: number) {
  const random = seededRandom(SEED);
  const wrong: string[] = [];
  let killed = 0;
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let number = next++; number < RUNS; number = next++) {
      const all = lines(number, home.path);
      const line = all[number % all.length];
      const signal = random.pick(SIGNALS);
      if (line === undefined) throw new Error('there is no such line');
      const kill = random.percent(KILLED) ? ([signal, (random.below(100) / 100) ** 2 * WITHIN] as const) : undefined;
      const { code, stderr } = await runLine(line, home, kill);
      if (code === null || code > 100) killed++;
      const { codes = [0] } = line;
      const may = [...codes, ...(kill === undefined ? [] : ENDS[signal])];
      const isOurs = /This is a bug|^\s+at /m.test(stderr);
      if (!may.includes(code) || isOurs) wrong.push(`${line.argv.join(' ')} (${kill}): ${code} ${stderr}`);
    }
  };
  await Promise.all(Array.from({ length: atATime }, worker));
  return { wrong, killed };
}

/**
 * The next command of the same kind removes the leftovers of killed processes: this runs every kind once, and resumes
 * killed jobs.
 */
async function settle(home: Home): Promise<void> {
  const twice = Array.from({ length: 2 }, (_, round) => lines(RUNS + round, home.path)).flat();
  const exports = [0, 1, 2].map((number) => lines(number, home.path)[9]).filter((line) => line !== undefined);
  for (const line of [...twice, ...exports]) {
    const { code, stderr } = await runLine(line, home);
    // Alone, so that no lock is held by another.
    const codes = line.codes?.includes(0) ? line.codes.filter((one) => one !== 2) : (line.codes ?? [0]);
    expect(codes, `${line.argv.join(' ')}: ${stderr}`).toContain(code);
  }
  const listed = await runLine({ argv: ['jobs', 'list', '--json'] }, home);
  for (const { id, left, baseUrl } of JSON.parse(listed.stdout) as { id: string; left: number; baseUrl?: string }[]) {
    if (left === 0 && !existsSync(join(home.path, 'state', 'jobs', id, 'lock'))) continue;
    const isOffline = JSON.stringify({ baseUrl }).includes('offline.invalid');
    const argv = [...(isOffline ? ['--offline'] : []), 'jobs', 'resume', id];
    const { code, stderr } = await runLine({ argv }, home);
    expect(code, `${argv.join(' ')}: ${stderr}`).toBe(0);
  }
}

async function filesIn(home: Home): Promise<number> {
  const { stdout } = await runLine({ argv: ['offline', 'info', '--json'] }, home);
  return (JSON.parse(stdout) as { files: number }).files;
}

describe.each([
  ['one after the other', 1],
  ['16 at a time', 16],
])(`${RUNS} command lines, %s, ${KILLED} %% killed (seed ${SEED})`, (name, atATime) => {
  test('end with an expected exit code, and leave nothing', async () => {
    const home = await newHome();
    const { wrong, killed } = await runMany(home, atATime);
    expect(wrong).toEqual([]);
    expect(processesWith(home.path)).toEqual([]);
    const [jobs, state] = [join(home.path, 'state', 'jobs'), join(home.path, 'state', 'offline')];
    await settle(home);

    expect(everythingIn(join(home.path, 'tmp'))).toEqual([]);
    expect(everythingIn(join(home.path, 'user'))).toEqual([]);
    expect(everythingIn(join(home.path, 'config'))).toEqual([
      'private/code-secret',
      'private/credentials.json',
      'settings.json',
    ]);
    const stored = everythingIn(state);
    expect(stored.filter((one) => !/^files\/[\w-]+$/.test(one))).toEqual(['service.db']);
    // Every upload is complete, and there are no other blobs: the sample data shares two files.
    const fresh = { ...home, env: { ...home.env, EDU_STATE_DIR: join(home.path, '..', 'fresh') } };
    await runLine({ argv: ['--offline', 'whoami'] }, fresh);
    const uploads = stored.filter((one) => /^files\/(?!sample-)/.test(one)).length;
    expect(uploads).toBe((await filesIn(home)) - (await filesIn(fresh)));
    expect(readdirSync(join(home.path, 'state')).sort()).toEqual([
      'jobs',
      'license-categories.json',
      'offline',
      'organizations.json',
    ]);
    const inJobs = everythingIn(jobs).map((one) => one.replace(/^[0-9a-f]+\//, ''));
    expect([...new Set(inJobs)].sort()).toEqual([
      'input',
      'journal.ndjson',
      'manifest.json',
      'references.ndjson',
      'rows.bin',
    ]);
    const written = everythingIn(join(home.path, 'out')).filter(
      (one) => !/^export\d\/(books|users|manifest|run)\./.test(one),
    );
    expect(written).toEqual(['results.csv']);
    expect(processesWith(home.path)).toEqual([]);

    process.stdout.write(`${RUNS} command lines, ${name}: ${killed} killed, nothing left\n`);
  });
});
