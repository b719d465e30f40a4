/** The input, options and callbacks of a bulk command. */

import type { Client } from '../../client/request/client.js';
import type { BulkHost } from '../host.js';
import type { Reading } from '../input/reading.js';
import type { ReferenceHost } from '../input/resolve-references.js';
import type { Values, Verb } from '../row-command.js';
import type { MaxErrors } from '../send/error-limit.js';
import type { OnExisting } from '../send/row-attempts.js';

export interface BulkOptions {
  readonly from: string | undefined;
  readonly count: number | undefined;
  readonly concurrency: number;
  /** Requests per second. */
  readonly maxRate: number | undefined;
  readonly results: string | undefined;
  readonly failed: string | undefined;
  readonly job: string | undefined;
  readonly batch: string | undefined;
  readonly onExisting: OnExisting;
  readonly maxErrors: MaxErrors | undefined;
  /** Rows that are wrong are left out, and the others sent. */
  readonly skipsInvalid: boolean;
  readonly shard: string | undefined;
  readonly encoding: string | undefined;
  readonly delimiter: string | undefined;
  /** How columns and cells are read; undefined when nothing was said. */
  readonly reading: Reading | undefined;
  readonly dryRun: boolean;
}

/** A row that would reset a value without a decision. */
export interface ResetRow {
  readonly line: number;
  readonly value: string;
}

export interface BulkRequest {
  readonly verb: Verb;
  /** What the command line says for every row. */
  readonly line: Values;
  readonly options: BulkOptions;
  /** What settings say for every row that the line and the row leave open: an organization, a language. */
  readonly defaults: Values;
  readonly organization: ReferenceHost['organization'];
  /** A value that a row's write resets without a decision; undefined when no row of the command does that. */
  readonly findReset?: (values: Values) => Promise<string | undefined>;
  /**
   * Decides for all rows that would reset something.
   * @returns values for every row @throws a usage error when the answer is no, or there is no terminal
   */
  readonly decideReset?: (rows: readonly ResetRow[]) => Promise<Values>;
  /** There is a terminal, or --yes. */
  readonly canConfirm: boolean;
  /** Asks before something is destroyed. @throws a usage error when the answer is no, or there is no terminal */
  readonly confirm: (rows: number) => Promise<void>;
}

export const referenceHost = (context: BulkHost, organization: ReferenceHost['organization']): ReferenceHost => ({
  client: (): Promise<Client> => context.client(),
  language: context.language,
  organization,
  callersOrganization: context.callersOrganization,
  signal: context.signal,
  now: context.now,
});

/** From 0 to below 1. */
export const chance = (context: Pick<BulkHost, 'randomBytes'>) => (): number =>
  Buffer.from(context.randomBytes(4)).readUInt32LE() / 2 ** 32;
