/** Gives licence codes to rows without one, derived from a secret and the row's identity. */
import type { BulkHost } from '../host.js';
import type { SourceRow } from '../input/row-source.js';
import type { Values, Verb } from '../row-command.js';
import type { Claim } from '../send/check-claim.js';
import { codeSecret } from './code-secret.js';
import { codeBytes } from './identity.js';
import { isDone, type Outcome } from './states.js';

/** The values of a row, including its code. */
export interface CodedRow {
  readonly values: Values;
  /** Whether `edu` derived the code, so that an item with this code was created for this row. */
  readonly hasOwnKey: boolean;
  /** Whether the code comes from a results file. */
  readonly isClaimed?: boolean;
  /** Set if a results file marks the row as created. */
  readonly claim?: Claim;
}

/** Max number of other codes tried for a row if the service rejects the code of a deleted licence. */
export const MAX_RECODES = 3;

/**
 * Returns a function that adds a row's code to its values. Its `used` is the number of the row's codes that the service
 * has rejected.
 * @param digests the identities of all rows
 */
export function withCodes(
  { codeOf, creates }: Verb,
  digests: Uint8Array,
  context: Pick<BulkHost, 'env' | 'machine'>,
): (row: number, source: SourceRow, used?: number) => CodedRow {
  const claimIn = (own: SourceRow['own']) => (creates && own?.isMade ? { claim: { id: own.id, code: own.code } } : {});
  if (codeOf === undefined) return (_, { values, own }) => ({ values, hasOwnKey: false, ...claimIn(own) });
  let bytesOf: ((row: number, used: number) => Uint8Array) | undefined;
  const derived = (row: number, used: number): string => {
    bytesOf ??= codeBytes(codeSecret(context.env, context.machine.unique), digests);
    return codeOf(bytesOf(row, used));
  };
  return (row, { values, own }, used = 0) => {
    const claim = claimIn(own);
    if (values.code !== undefined) return { values, hasOwnKey: false, ...claim };
    if (own?.code === undefined || used > 0)
      return { values: { ...values, code: derived(row, used) }, hasOwnKey: true, ...claim };
    const { code } = own;
    // A results file may have been edited, so its code is the row's own only if it can be derived again.
    const hasOwnKey = Array.from({ length: MAX_RECODES + 1 }, (_, index) => index).some(
      (index) => derived(row, index) === code,
    );
    return { values: { ...values, code }, hasOwnKey, isClaimed: true, ...claim };
  };
}

/**
 * A row with the code under which its licence exists, or may exist: the service may have rejected the first one, and the
 * secret may have changed since.
 * @param outcome what is recorded of the row; undefined if it was never sent
 */
export function withRecordedCode(coded: CodedRow, { codeOf }: Verb, outcome: Outcome | undefined): CodedRow {
  const code = outcome?.code ?? (codeOf === undefined ? undefined : outcome?.key);
  const { values, hasOwnKey, isClaimed = false } = coded;
  if (outcome === undefined || code === undefined || !(hasOwnKey || isClaimed)) return coded;
  const isOwn = hasOwnKey || isDone(outcome.state) || code !== values.code;
  return { ...coded, values: { ...values, code }, hasOwnKey: isOwn };
}
