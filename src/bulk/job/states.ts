/** The states of a row, and how many rows are in each. */

/** In the order of their codes in memory. */
export const STATES = [
  'planned',
  'sending',
  'created',
  'exists',
  'updated',
  'rejected',
  'conflict',
  'unknown',
  // The input is wrong, and --skip-invalid leaves the row out.
  'invalid',
] as const;

export type State = (typeof STATES)[number];

/** Rows for which there is nothing more to do. */
export const isDone = (state: State): boolean => state === 'created' || state === 'exists' || state === 'updated';

/** Rows that a person has to look at. */
export const isFailed = (state: State): boolean =>
  state === 'rejected' || state === 'conflict' || state === 'unknown' || state === 'invalid';

export type Counts = Readonly<Record<State, number>>;

/** What is noted with a create without a key, so that what it made can be looked for. */
export interface Trace {
  /** The same for rows that can't be told apart by what the service shows. */
  readonly key: string;
  /** The listing that was kept before it was sent, if one could be. */
  readonly listing?: number;
}

/** How a row ended, or that it has not. Its trace stays for as long as its outcome is unknown. */
export interface Outcome extends Partial<Trace> {
  readonly state: State;
  readonly id?: string;
  readonly code?: string;
  readonly error?: string;
  /** The job that made it before. */
  readonly job?: string;
  /** What `edu jobs undo` did to what the row made, or what a row of an undo did. */
  readonly undone?: 'deleted' | 'cancelled';
}
