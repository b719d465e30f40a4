/** The packages whose code is in the bundle: their licences as one text, and the bill of materials, published with it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestsIn, sbomOf } from './sbom.mjs';

/** @typedef {{ name: string, version: string, license: string, source: string, text: string }} Bundled */

/** Files that a licence may ask to be passed on. */
const LEGAL = /^(licen[cs]e|copying|notice)([-.].*)?$/i;

/**
 * @param {string} file a module of the bundle
 * @returns {string | undefined} the folder of the package that it is from; none for our own and for what the build made
 */
export function packageFolder(file) {
  const inside = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(file.replace(/^\0/, ''));
  const folder = inside?.[1];
  return folder !== undefined && existsSync(join(folder, 'package.json')) ? folder : undefined;
}

/**
 * Where the package's own source can be had, which the Mozilla licence asks to be said.
 * @param {string | { url?: string } | undefined} repository as package.json has it: an address of git, or `owner/name`
 */
function sourceOf(repository) {
  const address = (typeof repository === 'object' ? repository.url : repository) ?? '';
  const [, path] = /^(?:.*github\.com[/:]|github:)?([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(address) ?? [];
  return path === undefined ? address : `https://github.com/${path}`;
}

/** @param {string} folder @returns {Bundled} @throws when the package does not say under which licence it is */
function described(folder) {
  const { name, version, license, author, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (typeof license !== 'string') throw new Error(`${name} ${version} does not say under which licence it is`);
  const files = readdirSync(folder).filter((file) => LEGAL.test(file));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());
  const by = typeof author === 'string' ? author : author?.name;
  if (texts.length === 0) texts.push([`${license} licence`, by].filter(Boolean).join(', '));
  return { name, version, license, source: sourceOf(repository), text: texts.join('\n\n') };
}

/**
 * @param {Iterable<string>} modules paths of all modules of the bundle
 * @returns {readonly Bundled[]} the packages they are from, by name
 */
function packagesOf(modules) {
  const folders = new Set([...modules].flatMap((file) => packageFolder(file) ?? []));
  return [...folders].map(described).sort((a, b) => (a.name + a.version < b.name + b.version ? -1 : 1));
}

/**
 * @param {readonly Bundled[]} packages
 * @returns {string} every package with version and licence, then the licences' own words, the same words once
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
