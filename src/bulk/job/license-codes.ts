/** Gives licence codes to rows without one, derived from a secret and the row's identity. */
import type { BulkHost } from '../host.js';
import type { SourceRow } from '../input/row-source.js';
import type { Values, Verb } from '../row-command.js';
import { codeSecret } from './code-secret.js';
import { codeBytes } from './identity.js';
import type { Outcome } from './states.js';

/** The values of a row, including its code. */
export interface CodedRow {
  readonly values: Values;
  /** Whether the code was derived, not given. */
  readonly hasOwnKey: boolean;
}

/**
 * Adds a code to the values that were read for a row. They are not copied, because V8 11 gives each object from a literal
 * with a property after a spread a hidden class of its own, which makes all reads of it slow.
 */
const withCode = (values: Values, code: string): CodedRow => ({
  values: Object.assign(values, { code }),
  hasOwnKey: true,
});

/**
 * Returns a function that adds a row's code to its values. Its `used` is the number of the row's codes that the service
 * has rejected.
 * @param digests the identities of all rows
 */
export function withCodes(
  { codeOf }: Verb,
  digests: Uint8Array,
  context: Pick<BulkHost, 'env' | 'machine'>,
): (row: number, source: SourceRow, used?: number) => CodedRow {
  if (codeOf === undefined) return (_, { values }) => ({ values, hasOwnKey: false });
  let bytesOf: ((row: number, used: number) => Uint8Array) | undefined;
  return (row, { values, own }, used = 0) => {
    if (values.code !== undefined) return { values, hasOwnKey: false };
    if (own?.code !== undefined && used === 0) return withCode(values, own.code);
    bytesOf ??= codeBytes(codeSecret(context.env, context.machine.unique), digests);
    return withCode(values, codeOf(bytesOf(row, used)));
  };
}

/**
 * A row with the code under which its licence exists, or may exist: the service may have rejected the first one, and the
 * secret may have changed since.
 * @param outcome what is recorded of the row; undefined if it was never sent
 */
export function withRecordedCode(coded: CodedRow, { codeOf }: Verb, outcome: Outcome | undefined): CodedRow {
  const code = outcome?.code ?? (codeOf === undefined ? undefined : outcome?.key);
  return coded.hasOwnKey && code !== undefined ? withCode(coded.values, code) : coded;
}
