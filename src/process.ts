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
  let received: 'SIGINT' | 'SIGTERM' | undefined;
  const interrupt = () => {
    received ??= 'SIGINT';
    controller.abort(new EduError('interrupted', 'Interrupted.'));
  };
  const terminate = () => {
    received ??= 'SIGTERM';
    controller.abort(new EduError('terminated', 'Terminated.'));
  };
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', terminate);
  return {
    signal: controller.signal,
    unwatch: () => {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', terminate);
      if (received !== undefined) endSoon(received);
    },
  };
}

/** Milliseconds in which an interrupted program may end by itself. */
const GRACE = 250;

/**
 * A write to a pipe whose reader has stopped blocks its thread, and Node waits for its threads even in `process.exit`. The
 * signal itself ends the program all the same, and a shell sees the same exit code. Nothing is kept waiting by the timer.
 */
function endSoon(signal: 'SIGINT' | 'SIGTERM'): void {
  setTimeout(() => process.kill(process.pid, signal), GRACE).unref();
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
