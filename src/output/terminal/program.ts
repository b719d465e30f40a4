/** Finds programs and prepares their environment: never in the current folder, and without secrets. */
import { accessSync, constants, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import type { Env } from '../../core/io.js';

const SECRETS = new Set(['EDU_TOKEN', 'EDU_CLIENT_SECRET', 'EDU_CODE_SECRET', 'EDU_PLAN_KEY']);

/** Extensions of programs that Windows starts without a shell. */
const WINDOWS_EXTENSIONS = ['.exe', '.com'];

const isPath = (name: string): boolean => name.toUpperCase() === 'PATH';

/** Only absolute folders: an empty entry means the current folder, where any user may have put a program. */
const foldersOf = (path: string, platform: NodeJS.Platform): readonly string[] => {
  const { delimiter, isAbsolute } = platform === 'win32' ? win32 : posix;
  return path.split(delimiter).filter((folder) => isAbsolute(folder));
};

/** Removes secrets, and relative folders in PATH. */
export function childEnv(env: Env, platform: NodeJS.Platform = process.platform): Env {
  const { delimiter } = platform === 'win32' ? win32 : posix;
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => {
      if (value === undefined || SECRETS.has(name)) return [];
      if (!isPath(name)) return [[name, value]];
      // An empty PATH would mean the current folder.
      const folders = foldersOf(value, platform);
      return folders.length === 0 ? [] : [[name, folders.join(delimiter)]];
    }),
  );
}

/** Applies `childEnv` to this process, for packages that start programs with the process' environment. */
export function restrictOwnEnv(): void {
  const allowed = childEnv(process.env);
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(allowed, name)) delete process.env[name];
  Object.assign(process.env, allowed);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * @param name of the program, or its absolute path
 * @returns an absolute path; undefined if it is not found, or for a relative path, which depends on the current folder
 */
export function findProgram(
  name: string,
  env: Env,
  platform: NodeJS.Platform = process.platform,
  exists: (file: string) => boolean = isProgram,
): string | undefined {
  const { basename, isAbsolute, join } = platform === 'win32' ? win32 : posix;
  if (isAbsolute(name)) return name;
  if (name === '' || basename(name) !== name) return undefined;
  const path = Object.entries(env).find(([key]) => (platform === 'win32' ? isPath(key) : key === 'PATH'))?.[1] ?? '';
  const endings = platform === 'win32' ? ['', ...WINDOWS_EXTENSIONS] : [''];
  return foldersOf(path, platform)
    .flatMap((folder) => endings.map((ending) => join(folder, name + ending)))
    .find(exists);
}
