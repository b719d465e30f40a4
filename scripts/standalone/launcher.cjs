/**
 * The main script of the single executable, which loads the bundle from the assets in the executable. The bundle is
 * the same as in the package: its calls of `node:fs` for its own folder are answered here, and its chunks are compiled
 * here unless its own loader has compiled code for them (src/app/compiled.ts).
 */
const fs = require('node:fs');
const { dirname, join, relative, sep } = require('node:path');
const { getRawAsset } = require('node:sea');
const vm = require('node:vm');

/** The bundle's `__dirname`. No other file can exist there, because the path goes through a file. */
const home = join(process.execPath, 'dist');

/** @param {string} path in the bundle's folder */
function asset(path) {
  return Buffer.from(/** @type {ArrayBuffer} */ (getRawAsset(relative(home, path).replaceAll(sep, '/'))));
}

/** @param {unknown} path any first argument of `node:fs` @returns {path is string} */
const isInside = (path) => typeof path === 'string' && path.startsWith(home + sep);

/** @typedef {{ exports: unknown }} Module */

/** `node:fs` with the assets. */
const files = {
  ...fs,
  /** Recognizes folders by the file `folder` that the build has put there. @param {fs.PathLike} path */
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

/** Runs a file of the bundle as a CommonJS module. @param {Module} module @param {string} path */
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
