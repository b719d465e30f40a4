/** The context of a command: streams, settings, client, output and prompts. `app/create-context.ts` creates it. */
import type { BulkHost } from '../bulk/host.js';
import type { Resolver } from '../client/references/resolver.js';
import type { OrganizationType } from '../contract/shared.js';
import type { EduError } from '../core/errors.js';
import type { Values } from '../core/flag-values.js';
import type { Send } from '../core/http.js';
import type { Env, Io } from '../core/io.js';
import type { Format } from '../output/formats.js';
import type { Printer } from '../output/printer.js';
import type { Prompt } from '../output/terminal/prompt.js';
import type { Asked } from '../settings/in-effect.js';

/** An organization from a flag, the environment or the profile; its type may be unknown. */
export interface ChosenOrganization {
  readonly id: string;
  readonly type: OrganizationType | undefined;
}

/** What a command line that a command runs has instead of the surroundings of this process. */
export interface LineRuntime {
  readonly io: Io;
  readonly env: Env;
  /** Resolves with the error that ends the line early. */
  readonly interrupted: Promise<EduError>;
  /** Global flags that the line has unless it gives them itself. */
  readonly globals?: Values;
  /** Wraps the function that sends requests. */
  readonly filter?: ((send: Send) => Send) | undefined;
  /** Gets the error of a line that failed, with the warnings before it, instead of printing them. */
  readonly onError?: (error: EduError, warnings: readonly string[]) => void;
}

/** Runs a command line. @param argv the words after `edu` @returns the exit code */
export type RunLine = (argv: readonly string[], runtime: LineRuntime) => Promise<number>;

export interface Context extends BulkHost {
  /** Such as `licenses create`. */
  readonly path: string;
  /** Flags, environment and settings file, for commands about settings and login. */
  readonly asked: () => Asked;
  readonly isOffline: boolean;
  /** @param fallback default format; by default table on a terminal and tsv elsewhere */
  readonly printer: (fallback?: Format) => Promise<Printer>;
  /** The organization from the environment or the profile, if any. */
  readonly configuredOrganization: () => ChosenOrganization | undefined;
  /** Resolves names to IDs; each list is read once per run. */
  readonly resolver: () => Promise<Resolver>;
  /** True if prompts are possible: there is a terminal, and no `--no-input`. */
  readonly canAsk: boolean;
  /** @param stop aborts the questions; by default the first Ctrl-C or SIGTERM does */
  readonly prompt: (stop?: AbortSignal) => Promise<Prompt>;
  readonly quiet: boolean;
  /** Prints a sentence on stderr, only on a terminal and without `--quiet`. */
  readonly say: (text: string) => Promise<void>;
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
  /** Runs another command line in this process. */
  readonly runLine: RunLine;
}
