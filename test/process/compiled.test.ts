/**
 * Code that was compiled before: by the build for the Node that made it, by the program itself for any other; and not
 * missed where there is none.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isPrivate, ownFolder } from '../../src/app/compiled.js';
import { ownMark } from '../../src/core/fs/temporary.js';
import { temporaryFolder } from '../support/run.js';
import { scriptedService } from '../support/scripted-service.js';
import { DIST, surroundings } from '../support/spawned.js';

const COMPILE = fileURLToPath(new URL('../../scripts/build/compile.cjs', import.meta.url));
const ENGINE = `${process.versions.v8}-${process.arch}`;
const { version: VERSION } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** Runs `edu` from a bundle and says of each chunk whether V8 took compiled code for it. */
const REPORT = `
  const vm = require('node:vm');
  const { basename } = require('node:path');
  const { Script } = vm;
  const taken = {};
  vm.Script = class extends Script {
    constructor(text, options) {
      super(text, options);
      taken[basename(options.filename).replace(/-.{8}\\.cjs$/, '')] = this.cachedDataRejected === false;
    }
  };
  const [, bundle, ...line] = process.argv;
  require(bundle + '/edu.cjs').run(line).then((code) => {
    process.exitCode = code;
    process.stderr.write('\\n' + JSON.stringify(taken));
  });
`;

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly said: string;
  /** By the chunk's name without its hash. */
  readonly taken: Readonly<Record<string, boolean>>;
}

function ran(code: number | null, stdout: string, stderr: string): Ran {
  const lines = stderr.split('\n');
  return { code, stdout, said: lines.slice(0, -1).join('\n'), taken: JSON.parse(lines.at(-1) ?? '') };
}

function run(bundle: string, line: readonly string[], env: Record<string, string> = surroundings()): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', REPORT, bundle, ...line], {
    env,
    encoding: 'utf8',
  });
  return ran(status, stdout, stderr);
}

const runLater = (bundle: string, line: readonly string[], env: Record<string, string>): Promise<Ran> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ['-e', REPORT, bundle, ...line], { env });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.on('close', (code) => resolve(ran(code, stdout, stderr)));
  });

/** A copy of the bundle without compiled code. */
function bareBundle(parent = temporaryFolder()): string {
  const folder = join(parent, 'dist');
  cpSync(DIST, folder, { recursive: true });
  rmSync(join(folder, 'compiled'), { recursive: true, force: true });
  return folder;
}

/** A copy of the bundle, compiled ahead by the Node that runs the tests: dist/ may have been built by another. */
function bundleOfThisNode(parent: string): string {
  const folder = bareBundle(parent);
  const { status, stderr } = spawnSync(process.execPath, [COMPILE, folder], {
    env: { PATH: process.env.PATH },
    encoding: 'utf8',
  });
  expect({ status, said: /Error/.test(stderr) ? stderr : '' }).toEqual({ status: 0, said: '' });
  return folder;
}

const LINE = ['config', 'path'];
const DONE = { code: 0, stdout: expect.stringContaining('settings.json'), said: '' };

describe('by the build', () => {
  // It takes seconds; what damages it does so to a copy.
  let parent: string;
  let made: string;
  beforeAll(() => {
    parent = mkdtempSync(join(tmpdir(), 'edu-test-'));
    made = bundleOfThisNode(parent);
  }, 60_000);
  afterAll(() => rmSync(parent, { recursive: true, force: true }));

  test('V8 takes it, and nothing is kept besides', () => {
    const cache = temporaryFolder();
    const { taken, ...rest } = run(made, LINE, { ...surroundings(), XDG_CACHE_HOME: cache });
    expect(rest).toEqual(DONE);
    expect(taken.run).toBe(true);
    expect(readdirSync(cache)).toEqual([]);
  });

  test('a bundle with that of another version, or with files cut off, does the same', () => {
    const folder = join(temporaryFolder(), 'dist');
    cpSync(made, folder, { recursive: true });
    expect(readdirSync(join(folder, 'compiled'))).toEqual([ENGINE]);
    const files = readdirSync(join(folder, 'compiled', ENGINE)).map((name) => join(folder, 'compiled', ENGINE, name));
    expect(files.length).toBeGreaterThan(10);

    // The version's mark is at the beginning of what V8 wrote.
    for (const file of files) writeFileSync(file, readFileSync(file).fill(0xff, 0, 64));
    expect(run(folder, LINE)).toMatchObject({ ...DONE, taken: { run: false } });

    // Cut off, as by a full disk.
    for (const file of files) truncateSync(file, 500);
    expect(run(folder, LINE)).toMatchObject({ ...DONE, taken: { run: false } });

    rmSync(join(folder, 'compiled'), { recursive: true });
    expect(run(folder, LINE)).toMatchObject(DONE);
  });
});

