/** The code that the build compiled ahead: taken by the Node that made it, and not missed by any other. */
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/run.js';
import { DIST, surroundings } from '../support/spawned.js';

function node(script: string, ...args: string[]) {
  const ran = spawnSync(process.execPath, ['-e', script, ...args], { env: surroundings(), encoding: 'utf8' });
  return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr };
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
  const { code, stdout, stderr } = node(REPORT, DIST.replace(/\/$/, ''));
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('settings.json') });
  const taken = JSON.parse(stderr) as Record<string, boolean>;
  const [run] = Object.keys(taken).filter((name) => name.startsWith('run-'));
  expect(taken[run ?? '']).toBe(true);
});

const RUN = `
  require(process.argv[1] + '/edu.cjs').run(['config', 'path']).then((code) => { process.exitCode = code; });
`;

test('a bundle without it, or with that of another version, does the same', () => {
  const folder = join(temporaryFolder(), 'dist');
  cpSync(DIST, folder, { recursive: true });
  const made = readdirSync(join(folder, 'compiled'));
  expect(made).toEqual([`${process.versions.v8}-${process.arch}`]);

  for (const name of readdirSync(join(folder, 'compiled', made[0] ?? ''))) {
    writeFileSync(join(folder, 'compiled', made[0] ?? '', name), 'made by something else');
  }
  expect(node(RUN, folder)).toMatchObject({ code: 0, stdout: expect.stringContaining('settings.json'), stderr: '' });

  rmSync(join(folder, 'compiled'), { recursive: true });
  expect(node(RUN, folder)).toMatchObject({ code: 0, stdout: expect.stringContaining('settings.json'), stderr: '' });
});
