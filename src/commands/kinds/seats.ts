/** Seats of a licence or subscription: how many people can use it, and how many do. */
import { getPath } from '../../core/json.js';

/** @returns undefined if the service does not show it; a text of digits is a number that JavaScript cannot represent */
function countAt(item: unknown, path: string): number | undefined {
  const value = getPath(item, path);
  return typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value)) ? Number(value) : undefined;
}

export interface Seats {
  readonly seats: number | undefined;
  readonly used: number | undefined;
  /** True if no seat is left; false if there never was one. */
  readonly isFull: boolean;
  readonly isUnused: boolean;
}

/** One rule for filters and summaries. */
export function seatsOf(item: unknown): Seats {
  const seats = countAt(item, 'maximumActivations');
  const used = countAt(item, 'numberOfActivations');
  const isFull = seats !== undefined && seats > 0 && used !== undefined && used >= seats;
  return { seats, used, isFull, isUnused: used === 0 };
}
