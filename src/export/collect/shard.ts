/** `--shard i/n`: the lists that one shard of an export reads. */
import { createHash } from 'node:crypto';

export interface Shard {
  /** From 1 to `count`. */
  readonly index: number;
  readonly count: number;
}

const MAX_SHARDS = 1000;

/** `2/8`; undefined for anything else. */
export function shardOf(text: string): Shard | undefined {
  const [, index = '', count = ''] = /^(\d{1,4})\/(\d{1,4})$/.exec(text.trim()) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  return shard.index >= 1 && shard.index <= shard.count && shard.count <= MAX_SHARDS ? shard : undefined;
}

export const shardName = ({ index, count }: Shard): string => `${index}/${count}`;

/**
 * Returns true if a shard reads what has this name; without a shard everything is read. It depends on the name alone, so
 * that shards agree although organizations are added while they run.
 */
export function isInShard(shard: Shard | undefined, name: string): boolean {
  if (shard === undefined) return true;
  return createHash('sha256').update(name).digest().readUInt32BE(0) % shard.count === shard.index - 1;
}
