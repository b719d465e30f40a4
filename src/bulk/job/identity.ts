/**
 * What makes a job the same job: the service, the command, its values and the input's content. And the licence codes
 * that follow from it, so that a machine that lost its disk makes the same ones again.
 */
import { createCipheriv, createHash, createHmac } from 'node:crypto';
import type { Values } from '../row-command.js';
import type { Shard } from './shard.js';

export interface JobFacts {
  readonly baseUrl: string;
  /** The command's words. */
  readonly path: string;
  /** What the command line says for every row. */
  readonly values: Values;
  /** Settings that end up in requests: organization, language, persona. */
  readonly settings: Readonly<Record<string, string | null>>;
  /** sha256 of the input, or the number of rows of `--count`. */
  readonly content: string;
  readonly name: string | null;
  /** Made up for `--new-job`. */
  readonly nonce: string | null;
}

const sorted = (values: Values): readonly unknown[] =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));

/** The identity that codes are made from: the same for all shards of a job. */
export function identityOf({ baseUrl, path, values, settings, content, name, nonce }: JobFacts): string {
  const facts = [baseUrl, path, sorted(values), Object.entries(settings).sort(), content, name, nonce];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

/** The id of a job on this machine: short enough to type. */
export function jobId(identity: string, shard: Shard | undefined): string {
  const part = shard === undefined ? '' : `-${shard.index}of${shard.of}`;
  return `${identity.slice(0, 10)}${part}`;
}

/** Bytes of a block of AES, and of a row's code. */
const BLOCK = 16;
/** Rows whose bytes are made at a time: a call of the cipher costs more than the bytes. */
const AT_ONCE = 256;

/**
 * The bytes that the codes of a job's rows are made from: nobody without the secret can guess them, and any row's can be
 * made without those before. AES-256 in counter mode (NIST SP 800-38A), the row as counter, under a key of this job's.
 * @returns from a row, counted from 1, to its 16 bytes
 */
export function codeBytes(secret: string, identity: string): (row: number) => Uint8Array {
  const key = createHmac('sha256', secret).update(identity).digest();
  let first = Number.NaN;
  let bytes: Uint8Array = Buffer.alloc(0);
  return (row) => {
    const start = row - (row % AT_ONCE);
    if (start !== first) {
      const counter = Buffer.alloc(BLOCK);
      counter.writeBigUInt64BE(BigInt(start), BLOCK - 8);
      bytes = createCipheriv('aes-256-ctr', key, counter).update(Buffer.alloc(BLOCK * AT_ONCE));
      first = start;
    }
    return bytes.subarray((row - start) * BLOCK, (row - start + 1) * BLOCK);
  };
}
