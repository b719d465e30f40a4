/** Finds the folders of settings and state, and checks that other users cannot write to them. */
import { realpathSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { usageError } from '../core/errors.js';
import { checkFolder, checkFolderAndFiles } from '../core/fs/trusted-file.js';
import type { Env } from '../core/io.js';

/** The folder of settings and credentials: `EDU_CONFIG_DIR`, else the system's default. @throws EduError `usage` */
export function configFolder(env: Env, platform: NodeJS.Platform = process.platform): string {
  if (env.EDU_CONFIG_DIR) return expanded(env.EDU_CONFIG_DIR, env, platform);
  const inHome = (...path: readonly string[]) => join(homeFolder(env, platform), ...path);
  if (platform === 'win32') return join(appData(env), 'edu');
  if (platform === 'darwin' && !env.XDG_CONFIG_HOME) return inHome('Library', 'Application Support', 'edu');
  return join(absolute(env.XDG_CONFIG_HOME) ?? inHome('.config'), 'edu');
}

/** The folder of jobs, offline data and caches: `EDU_STATE_DIR`, else the system's default. @throws EduError `usage` */
export function stateFolder(env: Env, platform: NodeJS.Platform = process.platform): string {
  if (env.EDU_STATE_DIR) return expanded(env.EDU_STATE_DIR, env, platform);
  const inHome = (...path: readonly string[]) => join(homeFolder(env, platform), ...path);
  if (platform === 'win32') return join(absolute(env.LOCALAPPDATA) ?? inHome('AppData', 'Local'), 'edu', 'State');
  if (platform === 'darwin' && !env.XDG_STATE_HOME) return inHome('Library', 'Application Support', 'edu', 'State');
  return join(absolute(env.XDG_STATE_HOME) ?? inHome('.local', 'state'), 'edu');
}

/** Files of variables and units of systemd have no shell, which would expand `~`. */
const expanded = (path: string, env: Env, platform: NodeJS.Platform): string =>
  /^~(?=[\\/]|$)/.test(path) ? join(homeFolder(env, platform), path.slice(1)) : resolve(path);

/** The folder of the settings of programs on Windows. @throws EduError `usage` */
export const appData = (env: Env): string =>
  absolute(env.APPDATA) ?? join(homeFolder(env, 'win32'), 'AppData', 'Roaming');

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
