/** A config folder for each test, and a clock whose waits take no time. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Machine } from '../../../src/core/io.js';

export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'edu-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An environment with only its own folders. */
export function emptyEnv(more: Record<string, string> = {}): Record<string, string> {
  const folder = emptyFolder();
  return { EDU_CONFIG_DIR: join(folder, 'config'), EDU_STATE_DIR: join(folder, 'state'), ...more };
}

/** A config folder whose settings file contains this text. */
export function envWith(text: string, more: Record<string, string> = {}): Record<string, string> {
  const folder = emptyFolder();
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
