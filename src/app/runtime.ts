/** The parts of the process that the program uses and tests replace. */
import type { EduError } from '../core/errors.js';
import type { Env, Io } from '../core/io.js';
import type { Asking } from '../output/terminal/prompt.js';

export interface Runtime {
  readonly io: Io;
  readonly env: Env;
  /** Resolves with the error at the first Ctrl-C or SIGTERM. */
  readonly interrupted: Promise<EduError>;
  readonly now: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Delay before progress is shown; default 300 ms. */
  readonly progressDelayMs?: number;
  /** The terminal of prompts; default stdin and stderr of the process. */
  readonly terminal?: Pick<Asking, 'input' | 'output'>;
}
