/** One machine with `edu` and the bundled service, and a folder for files. */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { home, type Ran, run } from './run.js';

/**
 * @param folders the machine of earlier runs (default: a new one)
 * @param more environment
 */
export function offline(folders = home(), more: Readonly<Record<string, string>> = {}) {
  const env = { ...folders, EDU_OFFLINE: '1', ...more };
  const path = (name: string): string => join(env.EDU_STATE_DIR, '..', name);
  const send = (argv: readonly string[], input = ''): Promise<Ran> => run(argv, { env, input, randomBytes });
  const edu = (...argv: readonly string[]): Promise<Ran> => send(argv);
  return {
    env,
    edu,
    /** Runs a command with something in stdin. */
    send,
    /** What a command prints with `--json`. */
    json: async (...argv: readonly string[]) => JSON.parse((await edu(...argv, '--json')).stdout),
    /** A path in the folder for files. */
    path,
    /** Writes a file. @returns its path */
    write: (name: string, content: string | Uint8Array): string => {
      writeFileSync(path(name), content);
      return path(name);
    },
  };
}
