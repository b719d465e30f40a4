/** The codes that rows without one get: made from a secret, the job and the row. */
import type { Context } from '../context.js';
import { codeBytes } from './identity.js';
import { codeSecret } from './secret.js';
import type { Manifest } from './store.js';
import type { Values, Verb } from './verb.js';

/** Gives a row its code. */
export function withCodes(verb: Verb, manifest: Manifest, context: Context): (row: number, values: Values) => Values {
  const { codeOf } = verb;
  if (codeOf === undefined) return (_, values) => values;
  let bytesOf: ((row: number) => Uint8Array) | undefined;
  return (row, values) => {
    if (values.code !== undefined) return values;
    bytesOf ??= codeBytes(
      codeSecret(context.env, context.effective().profile.value, context.machine.unique),
      manifest.identity,
    );
    return { ...values, code: codeOf(bytesOf(row)) };
  };
}
