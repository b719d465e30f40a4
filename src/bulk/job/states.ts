/** The states of a row, and how many rows are in each. */

/** The index of a state is its code in memory. */
export const STATES = [
  'planned',
  'sending',
  'created',
  'exists',
  'updated',
  // The item was as the row says, so nothing was sent.
  'unchanged',
  'rejected',
  'conflict',
  'unknown',
  // The row is invalid, and --skip-invalid skips it.
  'invalid',
] as const;

export type State = (typeof STATES)[number];

const DONE: ReadonlySet<State> = new Set(['created', 'exists', 'updated', 'unchanged']);

export const isDone = (state: State): boolean => DONE.has(state);

/** True if a row needs the user's attention. */
export const isFailed = (state: State): boolean =>
  state === 'rejected' || state === 'conflict' || state === 'unknown' || state === 'invalid';

/** What the results of a job say of a row; empty if it is done. */
export const errorText = ({ error = '', advice }: Pick<Outcome, 'error' | 'advice'>): string =>
  advice === undefined ? error : `${error} ${advice}`;

export type Counts = Readonly<Record<State, number>>;

/** Recorded with a create without a key, so that its item can be found. */
export interface Trace {
  /** Equal for rows whose items look the same in the service's lists. */
  readonly key: string;
  /** The list of existing items that was stored before the request, if it could be read. */
  readonly listing?: number | undefined;
}

/** The state and result of a row. Its trace is kept while the outcome is unknown. */
export interface Outcome extends Pick<Partial<Trace>, 'listing'> {
  readonly state: State;
  readonly key?: string | undefined;
  readonly id?: string | undefined;
  readonly code?: string | undefined;
  readonly error?: string;
  /** How a bulk job goes on with a row of unknown outcome. */
  readonly advice?: string | undefined;
  /** The row was not sent, because one that it needs was not done. */
  readonly skipped?: true;
  /** The service rejected the row, and shows no item with its key. */
  readonly refused?: true;
  /** The service failed instead of rejecting the row. */
  readonly temporary?: true;
  /** The earlier job that created the item. */
  readonly job?: string;
  /** The item was named by a results file. It equals the row, but no job of this machine created it for the row. */
  readonly claimed?: true;
  /** What `edu jobs undo` did to the row's item; also the result of a row of an undo. */
  readonly undone?: 'deleted' | 'cancelled' | undefined;
}
