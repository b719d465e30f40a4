/** The parts of the program that a bulk job uses: streams, settings, client and progress. */
import type { Client } from '../client/request/client.js';
import type { Language, OrganizationReference } from '../contract/shared.js';
import type { Values } from '../core/flag-values.js';
import type { Env, Io } from '../core/io.js';
import type { Machine } from '../core/machine.js';
import type { Printer } from '../output/printer.js';
import type { Progress } from '../output/progress/progress.js';
import type { Effective } from '../settings/in-effect.js';

export interface BulkHost {
  readonly io: Io;
  readonly env: Env;
  /** Values of the global flags. */
  readonly globals: Values;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly machine: Machine;
  readonly effective: () => Effective;
  readonly language: () => Language;
  readonly callersOrganization: () => Promise<OrganizationReference>;
  readonly client: () => Promise<Client>;
  readonly printer: () => Promise<Printer>;
  readonly progress: () => Promise<Progress>;
  readonly warn: (text: string, always?: boolean) => Promise<void>;
  readonly during: <T>(label: string, work: Promise<T>) => Promise<T>;
}
