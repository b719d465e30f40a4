/** The single executable, or the one that EDU_PROGRAM names: alone in an empty folder, without a Node on PATH. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { STANDALONE_NODE } from '../../scripts/build/node-binaries.mjs';
import { sharedFolder } from '../support/run.js';
import { EVERY_GROUP, overTheNetwork } from './every-group.js';
import { served, worldOf } from './program.js';

const folder = sharedFolder();
const program = { file: join(folder, 'edu'), path: join(folder, 'nothing') };
const { version } = JSON.parse(readFileSync(resolve('package.json'), 'utf8')) as { version: string };

beforeAll(() => {
  const { EDU_PROGRAM } = process.env;
  if (EDU_PROGRAM === undefined) {
    execFileSync(process.execPath, [resolve('scripts/standalone/build.mjs')], { stdio: 'pipe' });
  }
  copyFileSync(EDU_PROGRAM ?? resolve('dist.standalone', `linux-${process.arch}`, 'edu'), program.file);
  mkdirSync(program.path);
});

test('prints its version and nothing else', async () => {
  expect(await worldOf(program).edu(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('needs only the C library, and has no debug symbols', () => {
  const needed = execFileSync('ldd', [program.file], { encoding: 'utf8' });
  const libraries = [...needed.matchAll(/^\s*(\S+?)\.so/gm)].map(([, name]) => name);
  expect(libraries).not.toContain(undefined);
  for (const library of libraries)
    expect(library).toMatch(/^(linux-vdso|lib(dl|stdc\+\+|m|gcc_s|pthread|c|atomic)|.*ld-linux.*)$/);
  expect(statSync(program.file).size).toBeLessThan(135e6);
});

test('has a bill of materials that includes Node', () => {
  const folder = resolve('dist.standalone', `linux-${process.arch}`);
  interface Sbom {
    readonly components: readonly { readonly type: string; readonly name: string; readonly version: string }[];
  }
  const read = (path: string) => (JSON.parse(readFileSync(path, 'utf8')) as Sbom).components;
  const [node, ...more] = read(join(folder, 'sbom.cdx.json')).filter(({ type }) => type !== 'library');
  expect(more).toEqual([]);
  expect(node).toMatchObject({ type: 'platform', name: 'node', version: STANDALONE_NODE });
  const libraries = read(join(folder, 'sbom.cdx.json')).filter(({ type }) => type === 'library');
  expect(libraries).toEqual(read(resolve('dist/sbom.cdx.json')));
});

test('contains nothing about the machine that built it', () => {
  const bytes = readFileSync(program.file);
  expect(bytes.includes(process.cwd())).toBe(false);
  expect(bytes.includes('edu-standalone-')).toBe(false);
});

describe('every command group', () => {
  test.each(Object.entries(EVERY_GROUP))('%s', async (_, tryIt) => {
    await tryIt(worldOf(program));
  });
});

test('serves, and is a client of that server', async () => {
  const { ready, stop } = await served(program);
  await overTheNetwork(worldOf({ ...program, isOnline: true }), String(ready.baseUrl));
  expect(await stop()).toMatchObject({ code: 0 });
});

test('reports errors as usual, and --debug works', async () => {
  const { edu } = worldOf(program);
  expect(await edu(['licenses', 'lsit'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Did you mean list?'),
  });
  expect(await edu(['whoami', '--debug', '-o', 'json'])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('GET'),
  });
});
