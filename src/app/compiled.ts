/** Loads the bundle's chunks from code that V8 compiled earlier (docs/decisions/0001-one-bundle.md). */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Script } from 'node:vm';

/** Compiled code can be used only by the same V8 version and architecture. */
const engine = `${process.versions.v8}-${process.arch}`;

/** The folder for code compiled by the build. @param dist folder of the bundle */
export const compiledFolder = (dist: string): string => join(dist, 'compiled', engine);

/**
 * The folder for code compiled by the program, for other Node versions than the build's. It is beside the bundle, so
 * only users who may change the bundle can write compiled code. A chunk's name contains a hash of its source.
 */
export const keptFolder = (dist: string): string => join(dist, 'kept', engine);

export interface Loaded {
  readonly script: Script;
  /** True if V8 accepted compiled code for it. */
  readonly wasKept: boolean;
}

const PREFIX = '(function(exports,require,module,__filename,__dirname){';
const SUFFIX = '\n})';

function readCompiled(folder: string, name: string): Buffer | undefined {
  try {
    const path = join(folder, `${name}.bin`);
    // A failed read takes longer than existsSync.
    return existsSync(path) ? readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/** A chunk's source inside a function. Chunks are ASCII, which Node reads fastest as UTF-8. */
const wrap = (filename: string): string => PREFIX + readFileSync(filename, 'utf8') + SUFFIX;

/**
 * Uses compiled code for the bundle's chunks. Chunks that other chunks require are loaded here, because Node needs
 * 0.4 ms to resolve each path.
 * @param nameOf returns the file name for stack traces
 * @returns the loaded chunks by name; grows as more are loaded
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
    const cachedData = readCompiled(folder, name);
    const script = new vm.Script(wrap(path), {
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
    const run: (this: unknown, ...parts: readonly unknown[]) => void = compile(name, path).runInThisContext();
    const module = { exports: {} };
    modules.set(name, module);
    run.call(module.exports, module.exports, requireFromChunk, module, path, chunks);
    return module.exports;
  }

  function requireFromChunk(id: string): unknown {
    if (id.startsWith('./')) return load(id.slice(2));
    return require(id.startsWith('../') ? id.slice(1) : id);
  }

  const loadCjs = extensions['.js'];
  extensions['.cjs'] = (module, filename) => {
    if (dirname(filename) === chunks) module.exports = load(basename(filename));
    else loadCjs?.(module, filename);
  };
  return scripts;
}
