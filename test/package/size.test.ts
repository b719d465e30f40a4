/** The size of an installation for every Node, which share their state all the same. */
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { PATH_WITH_NODE } from './packed.js';
import { worldOf } from './program.js';

const project = inject('project');
const modules = join(project, 'node_modules');
const program = { file: join(inject('equipped'), 'node_modules/.bin/edu'), path: PATH_WITH_NODE };

/** Everything below a folder. */
const everything = readdirSync(modules, { recursive: true, encoding: 'utf8' });
const stats = everything.map((path) => lstatSync(join(modules, path)));

const MB = 1e6;

test('is one package under 8.3 MB, by length and on disk', () => {
  expect(stats.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(6.5 * MB);
  // In blocks of 4 KiB, whatever this disk uses: small files take more than their length.
  const room = stats.reduce((sum, { size }) => sum + Math.ceil(size / 4096) * 4096, 0);
  expect(room).toBeLessThan(8.3 * MB);
  expect(everything.filter((path) => /(^|[\\/])node_modules[\\/]/.test(path))).toEqual([]);
  expect(readdirSync(modules).filter((name) => !name.startsWith('.'))).toEqual(['edu-cli']);
});

test('contains nothing that only the build uses, and no duplicates for other Nodes', () => {
  const dist = join(modules, 'edu-cli', 'dist');
  expect(existsSync(join(dist, 'pages.cjs'))).toBe(false);
  expect(readdirSync(join(dist, 'compiled'))).toHaveLength(1);
  expect(readdirSync(join(dist, 'types'), { recursive: true, encoding: 'utf8' }).sort()).toEqual([
    'package.json',
    'service',
    join('service', 'index.d.ts'),
  ]);
  expect(readdirSync(dist).sort()).toEqual(
    ['chunks', 'compiled', 'edu.cjs', 'edu.cjs.map', 'help', 'man', 'service.cjs', 'service.cjs.map', 'types']
      .concat(['THIRD-PARTY-LICENSES.txt', 'sbom.cdx.json'].filter((name) => existsSync(join(dist, name))))
      .sort(),
  );
});

test('keeps its state between commands and processes', async () => {
  const { edu } = worldOf(program);
  const create = (name: string) =>
    edu(['licenses', 'create', '--name', name, '--type', 'Teacher', '--maximum-activations', '1', '-o', 'ids']);
  const made = await Promise.all(Array.from({ length: 6 }, (_, at) => create(`Shared ${at}`)));
  expect(made.map(({ code, stderr }) => ({ code, stderr }))).toEqual(made.map(() => ({ code: 0, stderr: '' })));
  const { stdout } = await edu(['licenses', 'list', '-o', 'ids']);
  const ids = new Set(stdout.trim().split('\n'));
  expect(made.map((one) => ids.has(one.stdout.trim()))).toEqual(made.map(() => true));
});
