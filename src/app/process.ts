/** Runs `main` in this process: the real streams, environment, clock, randomness and signals. */
import { EduError, EXIT_CODES } from '../core/errors.js';
import { processIo } from '../output/process-io.js';
import { main } from './main.js';

/** The error of each signal. Its exit code is the one that shells report for a program that a signal ended. */
const SIGNALS = {
  SIGINT: { kind: 'interrupted', message: 'Interrupted.' },
  SIGTERM: { kind: 'terminated', message: 'Terminated.' },
} as const;
type Signal = keyof typeof SIGNALS;

/** A signal repeated within this time counts once: npx forwards signals that the terminal also sends to this process. */
const REPEAT_MS = 50;

/** Time for an interrupted program to end before it is killed. */
const GRACE_MS = 250;

/**
 * Ends the program at once. `process.exit` waits for Node's threads, which a write to a blocked pipe or a slow host
 * lookup keeps busy; then only the signal itself ends the program. It runs no `exit` listeners, so they are called
 * here: they remove temporary folders.
 */
function endNow(signal: Signal): void {
  const isBusy = process.getActiveResourcesInfo().some((name) => /^(FSReq|GetAddrInfo|GetNameInfo)/.test(name));
  const code = EXIT_CODES[SIGNALS[signal].kind];
  if (!isBusy) process.exit(code);
  process.emit('exit', code);
  process.kill(process.pid, signal);
}

/** The first SIGINT or SIGTERM asks the command to end, the second one ends the program. */
function watchSignals(): { interrupted: Promise<EduError>; unwatch: () => void } {
  let interrupt: (reason: EduError) => void = () => {};
  const interrupted = new Promise<EduError>((resolve) => {
    interrupt = resolve;
  });
  let received: Signal | undefined;
  let receivedAt = 0;
  const unwatch = () => void process.off('SIGINT', receive).off('SIGTERM', receive);
  function receive(signal: Signal): void {
    if (received === undefined) {
      received = signal;
      receivedAt = performance.now();
      interrupt(new EduError(SIGNALS[signal].kind, SIGNALS[signal].message));
      return;
    }
    if (signal === received && performance.now() - receivedAt < REPEAT_MS) return;
    unwatch();
    endNow(signal);
  }
  process.on('SIGINT', receive).on('SIGTERM', receive);
  return {
    interrupted,
    unwatch: () => {
      unwatch();
      const signal = received;
      // Unreferenced, so the timer does not delay the exit.
      if (signal !== undefined) setTimeout(() => endNow(signal), GRACE_MS).unref();
    },
  };
}

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
