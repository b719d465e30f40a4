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

function kept(folder: string, name: string): Buffer | undefined {
  try {
    return readFileSync(join(folder, `${name}.bin`));
  } catch {
    return undefined;
  }
}

/**
 * Takes compiled code for the bundle's chunks. The first that is required is found by Node; what chunks require of each
 * other is loaded here, since Node's own way to a file takes 0.4 ms.
 * @param dist folder of the bundle
 * @param onLoad given each chunk's name and script; the build makes the compiled code with it
 */
export function useCompiled(dist: string, onLoad?: (name: string, script: Script) => void): void {
  const { extensions } = require;
  const vm = process.getBuiltinModule('node:vm');
  const folder = compiledFolder(dist);
  const chunks = join(dist, 'chunks');
  const loaded = new Map<string, { exports: unknown }>();

  function compile(name: string, filename: string): Script {
    const cachedData = kept(folder, name);
    const source = readFileSync(filename, 'utf8');
    return new vm.Script(`(function(exports,require,module,__filename,__dirname){${source}\n})`, {
      // It is kept along with the code, and must not tell where that was made. A part of a text keeps the whole alive
      // inside V8, hence the copy.
      filename: onLoad === undefined ? filename : Buffer.from(name).toString(),
      ...(cachedData === undefined ? {} : { cachedData }),
    });
  }

  function load(name: string): unknown {
    const before = loaded.get(name);
    if (before !== undefined) return before.exports;
    const filename = join(chunks, name);
    const script = compile(name, filename);
    onLoad?.(name, script);
    const module = { exports: {} };
    loaded.set(name, module);
    const run: Wrapped = script.runInThisContext();
    run.call(module.exports, module.exports, requireFromChunk, module, filename, chunks);
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
