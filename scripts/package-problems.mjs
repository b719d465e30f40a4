/**
 * The problems that publint and are-the-types-wrong find in the packed package. `npm run lint:package` prints them; the
 * test of the package calls the functions.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Packs the package without building it.
 * @param {string} folder for the tarball
 * @returns {string} path of the tarball
 */
export function pack(folder) {
  const name = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
  });
  return join(folder, name.trim());
}

/** @param {string} tarball @returns {Promise<string[]>} a sentence for each problem or suggestion */
export async function publintProblems(tarball) {
  const { buffer, byteOffset, byteLength } = readFileSync(tarball);
  const data = /** @type {ArrayBuffer} */ (buffer).slice(byteOffset, byteOffset + byteLength);
  const { messages, pkg } = await publint({ pack: { tarball: data }, level: 'suggestion', strict: true });
  return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

/** @param {string} tarball @returns {Promise<string[]>} a line for each problem in any mode of module resolution */
export async function typesProblems(tarball) {
  const result = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
  if (result.types === false) return ['there are no types in the package'];
  return result.problems.map((problem) => JSON.stringify(problem));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = mkdtempSync(join(tmpdir(), 'edu-package-'));
  const tarball = pack(folder);
  const found = [...(await publintProblems(tarball)), ...(await typesProblems(tarball))];
  rmSync(folder, { recursive: true });
  process.stdout.write(
    found.length === 0 ? 'publint and are-the-types-wrong found nothing.\n' : `${found.join('\n')}\n`,
  );
  process.exitCode = found.length === 0 ? 0 : 1;
}
