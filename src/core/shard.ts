/** `--shard 2/8`: the second of eight shares of a job's rows, or of an export's lists. */
import { createHash } from 'node:crypto';

export interface Shard {
  /** From 1 to `count`. */
  readonly index: number;
  readonly count: number;
}

const MAX_SHARDS = 1000;

/** Parses `2/8`; undefined if the text is invalid. */
export function shardOf(text: string): Shard | undefined {
  const [, index = '', count = ''] = /^(\d{1,4})\/(\d{1,4})$/.exec(text.trim()) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  return shard.index >= 1 && shard.index <= shard.count && shard.count <= MAX_SHARDS ? shard : undefined;
}

/** True for the place of an item in a shard's share: every eighth, beginning with the second. @param place from 1 */
export const isIn = (shard: Shard | undefined, place: number): boolean =>
  shard === undefined || (place - 1) % shard.count === shard.index - 1;

export const shardName = ({ index, count }: Shard): string => `${index}/${count}`;

/**
 * True if a shard reads the list or item with this name; always true without a shard. It depends only on the name, so
 * that shards agree even if organizations are added while they run.
 */
export function isInShard(shard: Shard | undefined, name: string): boolean {
  return isIn(shard, createHash('sha256').update(name).digest().readUInt32BE(0) + 1);
}
