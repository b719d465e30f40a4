/** The parts of the context of a command that bulk jobs and plans use: streams, settings, client and progress. */
import type { ListHost } from '../client/references/item-lists.js';
import type { Values } from '../core/flag-values.js';
import type { Env, Io, Machine } from '../core/io.js';
import type { Printer } from '../output/printer.js';
import type { Progress } from '../output/progress/progress.js';
import type { Effective } from '../settings/in-effect.js';

export interface BulkHost extends Omit<ListHost, 'organization'> {
  readonly io: Io;
  readonly env: Env;
  /** Values of the global flags. */
  readonly globals: Values;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Clock and randomness for settings, credentials and locks. */
  readonly machine: Machine;
  readonly effective: () => Effective;
  readonly printer: () => Promise<Printer>;
  readonly progress: () => Promise<Progress>;
  /** Shows a spinner while `work` runs, if it takes long. */
  readonly during: <T>(label: string, work: Promise<T>) => Promise<T>;
}
