/** The context of a command: streams, settings, client, output and prompts. `app/create-context.ts` creates it. */
import type { Resolver } from '../client/references/resolver.js';
import type { Client } from '../client/request/client.js';
import type { Language, OrganizationReference, OrganizationType } from '../contract/shared.js';
import type { Values } from '../core/flag-values.js';
import type { Format } from '../core/formats.js';
import type { Env, Io } from '../core/io.js';
import type { Machine } from '../core/machine.js';
import type { Printer } from '../output/printer.js';
import type { Progress } from '../output/progress/progress.js';
import type { Prompt } from '../output/terminal/prompt.js';
import type { Asked, Effective } from '../settings/in-effect.js';

/** An organization that flag, environment or profile name; its type may not have been said. */
export interface ChosenOrganization {
  readonly id: string;
  readonly type: OrganizationType | undefined;
}

export interface Context {
  readonly io: Io;
  readonly env: Env;
  /** Aborted by the first Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  /** The command's words, such as `licenses create`. */
  readonly path: string;
  /** The global flags of the line. */
  readonly globals: Values;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
  /** The same, as what settings and credentials need. */
  readonly machine: Machine;
  /** What flags, environment and settings file say; for the commands about settings and login. */
  readonly asked: () => Asked;
  /** The values in effect. */
  readonly effective: () => Effective;
  readonly isOffline: boolean;
  readonly client: () => Promise<Client>;
  /** @param fallback the format when none was asked for; table on a terminal and tsv elsewhere if left out */
  readonly printer: (fallback?: Format) => Promise<Printer>;
  /** Language of names in answers: flag, environment, profile, EN. */
  readonly language: () => Language;
  /** The organization that environment or profile name, if any. */
  readonly configuredOrganization: () => ChosenOrganization | undefined;
  /** The caller's own organization, read once and remembered. */
  readonly callersOrganization: () => Promise<OrganizationReference>;
  /** Finds what names refer to; each list is read once in a run. */
  readonly resolver: () => Promise<Resolver>;
  /** True when missing values may be asked for: a terminal, and not `--no-input`. */
  readonly canAsk: boolean;
  readonly prompt: () => Promise<Prompt>;
  readonly quiet: boolean;
  /** A sentence on stderr for people at a terminal; nothing with `--quiet` or when stderr is not a terminal. */
  readonly say: (text: string) => Promise<void>;
  /** Prints a warning on stderr, terminal or not; nothing with `--quiet`, unless it must always be seen. */
  readonly warn: (text: string, always?: boolean) => Promise<void>;
  readonly progress: () => Promise<Progress>;
  /** Shows that something is under way while `work` runs, if it takes long. */
  readonly during: <T>(label: string, work: Promise<T>) => Promise<T>;
  /**
   * While `work` runs, an irreversible request may be in flight: an interruption prints `hint`, which tells how to check
   * whether it was done.
   */
  readonly atRisk: <T>(hint: string, work: Promise<T>) => Promise<T>;
  /**
   * Opens an address that came from the service in the browser.
   * @returns false when there is no browser to open, or none is wanted: show the address then
   * @throws EduError when the address may not be opened (not https, or with credentials in it)
   */
  readonly openAddress: (address: string) => Promise<boolean>;
  /** Called at the end of the command, last first: closes connections and files. */
  readonly onEnd: (close: () => void | Promise<void>) => void;
}
