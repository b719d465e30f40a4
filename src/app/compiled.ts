/**
 * Loads the bundle's chunks from code that V8 compiled earlier: parsing and compiling them takes a third of a
 * command's time (docs/decisions/0001-one-bundle.md). V8 checks version, flags and source length, and compiles code
 * that does not match.
 */
import { existsSync, readFileSync } from 'node:fs';
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

/** Which Node can use what was compiled. */
const engine = `${process.versions.v8}-${process.arch}`;

/** Where the build keeps it. @param dist folder of the bundle */
export const compiledFolder = (dist: string): string => join(dist, 'compiled', engine);

/**
 * Where the program keeps it for a Node that did not build it: beside the code itself, so that no other user can plant compiled
 * code who could not change the code. A chunk's name holds a hash of its source.
 */
export const keptFolder = (dist: string): string => join(dist, 'kept', engine);

/** A chunk that was loaded. */
export interface Loaded {
  readonly script: Script;
  /** Whether compiled code was taken for it. */
  readonly wasKept: boolean;
}

const FIRST = '(function(exports,require,module,__filename,__dirname){';
const LAST = '\n})';

function kept(folder: string, name: string): Buffer | undefined {
  try {
    const path = join(folder, `${name}.bin`);
    // To be refused takes longer than to ask.
    return existsSync(path) ? readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/** A chunk's file as the text of a function. The build makes it ASCII, and Node reads that quickest as UTF-8. */
const wrapped = (filename: string): string => FIRST + readFileSync(filename, 'utf8') + LAST;

/**
 * Takes compiled code for the bundle's chunks. The first that is required is found by Node; what chunks require of each
 * other is loaded here, since Node's own way to a file takes 0.4 ms.
 * @param dist folder of the bundle
 * @param folder where compiled code is kept
 * @param nameOf how stack traces name a chunk, by its path
 * @returns the chunks that are loaded, by name, as they come
 */
export function useCompiled(
  dist: string,
  folder: string,
  nameOf: (path: string) => string = (path) => path,
): ReadonlyMap<string, Loaded> {
  const { extensions } = require;
  const vm = process.getBuiltinModule('node:vm');
  const chunks = join(dist, 'chunks');
  const modules = new Map<string, { exports: unknown }>();
  const scripts = new Map<string, Loaded>();

  function compile(name: string, path: string): Script {
    const cachedData = kept(folder, name);
    const script = new vm.Script(wrapped(path), {
      filename: nameOf(path),
      ...(cachedData === undefined ? {} : { cachedData }),
    });
    scripts.set(name, { script, wasKept: cachedData !== undefined && script.cachedDataRejected === false });
    return script;
  }

  function load(name: string): unknown {
    const before = modules.get(name);
    if (before !== undefined) return before.exports;
    const path = join(chunks, name);
    const run: Wrapped = compile(name, path).runInThisContext();
    const module = { exports: {} };
    modules.set(name, module);
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
  return scripts;
}
