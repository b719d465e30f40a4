/** A config folder for each test, and a clock whose waits take no time. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from '../../../src/core/io.js';
import { home, temporaryFolder } from '../../support/run.js';

/** An environment with only its own folders. */
export const emptyEnv = (more: Record<string, string> = {}): Record<string, string> => ({ ...home(), ...more });

/** A config folder whose settings file contains this text. */
export function envWith(text: string, more: Record<string, string> = {}): Record<string, string> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'settings.json'), text);
  return { EDU_CONFIG_DIR: folder, EDU_STATE_DIR: join(folder, 'state'), ...more };
}

/** A machine whose clock moves only when something waits. */
export function machine(start = Date.now()): Machine & { advance: (milliseconds: number) => void } {
  let time = start;
  let made = 0;
  return {
    now: () => time,
    wait: async (milliseconds) => {
      time += milliseconds;
      await new Promise((resolve) => setImmediate(resolve));
    },
    unique: () => `unique${process.pid}x${made++}`,
    advance: (milliseconds) => {
      time += milliseconds;
    },
  };
}
