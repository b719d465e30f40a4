/** The manifest of a job: what it was created from. */
import { hash } from 'node:crypto';
import { isObject } from '../../core/json.js';
import type { Shard } from '../../core/shard.js';
import type { Encoding } from '../../core/table/encoding.js';
import type { Reading } from '../../core/table/rows.js';
import type { Values } from '../row-command.js';
import type { Scope } from './identity.js';

const VERSION = 2;

export interface Manifest extends Scope {
  readonly version: typeof VERSION;
  readonly id: string;
  readonly name: string | null;
  /** Values from the command line and the settings, for every row. */
  readonly values: Values;
  /** Hash of the input's bytes and the command line's values, to recognize a repeated command without reading rows. */
  readonly content: string;
  /** The value of `--on-existing` with which the job was started. */
  readonly onExisting: string;
  /** Name of the input; null for `--count`. */
  readonly input: string | null;
  /** Detected or given; null for a workbook and for `--count`. */
  readonly encoding: Encoding | null;
  readonly marked: boolean;
  /** Flags for reading columns and cells, if any was given. */
  readonly reading?: Reading | undefined;
  /** Where relative names of files to send are looked up when the job is resumed; only for commands that send files. */
  readonly cwd?: string | undefined;
  readonly shard: Shard | null;
  /** Number of rows of the whole input. */
  readonly rows: number;
  /** ISO 8601. */
  readonly created: string;
  /** Size and sha256 of each file that is written once; empty for a draft. */
  readonly checksums: Readonly<Record<string, string>>;
  /** sha256 of the other fields; absent for a draft. */
  readonly seal?: string | undefined;
}

/** sha256 of a text, in hexadecimal. */
export const checksumOf = (text: string): string => hash('sha256', text);

/** Checksum of the other fields of a manifest. */
export const sealOf = ({ seal: _, ...manifest }: Manifest): string => checksumOf(JSON.stringify(manifest));

/** True if a manifest is as this version wrote it. */
export const isManifest = (value: unknown): value is Manifest =>
  isObject(value) && value.version === VERSION && value.seal === sealOf(value as unknown as Manifest);

/** Number of rows in a job's shard. */
export function rowsIn({ rows, shard }: Pick<Manifest, 'rows' | 'shard'>): number {
  return shard === null ? rows : Math.floor((rows - shard.index) / shard.count) + 1;
}

/** How messages call a job: by its name, if it has one. */
export const nameOf = ({ id, name }: Pick<Manifest, 'id' | 'name'>): string => name ?? id;
