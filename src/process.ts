/** Runs `main` in this process: the real streams, environment, clock, randomness and signals. */
import { EduError } from './errors.js';
import { main } from './main.js';
import { processIo } from './output/process-io.js';

/**
 * The first signal asks the command to end; a second one of the same kind ends the process the way the system does.
 * @returns the signal that is aborted, and what takes the handlers away again
 */
function watchSignals(): { signal: AbortSignal; unwatch: () => void } {
  const controller = new AbortController();
  const interrupt = () => controller.abort(new EduError('interrupted', 'Interrupted.'));
  const terminate = () => controller.abort(new EduError('terminated', 'Terminated.'));
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', terminate);
  return {
    signal: controller.signal,
    unwatch: () => {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', terminate);
    },
  };
}

/** @returns the exit code */
export async function runProcess(argv: readonly string[]): Promise<number> {
  const { signal, unwatch } = watchSignals();
  try {
    return await main(argv, {
      io: processIo(),
      env: process.env,
      signal,
      now: Date.now,
      // node:crypto takes 2 ms to load, and few commands need chance.
      randomBytes: (count) => process.getBuiltinModule('node:crypto').randomBytes(count),
    });
  } finally {
    unwatch();
  }
}
