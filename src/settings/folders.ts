/** Finds the folders of settings and state. */
import { join, resolve } from 'node:path';
import type { Env } from '../core/io.js';

/** The folder of settings and credentials: `EDU_CONFIG_DIR`, else the system's default. */
export function configFolder(env: Env, platform: NodeJS.Platform = process.platform): string {
  if (env.EDU_CONFIG_DIR) return resolve(env.EDU_CONFIG_DIR);
  const home = homeFolder(env, platform);
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'edu');
  if (platform === 'darwin' && !env.XDG_CONFIG_HOME) return join(home, 'Library', 'Application Support', 'edu');
  return join(absolute(env.XDG_CONFIG_HOME) ?? join(home, '.config'), 'edu');
}

/** The folder of jobs, offline data and caches: `EDU_STATE_DIR`, else the system's default. */
export function stateFolder(env: Env, platform: NodeJS.Platform = process.platform): string {
  if (env.EDU_STATE_DIR) return resolve(env.EDU_STATE_DIR);
  const home = homeFolder(env, platform);
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'edu', 'State');
  if (platform === 'darwin' && !env.XDG_STATE_HOME) {
    return join(home, 'Library', 'Application Support', 'edu', 'State');
  }
  return join(absolute(env.XDG_STATE_HOME) ?? join(home, '.local', 'state'), 'edu');
}

function homeFolder(env: Env, platform: NodeJS.Platform): string {
  return (platform === 'win32' ? env.USERPROFILE : env.HOME) || process.getBuiltinModule('node:os').homedir();
}

// The XDG specification requires relative paths to be ignored.
const absolute = (path: string | undefined): string | undefined => (path?.startsWith('/') ? path : undefined);
