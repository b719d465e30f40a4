/**
 * The identity of rows and jobs, and the licence codes derived from it. It covers a row's values after references and
 * defaults, not its file, line or encoding.
 */
import { createCipheriv, createHash, createHmac, hash } from 'node:crypto';
import { getOrSet } from '../../core/maps.js';
import type { Shard } from '../../core/shard.js';
import type { Values, Verb } from '../row-command.js';

/** The part of an identity that all rows of a job share. */
export interface Scope {
  readonly baseUrl: string;
  /** The caller's organization. */
  readonly organization: string;
  /** The command's words. */
  readonly path: string;
  readonly batch: string | null;
}

/** Length of a row's identity, in bytes; also a block of AES. */
export const DIGEST_BYTES = 16;

/** Bytes of identities that are encrypted together. */
const CODES_AT_ONCE = 256 * DIGEST_BYTES;

const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

/** E-mail addresses are the same in any case, texts in any Unicode form, lists in any order and without repetitions. */
function normalized(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((one) => normalized(name, one)))].sort();
  if (typeof value !== 'string') return value;
  const text = value.normalize('NFC').trim();
  return name === 'email' ? text.toLowerCase() : text;
}

/**
 * Returns a function that serializes the values of a row: `row` is equal for rows that request the same item, and
 * `whole` has all values but the language, which may come from settings.
 * @param organization the organization of rows without one, if the command has such a column
 */
export function rowTexts({ columns, creates, key }: Verb, organization: string) {
  const takesOrganization = creates && columns.some(({ name }) => name === 'organization');
  // Unlisted columns are API fields that the values of listed columns imply, such as the type of an expiration.
  const listed = new Set(columns.filter(({ unlisted }) => !unlisted).map(({ name }) => name));
  const implied = columns.map(({ name }) => name).filter((name) => !listed.has(name));
  const uncounted = new Set(['organization', 'organization-type', ...implied]);

  /** The names to serialize, in order, by all names of a row: most rows have the same. */
  const orders = new Map<string, readonly string[]>();

  function textOf(values: Values, names: readonly string[]): string {
    const facts: unknown[] = [];
    for (const name of getOrSet(orders, names.join('\n'), () => names.filter((one) => !uncounted.has(one)).sort()))
      if (values[name] !== undefined) facts.push([name, normalized(name, values[name])]);
    return JSON.stringify([facts, values.organization ?? (takesOrganization ? organization : null)]);
  }

  return (values: Values) => {
    // The natural key alone identifies an item: other values with the same key are a conflict, not another item.
    const isKeyed = creates && key.length > 0 && key.every((name) => values[name] !== undefined);
    const names = Object.keys(values);
    const row = textOf(values, isKeyed ? key : names);
    const withoutLanguage = names.filter((name) => name !== 'language');
    return { row, isKeyed, whole: isKeyed || values.language !== undefined ? textOf(values, withoutLanguage) : row };
  };
}

/**
 * Returns a function that computes the identity of a row, as a string of bytes: it takes a third of the time of a buffer.
 * The string may be longer than `DIGEST_BYTES`; only these count.
 */
export function identities({ baseUrl, organization, path, batch }: Scope) {
  const scope = JSON.stringify([baseUrl, organization, path, batch]);
  return (text: string, before: number): string => hash('sha256', `${scope}\n${before}\n${text}`, 'binary');
}

/** The ID of a job on this machine, short enough to type. @param rows a hash of the values of its rows, in order */
export function jobId(scope: Scope, name: string | null, rows: string, shard: Shard | undefined): string {
  const { baseUrl, organization, path, batch } = scope;
  const id = createHash('sha256')
    .update(JSON.stringify([baseUrl, organization, path, batch, name]))
    .update(rows);
  const part = shard === undefined ? '' : `-${shard.index}of${shard.count}`;
  return `${id.digest('hex').slice(0, 10)}${part}`;
}

/** A hash of a command line and the bytes of its input. */
export const contentOf = (facts: unknown): string => sha256(JSON.stringify(facts)).toString('hex');

/**
 * The bytes that licence codes are made from: AES-256 of a row's identity, so they cannot be guessed without the secret.
 * @param rows the identities of all rows
 * @returns a function from a row, counted from 1, and the number of its codes that the service has rejected, to 16 bytes
 */
export function codeBytes(secret: string, rows: Uint8Array): (row: number, used?: number) => Uint8Array {
  const key = createHmac('sha256', secret).update('edu licence codes').digest();
  // ECB keeps nothing between blocks, so that one cipher serves all rows.
  const cipher = createCipheriv('aes-256-ecb', key, null);
  // One call for many rows, because a call takes longer than the encryption.
  let codes = Buffer.alloc(0);
  let from = -1;
  return (row, used = 0) => {
    const at = (row - 1) * DIGEST_BYTES;
    if (used > 0) {
      const identity = Buffer.from(rows.subarray(at, at + DIGEST_BYTES)).toString('hex');
      return cipher.update(sha256(`${used}\n${identity}`).subarray(0, DIGEST_BYTES));
    }
    const start = at - (at % CODES_AT_ONCE);
    if (start !== from) codes = cipher.update(rows.subarray(start, start + CODES_AT_ONCE));
    from = start;
    return codes.subarray(at - start, at - start + DIGEST_BYTES);
  };
}
