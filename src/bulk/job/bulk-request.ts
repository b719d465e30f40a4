/** The input, options and callbacks of a bulk command. */

import type { Reading } from '../../core/table/rows.js';
import type { ReferenceHost } from '../input/resolve-references.js';
import type { ResultTargets } from '../results/result-files.js';
import type { Values, Verb } from '../row-command.js';
import type { MaxErrors } from '../send/error-limit.js';
import type { OnExisting } from '../send/row-attempts.js';

/** How a job is run and what it writes; may differ each time that it is resumed. */
export interface Pace extends ResultTargets {
  readonly concurrency: number;
  /** Requests per second. */
  readonly maxRate: number | undefined;
  readonly maxErrors: MaxErrors | undefined;
}

export interface BulkOptions extends Pace {
  readonly from: string | undefined;
  readonly count: number | undefined;
  readonly job: string | undefined;
  readonly batch: string | undefined;
  readonly onExisting: OnExisting;
  /** Skip invalid rows and send the others. */
  readonly skipsInvalid: boolean;
  readonly shard: string | undefined;
  /** Flags for reading the file; undefined if none was given. */
  readonly reading: Reading | undefined;
  readonly dryRun: boolean;
}

/** A row whose update would reset a field unless the user decides otherwise. */
export interface ResetRow {
  readonly line: number;
  readonly value: string;
}

/** A row whose write has a consequence to confirm, to be put after "would". */
export interface RiskyRow {
  readonly line: number;
  readonly risk: string;
}

export interface BulkRequest {
  readonly verb: Verb;
  /** Values from the command line, for every row. */
  readonly line: Values;
  readonly options: BulkOptions;
  /** Values from settings, for what neither the command line nor the row gives: an organization, a language. */
  readonly defaults: Values;
  readonly organization: ReferenceHost['organization'];
  /**
   * Asks the user what to do about all rows that would reset a field; absent if the command cannot reset anything.
   * @returns values for every row
   * @throws a usage error if the answer is no, or there is no terminal
   */
  readonly decideReset?: (rows: readonly ResetRow[]) => Promise<Values>;
  /** Asks once about all risky rows; a dry run only names them. @throws a usage error if the answer is no, or there is no terminal */
  readonly confirmRisks: (rows: readonly RiskyRow[]) => Promise<void>;
  /** True if there is a terminal, or --yes. */
  readonly canConfirm: boolean;
  /**
   * Asks for confirmation of a destructive job.
   * @param losses what each item loses (`Verb.lossOf`), if it was counted
   * @throws a usage error if the answer is no, or there is no terminal
   */
  readonly confirm: (rows: number, losses?: readonly (readonly number[])[]) => Promise<void>;
}
