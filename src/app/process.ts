/** Runs `main` in this process: the real streams, environment, clock, randomness and signals. */
import { processIo } from '../output/process-io.js';
import { main } from './main.js';
import { watchSignals } from './signals.js';

/** @returns the exit code */
export async function runProcess(argv: readonly string[]): Promise<number> {
  const { interrupted, unwatch } = watchSignals();
  try {
    return await main(argv, {
      io: processIo(),
      // A copy, because process.env is reduced before child processes are started.
      env: { ...process.env },
      interrupted,
      now: Date.now,
      // Loaded on demand: node:crypto takes 2 ms, and few commands need it.
      randomBytes: (count) => process.getBuiltinModule('node:crypto').randomBytes(count),
    });
  } finally {
    unwatch();
  }
}
