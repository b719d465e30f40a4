/**
 * For configurations of vitest: a folder for seeded states of the bundled service and other files that all tests of a
 * worker share. It is removed by this process, because its workers are killed, or by the next one if this is killed.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'edu-test-seeds-';

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

for (const name of readdirSync(tmpdir())) {
  const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
  if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(tmpdir(), name), { recursive: true, force: true });
}

const SEEDS = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
process.env.EDU_TEST_SEEDS = SEEDS;
process.on('exit', () => rmSync(SEEDS, { recursive: true, force: true }));
