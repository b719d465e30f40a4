/** Runs `main` in this process: the real streams, environment, clock, randomness and signals. */
import { EduError } from '../core/errors.js';
import { processIo } from '../output/process-io.js';
import { main } from './main.js';

type Ending = 'SIGINT' | 'SIGTERM';

/** What a shell says of a program that a signal ended, and what the exit code is when it ends itself. */
const CODES: Readonly<Record<Ending, number>> = { SIGINT: 130, SIGTERM: 143 };

/** Milliseconds in which a repeated signal counts once: npx forwards signals that the terminal also sends to us. */
const ECHO = 50;

/** Milliseconds in which an interrupted program may end by itself. */
const GRACE = 250;

/**
 * Ends the program at once. Node waits for its threads even in `process.exit`, and a write to a pipe whose reader has
 * stopped, or a host name that does not resolve, keeps one busy: the signal itself ends the program anyway. It
 * tells no listener of the end, and they are what removes temporary folders.
 */
function endNow(signal: Ending): void {
  const isHeldUp = process.getActiveResourcesInfo().some((name) => /^(FSReq|GetAddrInfo|GetNameInfo)/.test(name));
  if (!isHeldUp) process.exit(CODES[signal]);
  process.emit('exit', CODES[signal]);
  process.kill(process.pid, signal);
}

/**
 * The first signal asks the command to end; a second one ends the program.
 * @returns what settles with the first, and what takes the handlers away again
 */
function watchSignals(): { interrupted: Promise<EduError>; unwatch: () => void } {
  let interrupt: (reason: EduError) => void = () => {};
  const interrupted = new Promise<EduError>((resolve) => {
    interrupt = resolve;
  });
  let received: Ending | undefined;
  let receivedAt = 0;
  const unwatch = () => {
    process.off('SIGINT', onInterrupt);
    process.off('SIGTERM', onTerminate);
  };
  function receive(signal: Ending, reason: EduError): void {
    if (received === undefined) {
      received = signal;
      receivedAt = performance.now();
      interrupt(reason);
      return;
    }
    if (signal === received && performance.now() - receivedAt < ECHO) return;
    unwatch();
    endNow(signal);
  }
  const onInterrupt = () => receive('SIGINT', new EduError('interrupted', 'Interrupted.'));
  const onTerminate = () => receive('SIGTERM', new EduError('terminated', 'Terminated.'));
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  return {
    interrupted,
    unwatch: () => {
      unwatch();
      const ending = received;
      // Nothing is kept waiting by the timer.
      if (ending !== undefined) setTimeout(() => endNow(ending), GRACE).unref();
    },
  };
}

/** @returns the exit code */
export async function runProcess(argv: readonly string[]): Promise<number> {
  const { interrupted, unwatch } = watchSignals();
  try {
    return await main(argv, {
      io: processIo(),
      // A copy: what programs may see of process.env is cut down before one is started.
      env: { ...process.env },
      interrupted,
      now: Date.now,
      // node:crypto takes 2 ms to load, and few commands need chance.
      randomBytes: (count) => process.getBuiltinModule('node:crypto').randomBytes(count),
    });
  } finally {
    unwatch();
  }
}
