/** The manifest of a job: what it was created from. */
import { hash } from 'node:crypto';
import {
  type Check,
  type Checked,
  isBoolean,
  isCount,
  isOneOf,
  isText,
  listOf,
  mapOf,
  objectOf,
  optional,
  orNull,
} from '../../core/checks.js';
import { ENCODINGS } from '../../core/table/encoding.js';
import type { Reading } from '../../core/table/rows.js';
import type { Value } from '../row-command.js';

/** More rows than a job can have, but few enough to hold their states in memory. */
const MAX_ROWS = 100_000_000;

const isPosition: Check<number> = (value): value is number => isCount(value) && value >= 1;
const isRowCount: Check<number> = (value): value is number => isCount(value) && value <= MAX_ROWS;
const isValue: Check<Value> = (value): value is Value =>
  ['string', 'number', 'boolean'].includes(typeof value) || listOf(isText)(value);

export const isManifest = objectOf({
  version: isOneOf([2]),
  id: isText,
  name: orNull(isText),
  /** Address of the service, ID of the caller's organization, and value of `--batch`. */
  baseUrl: isText,
  organization: isText,
  batch: orNull(isText),
  path: isText,
  /** Values from the command line and the settings, for every row. */
  values: mapOf(isText, optional(isValue)),
  /** Hash of the input's bytes and the command line's values, to recognize a repeated command without reading rows. */
  content: isText,
  /** The value of `--on-existing` with which the job was started. */
  onExisting: isText,
  /** Name of the input; null for `--count`. */
  input: orNull(isText),
  /** Detected or given; null for a workbook and for `--count`. */
  encoding: orNull(isOneOf(ENCODINGS)),
  marked: isBoolean,
  /** Flags for reading columns and cells, if any was given. */
  reading: optional(mapOf(isText, isValue) as Check<unknown> as Check<Reading>),
  /** Where relative names of files to send are looked up when the job is resumed; only for commands that send files. */
  cwd: optional(isText),
  shard: orNull(objectOf({ index: isPosition, count: isCount })),
  /** Number of rows of the whole input. */
  rows: isRowCount,
  /** ISO 8601. */
  created: isText,
  /** Size and sha256 of each file that is written once; empty for a draft. */
  checksums: mapOf(isText, isText),
  /** sha256 of the other fields; absent for a draft. */
  seal: optional(isText),
});
export type Manifest = Checked<typeof isManifest>;

/** sha256 of a text, in hexadecimal. */
export const checksumOf = (text: string): string => hash('sha256', text);

/** Checksum of the other fields of a manifest. */
export const sealOf = ({ seal: _, ...manifest }: Manifest): string => checksumOf(JSON.stringify(manifest));

/** Number of rows in a job's shard. */
export function rowsIn({ rows, shard }: Manifest): number {
  return shard === null ? rows : Math.max(0, Math.floor((rows - shard.index) / shard.count) + 1);
}

/**
 * The word for a job on a command line: its name if that is one plain word and the job has no other shards, else its ID.
 */
export const wordFor = ({ id, name, shard }: Manifest): string =>
  name !== null && shard === null && /^\w[\w.@+-]*$/.test(name) ? name : id;
