/** The parts of the context of a command that bulk jobs and plans use: streams, settings, client and progress. */
import type { Client } from '../client/request/client.js';
import type { Language, OrganizationReference } from '../contract/shared.js';
import type { Values } from '../core/flag-values.js';
import type { Env, Io, Machine } from '../core/io.js';
import type { Printer } from '../output/printer.js';
import type { Progress } from '../output/progress/progress.js';
import type { Effective } from '../settings/in-effect.js';

export interface BulkHost {
  readonly io: Io;
  readonly env: Env;
  /** Values of the global flags. */
  readonly globals: Values;
  /** Aborted by the first Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Clock and randomness for settings, credentials and locks. */
  readonly machine: Machine;
  readonly effective: () => Effective;
  /** Language of names in responses, from flag, environment or profile; EN by default. */
  readonly language: () => Language;
  /** The caller's own organization, read once and remembered. */
  readonly callersOrganization: () => Promise<OrganizationReference>;
  readonly client: () => Promise<Client>;
  readonly printer: () => Promise<Printer>;
  readonly progress: () => Promise<Progress>;
  /** Prints a warning on stderr, even with `--quiet`. */
  readonly warn: (text: string) => Promise<void>;
  /** Shows a spinner while `work` runs, if it takes long. */
  readonly during: <T>(label: string, work: Promise<T>) => Promise<T>;
}
