/** `--shard 2/8`: every eighth row, beginning with the second. */
import { usageError } from '../../core/errors.js';

export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** @throws a usage error */
export function shardOf(text: string): Shard {
  const match = /^(\d+)\/(\d+)$/.exec(text.trim());
  const [index, of] = [Number(match?.[1]), Number(match?.[2])];
  if (match !== null && index >= 1 && index <= of && of <= 100_000) return { index, of };
  throw usageError(`--shard must be like 2/8, the second of eight, not ${JSON.stringify(text)}.`);
}

/** @param row counted from 1 */
export const isIn = (shard: Shard | undefined, row: number): boolean =>
  shard === undefined || (row - 1) % shard.of === shard.index - 1;