describe('by the program, for a Node that did not build it', () => {
  /** A bundle, an environment with a cache of its own, and where compiled code is kept in it. */
  function place() {
    const cache = temporaryFolder();
    const { NODE_DISABLE_COMPILE_CACHE: _, ...others } = surroundings();
    const env: Record<string, string> = { ...others, XDG_CACHE_HOME: cache };
    return { bundle: bareBundle(), env, all: join(cache, 'edu', 'compiled'), folder: ownFolder(VERSION, env) ?? '' };
  }

  const chunks = (folder: string): readonly string[] =>
    readdirSync(folder).map((name) => name.replace(/-.{8}\.cjs\.bin$/, ''));

  test('the next run takes what the first has kept, which nobody else can read or write', () => {
    const { bundle, env, folder, all } = place();
    expect(folder).toBe(join(all, `${VERSION}-${ENGINE}`));
    const first = run(bundle, LINE, env);
    expect(first).toMatchObject(DONE);
    expect(Object.values(first.taken)).not.toContain(true);
    const second = run(bundle, LINE, env);
    expect(second).toMatchObject(DONE);
    expect(Object.values(second.taken)).not.toContain(false);
    expect(second.taken.run).toBe(true);
    for (const path of [folder, all]) expect(statSync(path).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  test('also of commands that change what V8 does: over the network, and with all of a list', async () => {
    const { bundle, env, folder } = place();
    const { env: address } = await scriptedService({
      'GET /v1/schools': { body: { schools: [], paging: { nextCursor: null } } },
    });
    const surroundings = { ...env, ...address };
    const line = ['schools', 'list', '--json'];
    expect(await runLater(bundle, line, surroundings)).toMatchObject({ code: 0, stdout: '[]\n' });
    expect(chunks(folder)).toEqual(expect.arrayContaining(['run', 'request', 'network']));
    const { taken, ...rest } = await runLater(bundle, line, surroundings);
    expect(rest).toMatchObject({ code: 0, stdout: '[]\n' });
    expect(taken).toMatchObject({ run: true, request: true, network: true });
    expect(Object.values(taken)).not.toContain(false);
  });

  test('another kind of command adds to it', () => {
    const { bundle, env, folder } = place();
    run(bundle, LINE, env);
    const before = chunks(folder);
    expect(run(bundle, ['profiles', 'list', '--json'], env)).toMatchObject({ code: 0, taken: { run: true } });
    expect(chunks(folder).length).toBeGreaterThan(before.length);
  });

  test('what is damaged is made anew', () => {
    const { bundle, env, folder } = place();
    run(bundle, LINE, env);
    for (const name of readdirSync(folder)) truncateSync(join(folder, name), 300);
    expect(run(bundle, LINE, env)).toMatchObject({ ...DONE, taken: { run: false } });
    expect(run(bundle, LINE, env)).toMatchObject({ ...DONE, taken: { run: true } });
  });

  test('many at once disturb each other in nothing, and leave nothing half-written', async () => {
    const { bundle, env, folder } = place();
    const all = await Promise.all(Array.from({ length: 6 }, () => runLater(bundle, LINE, env)));
    for (const each of all) expect(each).toMatchObject(DONE);
    expect(readdirSync(folder).filter((name) => !name.endsWith('.cjs.bin'))).toEqual([]);
    expect(run(bundle, LINE, env)).toMatchObject({ ...DONE, taken: { run: true } });
  });

  test('what a killed process and versions of long ago have left is removed', () => {
    const { bundle, env, folder, all } = place();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { pid } = spawnSync(process.execPath, ['--version']);
    const [, , where] = ownMark().split('-');
    const half = join(folder, `run-AAAAAAAA.cjs.bin.${pid}-1-${where}`);
    writeFileSync(half, 'half');
    run(bundle, LINE, env);
    expect(existsSync(half)).toBe(false);

    rmSync(folder, { recursive: true });
    const [old, recent] = [join(all, '0.0.1-9.9-x64'), join(all, '0.0.2-9.9-x64')];
    for (const path of [old, recent]) mkdirSync(path);
    const longAgo = Date.now() / 1000 - 61 * 24 * 60 * 60;
    utimesSync(old, longAgo, longAgo);
    run(bundle, LINE, env);
    expect(readdirSync(all).sort()).toEqual(['0.0.2-9.9-x64', `${VERSION}-${ENGINE}`].sort());
  });

  test.skipIf(process.platform === 'win32')(
    'nothing is taken from a folder that others can write, nor put there',
    () => {
      const { bundle, env, folder } = place();
      run(bundle, LINE, env);
      const kept = readdirSync(folder);
      chmodSync(folder, 0o777);
      const { taken, ...rest } = run(bundle, LINE, env);
      expect(rest).toEqual(DONE);
      expect(Object.values(taken)).not.toContain(true);
      expect(readdirSync(folder)).toEqual(kept);
      expect(isPrivate(folder)).toBe(false);
    },
  );

  test('a cache that cannot be made, or is not wanted, is no reason to fail or to say anything', () => {
    const { bundle, env, all } = place();
    expect(run(bundle, LINE, { ...env, NODE_DISABLE_COMPILE_CACHE: '1' })).toMatchObject(DONE);
    expect(run(bundle, [...LINE, '--debug'], env)).toMatchObject({ code: 0 });
    expect(existsSync(all)).toBe(false);
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    expect(run(bundle, LINE, { ...env, XDG_CACHE_HOME: file })).toMatchObject(DONE);
    const { XDG_CACHE_HOME: _, HOME: __, ...homeless } = env;
    expect(run(bundle, LINE, homeless)).toMatchObject(DONE);
    for (const name of readdirSync(join(bundle, 'chunks'))) {
      if (name.startsWith('keep-compiled-')) rmSync(join(bundle, 'chunks', name));
    }
    expect(run(bundle, LINE, env)).toMatchObject(DONE);
  });
});

describe('where it is kept', () => {
  const last = join('compiled', `1.2.3-${ENGINE}`);
  test.each([
    ['XDG_CACHE_HOME', { XDG_CACHE_HOME: '/x', HOME: '/h' }, 'linux', join('/x/edu', last)],
    ['a relative XDG folder is ignored', { XDG_CACHE_HOME: 'x', HOME: '/h' }, 'linux', join('/h/.cache/edu', last)],
    ['home', { HOME: '/h' }, 'linux', join('/h/.cache/edu', last)],
    ['macOS', { HOME: '/h' }, 'darwin', join('/h/Library/Caches/edu', last)],
    ['Windows', { LOCALAPPDATA: '/l', HOME: '/h' }, 'win32', join('/l/edu/Cache', last)],
    ['Windows without it', { HOME: '/h' }, 'win32', undefined],
    ['nowhere', {}, 'linux', undefined],
    ['switched off', { HOME: '/h', NODE_DISABLE_COMPILE_CACHE: '1' }, 'linux', undefined],
  ] as const)('%s', (_, env, platform, folder) => {
    expect(ownFolder('1.2.3', env, platform)).toBe(folder);
  });
});
