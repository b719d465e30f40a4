/**
 * The bundle's code as V8 compiled it when the program was built: taken instead of parsing and compiling it at every
 * start, which is a third of a command's time (docs/decisions/0001-one-bundle.md). Only a cache: V8 checks it, and
 * compiles as usual what another version or other flags have made.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Script } from 'node:vm';

type Wrapped = (
  this: unknown,
  exports: unknown,
  require: (id: string) => unknown,
  module: { exports: unknown },
  filename: string,
  folder: string,
) => void;

/** Where the code that this Node can use is kept. @param dist folder of the bundle */
export const compiledFolder = (dist: string): string =>
  join(dist, 'compiled', `${process.versions.v8}-${process.arch}`);

const FIRST = '(function(exports,require,module,__filename,__dirname){';
const LAST = '\n})';

function kept(folder: string, name: string): Buffer | undefined {
  try {
    return readFileSync(join(folder, `${name}.bin`));
  } catch {
    return undefined;
  }
}

/** A chunk's file as the text of a function. The build makes it ASCII: no time goes into its encoding. */
const wrapped = (filename: string): string => FIRST + readFileSync(filename, 'latin1') + LAST;

/**
 * Takes compiled code for the bundle's chunks. The first that is required is found by Node; what chunks require of each
 * other is loaded here, since Node's own way to a file takes 0.4 ms.
 * @param dist folder of the bundle
 * @param onLoad given each chunk's name and script; the build makes the kept files with it
 */
export function useCompiled(dist: string, onLoad?: (name: string, script: Script) => void): void {
  const { extensions } = require;
  const vm = process.getBuiltinModule('node:vm');
  const folder = compiledFolder(dist);
  const chunks = join(dist, 'chunks');
  const loaded = new Map<string, { exports: unknown }>();

  function compile(name: string, path: string): Script {
    const cachedData = kept(folder, name);
    const script = new vm.Script(wrapped(path), {
      // It is kept along with the code, and must not tell where that was made. A part of a text keeps the whole alive
      // inside V8, hence the copy.
      filename: onLoad === undefined ? path : Buffer.from(name).toString(),
      ...(cachedData === undefined ? {} : { cachedData }),
    });
    onLoad?.(name, script);
    return script;
  }

  function load(name: string): unknown {
    const before = loaded.get(name);
    if (before !== undefined) return before.exports;
    const path = join(chunks, name);
    const run: Wrapped = compile(name, path).runInThisContext();
    const module = { exports: {} };
    loaded.set(name, module);
    run.call(module.exports, module.exports, requireFromChunk, module, path, chunks);
    return module.exports;
  }

  function requireFromChunk(id: string): unknown {
    if (id.startsWith('./')) return load(id.slice(2));
    return require(id.startsWith('../') ? id.slice(1) : id);
  }

  const asUsual = extensions['.js'];
  extensions['.cjs'] = (module, filename) => {
    if (dirname(filename) === chunks) module.exports = load(basename(filename));
    else asUsual?.(module, filename);
  };
}

/**
 * Where the build was another Node's: lets this one keep what it compiles, in its own cache, if it has one (22.1 and
 * later). NODE_DISABLE_COMPILE_CACHE=1 switches it off.
 */
export function keepCompiled(): void {
  const module: object = process.getBuiltinModule('node:module');
  if ('enableCompileCache' in module && typeof module.enableCompileCache === 'function') module.enableCompileCache();
}
