/** For `node --require`: writes what a program has loaded, files and Node's own modules, as JSON to the file LOADED names. */
const fs = require('node:fs');
const Module = require('node:module');

/**
 * Parts of Node that are not documented, and steady.
 * @typedef {(request: string, ...rest: unknown[]) => unknown} Load
 * @typedef {{ _load: Load, _resolveFilename: (request: string, ...rest: unknown[]) => string }} Loader
 */
const loader = /** @type {Loader} */ (/** @type {unknown} */ (Module));
const natives = () => /** @type {{ moduleLoadList: string[] }} */ (/** @type {unknown} */ (process)).moduleLoadList;

const before = new Set(natives());
const files = new Set();
const load = loader._load;
loader._load = (request, ...rest) => {
  if (!Module.isBuiltin(request)) files.add(loader._resolveFilename(request, ...rest));
  return load.call(Module, request, ...rest);
};

// Chunks of the bundle may be loaded past Node's own way, but not without being read.
const { readFileSync, writeFileSync } = fs;
fs.readFileSync = /** @type {typeof readFileSync} */ (
  (/** @type {Parameters<typeof readFileSync>} */ ...given) => {
    const [file] = given;
    if (typeof file === 'string' && file.endsWith('.cjs')) files.add(file);
    return readFileSync(...given);
  }
);

process.on('exit', () => {
  const added = natives()
    .filter((name) => !before.has(name))
    .flatMap((name) => /^NativeModule ((?!internal\/).*)$/.exec(name)?.[1] ?? []);
  writeFileSync(process.env.LOADED ?? '', JSON.stringify({ files: [...files], natives: added }));
});
