/** Finds the folders of settings and state, and checks that other users cannot write to them. */
import { realpathSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { usageError } from '../core/errors.js';
import { checkFolder, checkFolderAndFiles } from '../core/fs/trusted-file.js';
import type { Env } from '../core/io.js';

/** @param kind decides the variables and the default @throws EduError `usage` */
function ownFolder(kind: 'CONFIG' | 'STATE', env: Env, platform: NodeJS.Platform): string {
  const inHome = (...path: readonly string[]) => join(homeFolder(env, platform), ...path);
  const given = env[`EDU_${kind}_DIR`];
  // Units of systemd and files of variables have no shell, which would expand it.
  if (given) return resolve(given.replace(/^~(?=[\\/]|$)/, () => inHome()));
  const isState = kind === 'STATE';
  const below = isState ? ['edu', 'State'] : ['edu'];
  if (platform === 'win32') return join(appData(env, isState ? 'LOCALAPPDATA' : 'APPDATA'), ...below);
  const xdg = env[`XDG_${kind}_HOME`];
  if (platform === 'darwin' && !xdg) return inHome('Library', 'Application Support', ...below);
  return join(absolute(xdg) ?? inHome(isState ? '.local/state' : '.config'), 'edu');
}

/** The folder of settings and credentials: `EDU_CONFIG_DIR`, else the system's default. @throws EduError `usage` */
export const configFolder = (env: Env, platform: NodeJS.Platform = process.platform): string =>
  ownFolder('CONFIG', env, platform);

/** The folder of jobs, offline data and caches: `EDU_STATE_DIR`, else the system's default. @throws EduError `usage` */
export const stateFolder = (env: Env, platform: NodeJS.Platform = process.platform): string =>
  ownFolder('STATE', env, platform);

/** The folder of the settings, or of the local data, of programs on Windows. @throws EduError `usage` */
export const appData = (env: Env, name: 'APPDATA' | 'LOCALAPPDATA' = 'APPDATA'): string =>
  absolute(env[name]) ?? join(homeFolder(env, 'win32'), 'AppData', name === 'APPDATA' ? 'Roaming' : 'Local');

// The XDG specification requires relative paths to be ignored. Those of other variables are, too: nothing is read from
// the current folder.
const absolute = (path: string | undefined): string | undefined => (path && isAbsolute(path) ? path : undefined);

/** The user's home folder. @throws EduError `usage` if it is unknown, as in a container of a user without an account */
export function homeFolder(env: Env, platform: NodeJS.Platform = process.platform): string {
  const home = absolute(platform === 'win32' ? env.USERPROFILE : env.HOME) ?? homeOfAccount();
  if (home !== undefined) return home;
  throw usageError(
    'Cannot find your home folder: HOME is not set to an absolute path.',
    'Set HOME, or both EDU_CONFIG_DIR and EDU_STATE_DIR.',
  );
}

function homeOfAccount(): string | undefined {
  try {
    return absolute(process.getBuiltinModule('node:os').userInfo().homedir);
  } catch {
    return undefined;
  }
}

/** The trust in folders of settings and state. */
export const TRUST = { refuse: usageError, mayBeLink: true };

/** Checks the state folder. @returns false if it does not exist @throws EduError `usage` if others can write to it */
export const checkStateFolder = (env: Env): boolean => checkFolder(stateFolder(env), TRUST);

/** The path of a folder in the state folder. Checks the folder and its files if they exist. @throws EduError `usage` */
export function ownState(env: Env, name: 'jobs' | 'plans' | 'offline' | 'mcp'): string {
  const folder = join(stateFolder(env), name);
  if (checkStateFolder(env)) checkFolderAndFiles(folder, TRUST);
  return folder;
}

/** Checks a folder, which must not be a link, and its files. @returns false if it does not exist @throws EduError `usage` */
export const checkOwnFolder = (folder: string): boolean => checkFolderAndFiles(folder, { ...TRUST, mayBeLink: false });

/** The real path of the current folder; undefined if it was deleted. */
export function currentFolder(): string | undefined {
  try {
    return realpathSync('.');
  } catch {
    return undefined;
  }
}
