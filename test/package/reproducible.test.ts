/** Two builds of the same sources, in different folders and at different times, give the same files. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';

const ROOT = resolve('.');

/** The files of a folder: path to hash. Compiled code that another Node has cached is not part of the build. */
function hashes(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.startsWith('kept') && statSync(join(folder, path)).isFile())
    .sort();
  return Object.fromEntries(
    paths.map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(folder, path)))
        .digest('hex'),
    ]),
  );
}

test('a build in another folder is byte for byte the same', { timeout: 180_000 }, () => {
  const copy = join(mkdtempSync(join(tmpdir(), 'edu-another-place-')), 'clone');
  onTestFinished(() => rmSync(dirname(copy), { recursive: true, force: true }));
  const sources = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const path of sources.split('\0').filter((each) => each !== '' && !/^(test|bench)\//.test(each))) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(ROOT, path), join(copy, path));
  }
  cpSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  execFileSync(process.execPath, [join(copy, 'scripts', 'build', 'build.mjs')], {
    cwd: copy,
    env: { PATH: process.env.PATH, TZ: 'Pacific/Auckland', LANG: 'de_DE.UTF-8', HOME: copy },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const built = hashes(join(ROOT, 'dist'));
  expect(Object.keys(built).length).toBeGreaterThan(100);
  expect(hashes(join(copy, 'dist'))).toEqual(built);
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', dirname(copy), copy];
  const packed = join(dirname(copy), execFileSync('npm', pack, { cwd: copy, encoding: 'utf8' }).trim());
  expect(readFileSync(packed).equals(readFileSync(inject('tarball')))).toBe(true);
});
