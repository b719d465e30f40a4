/** Finds all imports in src/, for the rules in test/architecture.test.ts. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('../src', import.meta.url));

/**
 * @typedef {object} Import
 * @property {string} from the importing file, such as `cli/parser.ts`
 * @property {string} to a file such as `core/errors.ts`, a package, or a module of Node such as `node:fs`
 * @property {boolean} isOurs whether it is a file
 * @property {boolean} isType `import type`
 * @property {boolean} isLazy `import()`
 */

/** @param {string} text */
export const withoutComments = (text) => text.replace(/\/\*.*?\*\//gs, '').replace(/^\s*\/\/.*$/gm, '');

/** `import a, { type B } from 'x'`, `export … from 'x'`, `import('x')`. */
const IMPORTS = /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^;'"()]*?from\s+'([^']+)'|\bimport\(\s*'([^']+)'/g;

/** @param {string} file a path under src/ @returns {Import[]} */
export function importsOf(file) {
  const text = withoutComments(readFileSync(join(SRC, file), 'utf8'));
  return [...text.matchAll(IMPORTS)].map(([, type, fixed, lazy]) => {
    const to = fixed ?? lazy ?? '';
    const isOurs = to.startsWith('.');
    const path = isOurs ? join(dirname(file), to).replace(/\.js$/, '.ts') : to;
    return { from: file, to: path, isOurs, isType: type !== undefined, isLazy: lazy !== undefined };
  });
}

/** All files below src/, with slashes also on Windows. */
export const sourceFiles = () =>
  readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts'));

/** The folder below `src/`. @param {string} file */
export const partOf = (file) => file.split('/')[0] ?? file;

/** The package of an import: `@a/b` of `@a/b/c.js`. @param {string} name */
export const packageOf = (name) =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
