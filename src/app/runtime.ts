/** The parts of the process that the program uses and tests replace. */
import type { LineRuntime } from '../cli/context.js';
import type { Asking } from '../output/terminal/prompt.js';

/** `interrupted` resolves with the error at the first Ctrl-C or SIGTERM. */
export interface Runtime extends LineRuntime {
  readonly now: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Delay before progress is shown; default 300 ms. */
  readonly progressDelayMs?: number;
  /** The terminal of prompts; default stdin and stderr of the process. */
  readonly terminal?: Pick<Asking, 'input' | 'output'>;
}
