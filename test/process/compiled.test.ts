/** The code that the build compiled ahead: taken by the Node that made it, and not missed by any other. */
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/run.js';
import { DIST, surroundings } from '../support/spawned.js';

const COMPILE = fileURLToPath(new URL('../../.build/compile.cjs', import.meta.url));

function node(script: string, ...args: string[]) {
  const ran = spawnSync(process.execPath, ['-e', script, ...args], { env: surroundings(), encoding: 'utf8' });
  return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr };
}

/** A copy of the bundle, compiled ahead by the Node that runs the tests: dist/ may have been built by another. */
function bundleOfThisNode(): string {
  const folder = join(temporaryFolder(), 'dist');
  cpSync(DIST, folder, { recursive: true });
  rmSync(join(folder, 'compiled'), { recursive: true, force: true });
  const { status, stderr } = spawnSync(process.execPath, [COMPILE, folder], { env: surroundings(), encoding: 'utf8' });
  expect({ status, said: /Error/.test(stderr) ? stderr : '' }).toEqual({ status: 0, said: '' });
  return folder;
}

/** Runs `edu config path` from a bundle and says of each chunk whether V8 took its compiled code. */
const REPORT = `
  const { run, useCompiled } = require(process.argv[1] + '/edu.cjs');
  const taken = {};
  useCompiled(process.argv[1], (name, script) => { taken[name] = script.cachedDataRejected === false; });
  const hooked = require.extensions['.cjs'];
  Object.defineProperty(require.extensions, '.cjs', { get: () => hooked, set: () => {} });
  run(['config', 'path']).then(() => process.stderr.write(JSON.stringify(taken)));
`;

test('V8 takes it', () => {
  const { code, stdout, stderr } = node(REPORT, bundleOfThisNode());
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('settings.json') });
  const taken = JSON.parse(stderr) as Record<string, boolean>;
  const [run] = Object.keys(taken).filter((name) => name.startsWith('run-'));
  expect(taken[run ?? '']).toBe(true);
});

const RUN = `
  require(process.argv[1] + '/edu.cjs').run(['config', 'path']).then((code) => { process.exitCode = code; });
`;

test('a bundle without it, or with that of another version, does the same', () => {
  const folder = bundleOfThisNode();
  const [made = '', ...others] = readdirSync(join(folder, 'compiled'));
  expect([made, ...others]).toEqual([`${process.versions.v8}-${process.arch}`]);
  const files = readdirSync(join(folder, 'compiled', made)).map((name) => join(folder, 'compiled', made, name));
  expect(files.length).toBeGreaterThan(10);

  // The version's mark is at the beginning of what V8 wrote.
  for (const file of files) writeFileSync(file, readFileSync(file).fill(0xff, 0, 64));
  expect(node(RUN, folder)).toMatchObject({ code: 0, stdout: expect.stringContaining('settings.json'), stderr: '' });

  // Cut off, as by a full disk.
  for (const file of files) truncateSync(file, 500);
  expect(node(RUN, folder)).toMatchObject({ code: 0, stdout: expect.stringContaining('settings.json'), stderr: '' });

  rmSync(join(folder, 'compiled'), { recursive: true });
  expect(node(RUN, folder)).toMatchObject({ code: 0, stdout: expect.stringContaining('settings.json'), stderr: '' });
});
