/**
 * The first lines of the single executable: gives the bundle its own files, which are inside the executable as assets.
 * The bundle does not know. What it asks of `node:fs` about its own folder is answered here, and its chunks are handed to
 * the loader that it brings itself (src/app/compiled.ts), or are compiled as they are.
 */
const fs = require('node:fs');
const { dirname, join, relative, sep } = require('node:path');
const { getRawAsset } = require('node:sea');
const vm = require('node:vm');

/** Where the bundle believes to be. Nothing can lie there: it is beneath a file. */
const home = join(process.execPath, 'dist');

/** @param {string} path in the bundle's folder */
function asset(path) {
  return Buffer.from(/** @type {ArrayBuffer} */ (getRawAsset(relative(home, path).replaceAll(sep, '/'))));
}

/** @param {unknown} path a descriptor, an address, bytes, or a path @returns {path is string} */
const isInside = (path) => typeof path === 'string' && path.startsWith(home + sep);

/** @typedef {{ exports: unknown }} Module */

/** `node:fs`, with the bundle's own files in it as well. */
const files = {
  ...fs,
  /** Of folders, the build has put a file named `folder` into those that are asked for. @param {fs.PathLike} path */
  existsSync(path) {
    if (!isInside(path)) return fs.existsSync(path);
    try {
      return asset(join(path, 'folder')) !== undefined;
    } catch {
      return false;
    }
  },
  /** @param {Parameters<typeof fs.readFileSync>} given */
  readFileSync(...given) {
    const [path, encoding] = given;
    if (!isInside(path)) return fs.readFileSync(...given);
    const bytes = asset(path);
    return typeof encoding === 'string' ? bytes.toString(encoding) : bytes;
  },
};

/** A file of the bundle as a function, the way Node does it. @param {Module} module @param {string} path */
function compile(module, path) {
  const source = `(function(exports,require,module,__filename,__dirname){${asset(path).toString()}\n})`;
  const run = new vm.Script(source, { filename: path }).runInThisContext();
  run(module.exports, requireFrom(dirname(path)), module, path, dirname(path));
}

/** @type {Record<string, (module: Module, path: string) => void>} */
const extensions = { '.js': compile, '.cjs': compile };

/** @type {Map<string, Module>} */
const loaded = new Map();

/** @param {string} folder */
function requireFrom(folder) {
  /** @param {string} id */
  const requireHere = (id) => {
    if (id === 'node:fs') return files;
    if (!id.startsWith('.')) return require(id);
    const path = join(folder, id);
    const before = loaded.get(path);
    if (before !== undefined) return before.exports;
    /** @type {Module} */
    const module = { exports: {} };
    loaded.set(path, module);
    extensions['.cjs']?.(module, path);
    return module.exports;
  };
  return Object.assign(requireHere, { extensions });
}

const { run } = /** @type {{ run: (argv: string[]) => Promise<number> }} */ (requireFrom(home)('./edu.cjs'));
void run(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
