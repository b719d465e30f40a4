/** The identities of all rows of an input, and the rows that a results file says are done. */
import { createHash } from 'node:crypto';
import type { References } from '../input/resolve-references.js';
import { seenKeys } from '../input/seen-keys.js';
import { openRows, rowsOf, valuesReader } from '../input/source.js';
import type { Verb } from '../row-command.js';
import { DIGEST_BYTES, rowDigests, rowText, wholeText } from './identity.js';
import type { Manifest } from './job-store.js';
import type { Outcome } from './states.js';

export interface IdentifiedRows {
  /** `DIGEST_BYTES` for each row, in order. */
  readonly digests: Buffer;
  /** Rows of a create that a results file says are done. */
  readonly done: readonly (Outcome & { readonly row: number })[];
  /** A hash of the values of all rows, in order. */
  readonly values: string;
  /** Rows that are equal to an earlier one. */
  readonly equal: number;
}

/**
 * Reads the input once more.
 * @param defaultOrganization the one that a row without an organization means
 */
export async function identifyRows(
  verb: Verb,
  folder: string,
  manifest: Manifest,
  references: References,
  defaultOrganization: string,
): Promise<IdentifiedRows> {
  const digests = Buffer.alloc(manifest.rows * DIGEST_BYTES);
  const digestOf = rowDigests(manifest);
  const input = await openRows(folder, manifest);
  const read = valuesReader(verb, input, manifest.values, { filled: references.identifying });
  const seen = seenKeys();
  const done: (Outcome & { readonly row: number })[] = [];
  const hash = createHash('sha256');
  let equal = 0;
  let shared: string | undefined;
  for await (const rows of rowsOf(input, manifest.rows)) {
    for (const row of rows) {
      let text = shared;
      let before = row.number - 1;
      if (text === undefined) {
        const { values, own } = read(row);
        text = rowText(verb, values, defaultOrganization);
        hash.update(wholeText(verb, { ...values, language: undefined }, defaultOrganization));
        if (input === undefined) shared = text;
        else before = seen.count(text) + (own?.equal ?? 0);
        if (verb.creates && own?.isMade) {
          const { id, code } = own;
          done.push({
            row: row.number,
            state: 'exists',
            ...(id === undefined ? {} : { id }),
            ...(code === undefined ? {} : { code }),
          });
        }
      }
      if (before > 0) equal++;
      digestOf(text, before).copy(digests, (row.number - 1) * DIGEST_BYTES);
    }
  }
  return { digests, values: hash.update(String(manifest.rows)).digest('hex'), done, equal };
}
