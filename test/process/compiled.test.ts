/**
 * Code compiled ahead: by the build for its own Node, by the program for any other Node, and optional in both cases.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { keptFolder } from '../../src/app/compiled.js';
import { explainSkipped, OTHER, testAsRoot } from '../support/other-user.js';
import { sharedFolder, temporaryFolder } from '../support/run.js';
import { scriptedService } from '../support/scripted-service.js';
import { DIST, surroundings } from '../support/spawned.js';

const COMPILE = fileURLToPath(new URL('../../scripts/build/compile.cjs', import.meta.url));
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const ENGINE = `${process.versions.v8}-${process.arch}`;
const { version: VERSION } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** Runs `edu` from a bundle and reports for each chunk whether V8 accepted compiled code. */
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
  /** By the name of the chunk without its hash. */
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

/** A copy of the bundle without compiled code, that of the build and that of other Nodes. */
function bareBundle(parent = temporaryFolder()): string {
  const folder = join(parent, 'dist');
  const compiled = [join(DIST, 'compiled'), join(DIST, 'kept')];
  cpSync(DIST, folder, { recursive: true, filter: (path) => !compiled.includes(path) });
  return folder;
}

/** A copy of the bundle, compiled ahead by the Node that runs the tests: dist/ may have been built by another. */
function bundleOfThisNode(parent: string): string {
  const folder = bareBundle(parent);
  // On Node 20 the bundled service needs libsql there.
  symlinkSync(MODULES, join(parent, 'node_modules'));
  const { status, stderr } = spawnSync(process.execPath, [COMPILE, folder], {
    env: { PATH: process.env.PATH },
    encoding: 'utf8',
  });
  expect({ status, said: /Error/.test(stderr) ? stderr : '' }).toEqual({ status: 0, said: '' });
  return folder;
}

const LINE = ['config', 'path'];
const DONE = { code: 0, stdout: expect.stringContaining('settings.json'), said: '' };

describe('compiled code of the build', () => {
  // It takes seconds; tests that damage it use a copy.
  const parent = sharedFolder();
  let made: string;
  beforeAll(() => {
    made = bundleOfThisNode(parent);
  }, 60_000);

  test('is accepted by V8, so that nothing else is cached', () => {
    const { NODE_DISABLE_COMPILE_CACHE: _, ...env } = surroundings();
    const { taken, ...rest } = run(made, LINE, env);
    expect(rest).toEqual(DONE);
    expect(taken.run).toBe(true);
    expect(existsSync(keptFolder(made))).toBe(false);
  });

  test('makes no difference when it is of another version or truncated', () => {
    const folder = join(temporaryFolder(), 'dist');
    cpSync(made, folder, { recursive: true });
    expect(readdirSync(join(folder, 'compiled'))).toEqual([ENGINE]);
    const files = readdirSync(join(folder, 'compiled', ENGINE)).map((name) => join(folder, 'compiled', ENGINE, name));
    expect(files.length).toBeGreaterThan(10);

    // V8 writes its version at the beginning.
    for (const file of files) writeFileSync(file, readFileSync(file).fill(0xff, 0, 64));
    expect(run(folder, LINE)).toMatchObject({ ...DONE, taken: { run: false } });

    // Truncated, as by a full disk.
    for (const file of files) truncateSync(file, 500);
    expect(run(folder, LINE)).toMatchObject({ ...DONE, taken: { run: false } });

    rmSync(join(folder, 'compiled'), { recursive: true });
    expect(run(folder, LINE)).toMatchObject(DONE);
  });
});

describe('compiled code cached by the program, for other Nodes', () => {
  /** A bundle, an environment that allows caching, and the folder of cached code. */
  function place() {
    const { NODE_DISABLE_COMPILE_CACHE: _, ...env } = surroundings();
    const bundle = bareBundle();
    return { bundle, env: env as Record<string, string>, folder: keptFolder(bundle) };
  }

  const chunks = (folder: string): readonly string[] =>
    readdirSync(folder).map((name) => name.replace(/-.{8}\.cjs\.bin$/, ''));

  test('is loaded by the next run from beside the bundle, writable only by its owner', () => {
    const { bundle, env, folder } = place();
    expect(folder).toBe(join(bundle, 'kept', ENGINE));
    const first = run(bundle, LINE, env);
    expect(first).toMatchObject(DONE);
    expect(Object.values(first.taken)).not.toContain(true);
    const second = run(bundle, LINE, env);
    expect(second).toMatchObject(DONE);
    expect(Object.values(second.taken)).not.toContain(false);
    expect(second.taken.run).toBe(true);
    expect(statSync(folder).mode & 0o777).toBe(0o755);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o644);
  });

  test('is cached for commands that use the network and that read whole lists', async () => {
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

  test('is replaced when it is damaged', () => {
    const { bundle, env, folder } = place();
    run(bundle, LINE, env);
    for (const name of readdirSync(folder)) truncateSync(join(folder, name), 300);
    expect(run(bundle, LINE, env)).toMatchObject({ ...DONE, taken: { run: false } });
    expect(run(bundle, LINE, env)).toMatchObject({ ...DONE, taken: { run: true } });
  });

  explainSkipped('compiled code of another user');

  testAsRoot('is not loaded from cache folders, where another user has planted code', () => {
    const { bundle, env, folder } = place();
    run(bundle, LINE, env);
    // Of the same length as the real code, which is all that V8 compares.
    const home = temporaryFolder();
    for (const cache of [join(home, '.cache'), join(home, 'Library', 'Caches')]) {
      cpSync(folder, join(cache, 'edu', 'compiled', `${VERSION}-${ENGINE}`), { recursive: true });
    }
    rmSync(folder, { recursive: true });
    const planted = { ...env, HOME: home, XDG_CACHE_HOME: join(home, '.cache'), NODE_DISABLE_COMPILE_CACHE: '1' };
    const { taken, ...rest } = run(bundle, LINE, planted);
    expect(rest).toEqual(DONE);
    expect(Object.values(taken)).not.toContain(true);
  });

  testAsRoot('is not written by root into the package of another user', () => {
    const { bundle, env } = place();
    chownSync(bundle, OTHER.uid, OTHER.gid);
    expect(run(bundle, LINE, env)).toMatchObject(DONE);
    expect(existsSync(join(bundle, 'kept'))).toBe(false);
  });

  test('is skipped silently when its folder cannot be made or caching is off', () => {
    const { bundle, env } = place();
    expect(run(bundle, LINE, { ...env, NODE_DISABLE_COMPILE_CACHE: '1' })).toMatchObject(DONE);
    expect(run(bundle, [...LINE, '--debug'], env)).toMatchObject({ code: 0 });
    expect(existsSync(join(bundle, 'kept'))).toBe(false);
    writeFileSync(join(bundle, 'kept'), '');
    expect(run(bundle, LINE, env)).toMatchObject(DONE);
    rmSync(join(bundle, 'kept'));
    for (const name of readdirSync(join(bundle, 'chunks'))) {
      if (name.startsWith('write-code-cache-')) rmSync(join(bundle, 'chunks', name));
    }
    expect(run(bundle, LINE, env)).toMatchObject(DONE);
  });
});
