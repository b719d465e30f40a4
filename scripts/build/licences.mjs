/** The packages in the bundle: their licences as one text, and the bill of materials, published with it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestsIn, sbomOf } from './sbom.mjs';

/** @typedef {{ name: string, version: string, license: string, source: string, text: string }} Bundled */

/** Files that some licences require to be distributed with the code. */
const LEGAL = /^(licen[cs]e|copying|notice)([-.].*)?$/i;

/**
 * @param {string} file a module of the bundle
 * @returns {string | undefined} the folder of its package; undefined for our sources and for generated modules
 */
export function packageFolder(file) {
  const inside = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(file.replace(/^\0/, ''));
  const folder = inside?.[1];
  return folder !== undefined && existsSync(join(folder, 'package.json')) ? folder : undefined;
}

/**
 * The address of the source code, which the Mozilla licence requires.
 * @param {string | { url?: string } | undefined} repository of package.json: a URL for git, or `owner/name`
 */
function sourceOf(repository) {
  const address = (typeof repository === 'object' ? repository.url : repository) ?? '';
  const [, path] = /^(?:.*github\.com[/:]|github:)?([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(address) ?? [];
  return path === undefined ? address : `https://github.com/${path}`;
}

/** @param {string} folder @returns {Bundled} @throws Error if package.json names no licence */
function described(folder) {
  const { name, version, license, author, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (typeof license !== 'string') throw new Error(`the package.json of ${name} ${version} names no licence`);
  const files = readdirSync(folder).filter((file) => LEGAL.test(file));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());
  const by = typeof author === 'string' ? author : author?.name;
  if (texts.length === 0) texts.push([`${license} licence`, by].filter(Boolean).join(', '));
  return { name, version, license, source: sourceOf(repository), text: texts.join('\n\n') };
}

/**
 * @param {Iterable<string>} modules paths of all modules of the bundle
 * @returns {readonly Bundled[]} their packages, sorted by name
 */
function packagesOf(modules) {
  const folders = new Set([...modules].flatMap((file) => packageFolder(file) ?? []));
  return [...folders].map(described).sort((a, b) => (a.name + a.version < b.name + b.version ? -1 : 1));
}

/**
 * @param {readonly Bundled[]} packages
 * @returns {string} the packages with versions and licences, then each different licence text
 */
function licencesOf(packages) {
  /** @type {Map<string, string[]>} */
  const texts = new Map();
  for (const { name, version, text } of packages) texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`]);
  const rule = '-'.repeat(72);
  return [
    'edu contains code of these packages:\n',
    packages
      .map(({ name, version, license, source }) => `${name} ${version} (${license}) ${source}`.trimEnd())
      .join('\n'),
    ...[...texts].map(([text, names]) => `\n${rule}\n${names.join(', ')}\n\n${text}`),
    '',
  ].join('\n');
}

/**
 * Emits `THIRD-PARTY-LICENSES.txt` and `sbom.cdx.json` beside the bundle.
 * @param {string} root folder of package.json and the lock file
 * @returns {import('rolldown').Plugin}
 */
export const withLicences = (root) => ({
  name: 'licences',
  generateBundle(_, output) {
    const chunks = Object.values(output).flatMap((file) => (file.type === 'chunk' ? [file] : []));
    const packages = packagesOf(chunks.flatMap(({ moduleIds }) => moduleIds));
    const read = (/** @type {string} */ file) => readFileSync(join(root, file), 'utf8');
    const digests = digestsIn(read('package-lock.json'));
    this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENSES.txt', source: licencesOf(packages) });
    const sbom = sbomOf(JSON.parse(read('package.json')), packages, digests);
    this.emitFile({ type: 'asset', fileName: 'sbom.cdx.json', source: sbom });
  },
});
