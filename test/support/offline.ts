/** One machine with `edu` and the bundled service, and a folder for files. */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { home, type Ran, run } from './run.js';

/** @param folders the machine of earlier runs (default: a new one) */
export function offline(folders = home()) {
  const env = { ...folders, EDU_OFFLINE: '1' };
  const path = (name: string): string => join(env.EDU_STATE_DIR, '..', name);
  const edu = (...argv: readonly string[]): Promise<Ran> => run(argv, { env, randomBytes });
  return {
    env,
    edu,
    /** What a command prints with `--json`. */
    json: async (...argv: readonly string[]) => JSON.parse((await edu(...argv, '--json')).stdout),
    /** A path in the folder for files. */
    path,
    /** Writes a file. @returns its path */
    write: (name: string, text: string): string => {
      writeFileSync(path(name), text);
      return path(name);
    },
  };
}
