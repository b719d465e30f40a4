/**
 * The files, bytes and packages that a command loads: unlike times, they are the same in every run. The limits are
 * slightly above the present values; raising one slows down every start and needs a reason.
 */
import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/run.js';
import { type Answers, scriptedService } from '../support/scripted-service.js';
import { EDU, edu, surroundings } from '../support/spawned.js';

const HOOK = fileURLToPath(new URL('../support/loaded.cjs', import.meta.url));
const SERVICE_SOURCE = /^src\/service\//;

interface Load {
  /** Names without the hash of the build. */
  readonly files: readonly string[];
  /** Of JavaScript. */
  readonly bytes: number;
  /** npm packages with code in these files. */
  readonly packages: readonly string[];
  readonly holdsService: boolean;
  /** Node's own modules, except those that it loads at every start. */
  readonly natives: readonly string[];
}

/** The sources of a bundled file, by its source map. */
function sourcesOf(file: string): readonly string[] {
  try {
    const { sources } = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { sources: string[] };
    return sources.map((source) => source.replace(/^.*?(src|node_modules)\//, '$1/'));
  } catch {
    return [];
  }
}

const packageOf = (path: string): string | undefined => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];

async function load(argv: readonly string[], env: Readonly<Record<string, string>> = surroundings()): Promise<Load> {
  const report = join(temporaryFolder(), 'loaded.json');
  const ran = await edu(argv, { env: { ...env, LOADED: report }, node: ['--require', HOOK] });
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  const { files, natives } = JSON.parse(readFileSync(report, 'utf8')) as { files: string[]; natives: string[] };
  const scripts = files.filter((file) => /\.c?js$/.test(file));
  const sources = files.flatMap(sourcesOf);
  const packages = [...sources, ...files].flatMap((path) => packageOf(path) ?? []);
  return {
    files: scripts.map((file) => basename(file).replace(/-[\w-]{8}\.cjs$/, '.cjs')),
    bytes: scripts.reduce((sum, file) => sum + statSync(file).size, 0),
    packages: [...new Set(packages)].sort(),
    holdsService: sources.some((source) => SERVICE_SOURCE.test(source)),
    natives,
  };
}

const LICENCE = { id: '1', name: 'A', code: 'a', type: 'Books', books: [], endUsers: [] };
const ANSWERS: Answers = {
  'GET /v1/licenses': { body: { licenses: [LICENCE], paging: null } },
  'GET /v1/licenses/1': { body: LICENCE },
  'POST /v1/licenses': { body: { ...LICENCE, code: undefined } },
};

describe('version and help', () => {
  test.each([['--version'], ['--help'], ['licenses', '--help'], ['licenses', 'create', '--help'], ['help', 'bulk']])(
    'edu %s %s %s',
    async (...argv) => {
      const loaded = await load(argv.filter((word): word is string => typeof word === 'string'));
      expect(loaded).toMatchObject({
        // The last two lay out the page.
        files: [
          basename(EDU),
          'edu.cjs',
          ...(argv[0] === '--version' ? [] : ['help-layout.cjs', 'rolldown-runtime.cjs']),
        ],
        packages: [],
        holdsService: false,
        natives: [],
      });
      expect(loaded.bytes).toBeLessThan(7_000);
    },
  );
});

describe('a list over the network', () => {
  const LIST = ['licenses', 'list', '--limit', '1'];

  test.each(['tsv', 'json', 'ids'])('as %s', async (format) => {
    const service = await scriptedService(ANSWERS);
    const loaded = await load([...LIST, '-o', format], surroundings(service.env));
    expect(loaded.packages).toEqual(['commander', 'undici']);
    expect(loaded.holdsService).toBe(false);
    expect(loaded.files).toHaveLength(8);
    expect(loaded.bytes).toBeLessThan(399_500);
    // net with its dependencies; v8 on Node 20 only.
    expect(loaded.natives).not.toContain('http');
    for (const heavy of [
      'https',
      'http2',
      'tls',
      'crypto',
      'zlib',
      'child_process',
      'tty',
      'readline',
      'worker_threads',
    ]) {
      expect(loaded.natives).not.toContain(heavy);
    }
  });

  test('as a table', async () => {
    const service = await scriptedService(ANSWERS);
    const loaded = await load([...LIST, '-o', 'table'], surroundings(service.env));
    expect(loaded.packages).toContain('cli-table3');
    expect(loaded.packages).not.toContain('ora');
    expect(loaded.files).toHaveLength(9);
    expect(loaded.bytes).toBeLessThan(429_500);
  });

  test('as a workbook', async () => {
    const service = await scriptedService(ANSWERS);
    const loaded = await load([...LIST, '-o', 'xlsx'], surroundings(service.env));
    expect(loaded.packages).toEqual(['commander', 'fflate', 'undici']);
    expect(loaded.bytes).toBeLessThan(419_000);
    expect(loaded.natives).not.toContain('zlib');
  });

  test('sends one request for the list and no other', async () => {
    const service = await scriptedService(ANSWERS);
    await load([...LIST, '--type', 'BOOKS'], surroundings(service.env));
    expect(service.sent.map(({ line }) => line)).toEqual(['GET /v1/licenses']);
  });
});

test('a create over the network', async () => {
  const service = await scriptedService(ANSWERS);
  const create = ['licenses', 'create', '--name', 'A', '--type', 'Teacher', '--maximum-activations', '1'];
  const loaded = await load(create, surroundings(service.env));
  expect(loaded.packages).toEqual(['commander', 'undici']);
  expect(loaded.holdsService).toBe(false);
  expect(loaded.files.length).toBeLessThanOrEqual(10);
  expect(loaded.bytes).toBeLessThan(434_000);
});

test('a list with --offline', async () => {
  const env = surroundings();
  await edu(['--offline', 'whoami'], { env });
  const loaded = await load(['--offline', 'licenses', 'list', '--limit', '1'], env);
  expect(loaded.holdsService).toBe(true);
  for (const unused of ['undici', 'conf', 'ora', 'open', '@fastify/busboy', 'cli-table3']) {
    expect(loaded.packages).not.toContain(unused);
  }
  expect(loaded.files.length).toBeLessThanOrEqual(10);
  expect(loaded.bytes).toBeLessThan(398_000);
  for (const heavy of ['net', 'http', 'tls', 'child_process', 'zlib']) {
    expect(loaded.natives).not.toContain(heavy);
  }
});

describe('commands that need no service', () => {
  test.each([
    ['config list', ['config', 'list'], 194_500],
    ['auth status', ['auth', 'status', '--offline-check'], 196_500],
    ['a Tab', ['__complete', 'licenses', 'list', '--'], 312_500],
  ])('%s', async (_, argv, bytes) => {
    const loaded = await load(argv, surroundings({ EDU_BASE_URL: 'http://127.0.0.1:1', EDU_TOKEN: 'x' }));
    expect(loaded.packages).toEqual(['commander']);
    expect(loaded.holdsService).toBe(false);
    expect(loaded.bytes).toBeLessThan(bytes);
    for (const heavy of ['net', 'stream', 'crypto', 'child_process']) expect(loaded.natives).not.toContain(heavy);
  });
});
