/** The codes that rows without one get: made from a secret, the job and the row. */
import type { Context } from '../../cli/context.js';
import type { Values, Verb } from '../row-command.js';
import { codeSecret } from './code-secret.js';
import { codeBytes } from './identity.js';
import type { Manifest } from './job-store.js';

/** The values of a row with its code. */
export interface CodedRow {
  readonly values: Values;
  /** The code was derived, not given. */
  readonly hasOwnKey: boolean;
}

/** Gives a row its code. */
export function withCodes(verb: Verb, manifest: Manifest, context: Context): (row: number, values: Values) => CodedRow {
  const { codeOf } = verb;
  if (codeOf === undefined) return (_, values) => ({ values, hasOwnKey: false });
  let bytesOf: ((row: number) => Uint8Array) | undefined;
  return (row, values) => {
    if (values.code !== undefined) return { values, hasOwnKey: false };
    bytesOf ??= codeBytes(
      codeSecret(context.env, context.effective().profile.value, context.machine.unique),
      manifest.identity,
    );
    return { values: { ...values, code: codeOf(bytesOf(row)) }, hasOwnKey: true };
  };
}
