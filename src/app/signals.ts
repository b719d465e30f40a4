/** Turns signals into the end of the command, or of the program. */
import { EduError, EXIT_CODES } from '../core/errors.js';

/** The error of each signal. Its exit code is the one that shells report for a program that SIGINT or SIGTERM ended. */
const SIGNALS = {
  SIGINT: { kind: 'interrupted', message: 'Interrupted.' },
  SIGTERM: { kind: 'terminated', message: 'Terminated.' },
  SIGHUP: { kind: 'terminated', message: 'Terminated.' },
} as const;
type Signal = keyof typeof SIGNALS;
const NAMES = Object.keys(SIGNALS) as readonly Signal[];

/** A signal repeated within this time counts once: npx forwards signals that the terminal also sends to this process. */
const REPEAT_MS = 50;

/** Time for an interrupted program to end before it is killed. */
const GRACE_MS = 250;

/**
 * Ends the program at once. `process.exit` waits for Node's threads, which a write to a blocked pipe or a slow host
 * lookup keeps busy, and aborts with a core dump once the terminal is gone; then only the signal itself ends the program.
 * It runs no `exit` listeners, so they are called here: they remove temporary folders.
 */
function endNow(signal: Signal): void {
  const isBusy = process.getActiveResourcesInfo().some((name) => /^(FSReq|GetAddrInfo|GetNameInfo)/.test(name));
  const code = EXIT_CODES[SIGNALS[signal].kind];
  if (!isBusy && signal !== 'SIGHUP') process.exit(code);
  process.emit('exit', code);
  process.kill(process.pid, signal);
}

/** The process, which tests replace. */
interface Host {
  readonly source: Pick<NodeJS.EventEmitter, 'on' | 'off'>;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly end: (signal: Signal) => void;
}

const PROCESS: Host = { source: process, now: () => performance.now(), end: endNow };

/** The first of these signals asks the command to end, the second one ends the program. */
export function watchSignals({ source, now, end }: Host = PROCESS): {
  interrupted: Promise<EduError>;
  unwatch: () => void;
} {
  let interrupt: (reason: EduError) => void = () => {};
  const interrupted = new Promise<EduError>((resolve) => {
    interrupt = resolve;
  });
  let received: Signal | undefined;
  let receivedAt = 0;
  const unwatch = (): void => {
    for (const name of NAMES) source.off(name, receive);
  };
  function receive(signal: Signal): void {
    if (received === undefined) {
      received = signal;
      receivedAt = now();
      interrupt(new EduError(SIGNALS[signal].kind, SIGNALS[signal].message));
      return;
    }
    if (signal === received && now() - receivedAt < REPEAT_MS) return;
    unwatch();
    end(signal);
  }
  for (const name of NAMES) source.on(name, receive);
  return {
    interrupted,
    unwatch: () => {
      unwatch();
      const signal = received;
      // Node cannot exit as usual once the terminal is gone.
      if (signal === 'SIGHUP') end(signal);
      // Unreferenced, so the timer does not delay the exit.
      else if (signal !== undefined) setTimeout(() => end(signal), GRACE_MS).unref();
    },
  };
}
