/** The context of a command: streams, settings, client, output and prompts. `app/create-context.ts` creates it. */
import type { Resolver } from '../client/references/resolver.js';
import type { Client } from '../client/request/client.js';
import type { Language, OrganizationReference, OrganizationType } from '../contract/shared.js';
import type { Values } from '../core/flag-values.js';
import type { Env, Io } from '../core/io.js';
import type { Machine } from '../core/machine.js';
import type { Format } from '../output/formats.js';
import type { Printer } from '../output/printer.js';
import type { Progress } from '../output/progress/progress.js';
import type { Prompt } from '../output/terminal/prompt.js';
import type { Asked, Effective } from '../settings/in-effect.js';

/** An organization from a flag, the environment or the profile; its type may be unknown. */
export interface ChosenOrganization {
  readonly id: string;
  readonly type: OrganizationType | undefined;
}

export interface Context {
  readonly io: Io;
  readonly env: Env;
  /** Aborted by the first Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  /** Such as `licenses create`. */
  readonly path: string;
  readonly globals: Values;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Clock and randomness for settings, credentials and locks. */
  readonly machine: Machine;
  /** Flags, environment and settings file, for commands about settings and login. */
  readonly asked: () => Asked;
  readonly effective: () => Effective;
  readonly isOffline: boolean;
  readonly client: () => Promise<Client>;
  /** @param fallback default format; by default table on a terminal and tsv elsewhere */
  readonly printer: (fallback?: Format) => Promise<Printer>;
  /** Language of names in responses, from flag, environment or profile; EN by default. */
  readonly language: () => Language;
  /** The organization from the environment or the profile, if any. */
  readonly configuredOrganization: () => ChosenOrganization | undefined;
  /** The caller's own organization, read once and remembered. */
  readonly callersOrganization: () => Promise<OrganizationReference>;
  /** Resolves names to IDs; each list is read once per run. */
  readonly resolver: () => Promise<Resolver>;
  /** Whether prompts are possible: there is a terminal, and no `--no-input`. */
  readonly canAsk: boolean;
  /** @param stop aborts the questions; by default the first Ctrl-C or SIGTERM does */
  readonly prompt: (stop?: AbortSignal) => Promise<Prompt>;
  readonly quiet: boolean;
  /** Prints a sentence on stderr, only on a terminal and without `--quiet`. */
  readonly say: (text: string) => Promise<void>;
  /** Prints a warning on stderr. @param always print it even with `--quiet` */
  readonly warn: (text: string, always?: boolean) => Promise<void>;
  readonly progress: () => Promise<Progress>;
  /** Shows a spinner while `work` runs, if it takes long. */
  readonly during: <T>(label: string, work: Promise<T>) => Promise<T>;
  /**
   * Runs work that sends irreversible requests: an interruption prints `hint`, which tells how to check whether they were
   * carried out.
   */
  readonly atRisk: <T>(hint: string, work: Promise<T>) => Promise<T>;
  /**
   * Opens an address from the service in the browser.
   * @returns false if there is no browser, or it is disabled; the caller then prints the address
   * @throws EduError if the address must not be opened (not https, or with credentials in it)
   */
  readonly openAddress: (address: string) => Promise<boolean>;
  /** Registers a cleanup, such as closing a connection; cleanups run in reverse order. */
  readonly onEnd: (close: () => void | Promise<void>) => void;
}
