/** A write command in a bulk job: its columns, and the plan that turns a row's values into calls. */
import type { Endpoint, Referent } from '../contract/vocabulary.js';
import type { EduError, Problem } from '../core/errors.js';
import type { Value, Values } from '../core/flag-values.js';
import { asId, getPath, type JsonObject } from '../core/json.js';
import type { TableColumn } from '../core/table/columns.js';
import type { Cell } from '../core/table/rows.js';
import type { Outcome } from './job/states.js';

export type { Value, Values };

/** The column that says how many items a row creates; it is no value of them. */
export const COUNT = 'count';

export type Read = { readonly value: Value } | { readonly wrong: string };

export interface Column extends TableColumn {
  /** Content, choices and limits, for the template. */
  readonly description: string;
  readonly required?: boolean;
  readonly many?: boolean;
  readonly refersTo?: Referent | undefined;
  /** Reads a cell that is not empty. */
  readonly read: (cell: Exclude<Cell, undefined>) => Read;
  /** Checks a value once, before the first row is sent; returns the problem. */
  readonly check?: (value: Value) => string | undefined;
}

export interface Call {
  readonly endpoint: Endpoint;
  readonly input: {
    readonly params?: Readonly<Record<string, unknown>>;
    readonly query?: Readonly<Record<string, unknown>>;
    readonly body?: Readonly<Record<string, unknown>>;
  };
}

/** One write of a row. */
export interface RowWrite extends Call {
  /** Sent first; the ID of its file becomes `body.fileId`. */
  readonly upload?: Call;
  /** Sent only if the write before it succeeded. */
  readonly needsPrevious?: true;
  readonly warnings?: readonly string[];
  /** A consequence to confirm before it is sent, to be put after "would": `move the end of licence 7 back to 2026-01-01`. */
  readonly risk?: string;
  /** The same for the rows of a job, where a single write only warns. */
  readonly jobRisk?: string;
  /** A value that it would reset and that no flag decides about, with the error of sending it all the same. */
  readonly undecided?: { readonly value: string; readonly error: EduError };
  /** The item, if it is as the row says, so that nothing is sent. */
  readonly unchanged?: unknown;
  /** Cells of a row that differ from the item and cannot be changed; `where` is the name of the column. */
  readonly edited?: readonly Problem[];
  /** Fields of a row's cells that the service does not show, so that they were not compared. */
  readonly unseen?: readonly string[];
  /** True if edu derived its natural key, so that an item with this key was created for this row; set by its job. */
  hasOwnKey?: boolean;
  /** What it does to an item that a job created; a missing item counts as done. */
  readonly undoes?: 'deleted' | 'cancelled';
  /** Set for a row that was created before and is looked up first; called if it must be sent again. */
  readonly beforeSend?: () => Promise<void>;
  /**
   * For a create, the write that brings an existing item to the row's values (`--on-existing update`).
   * @throws EduError `usage` if that is not possible, or would change more than the row says
   */
  readonly updateExisting?: ((found: JsonObject) => Promise<RowWrite>) | undefined;
  /** Notes facts that the response shows; a promise only if there are any. */
  readonly inspect?: ((response: unknown) => Promise<void> | undefined) | undefined;
}

export interface Verb {
  /** Such as `licenses create`. */
  readonly path: string;
  readonly columns: readonly Column[];
  /** Groups of columns that exclude each other: a row's value removes the others that the command line gives. */
  readonly alternatives: readonly (readonly string[])[];
  /** The columns that together identify the item that a row writes to; empty if none do. */
  readonly key: readonly string[];
  /** Formats bytes as a code, for rows without one; undefined if rows have no codes. */
  readonly codeOf: ((bytes: Uint8Array) => string) | undefined;
  readonly destroys: boolean;
  /** It creates items: rows that were created before are not created again. */
  readonly creates: boolean;
  /** Required columns without a value. */
  readonly missing: (values: Values) => readonly { readonly name: string }[];
  /**
   * The column of a member of a JSON row that the API document does not name, such as a new field of the service: the items
   * of lists come back with it.
   */
  readonly unknownColumn?: ((name: string) => Column) | undefined;
  /** Problems of the values in combination. */
  readonly check: (values: Values) => readonly Problem[];
  /** For updates: true if a row says something of its item. One that is blank keeps all of it, but not all rows can be. */
  readonly wants?: (values: Values) => boolean;
  /**
   * Values that depend on the present item and are worked out once for the job: the end that an extension leads to. Reads
   * the item; undefined if there are none.
   */
  readonly pin?: (values: Values) => Promise<Values | undefined>;
  /** True if the plan of a row is examined before the first row is sent: it may be risky, or change nothing. */
  readonly examines?: (values: Values) => boolean;
  /** Counts what each item of a row loses, if the user is asked about it; reads the items. */
  readonly lossOf?: (values: Values) => Promise<readonly (readonly number[])[]>;
  /** May read from the service, never writes. */
  readonly plan: (values: Values) => readonly RowWrite[] | Promise<readonly RowWrite[]>;
}

/** A command whose rows `edu` makes itself, so that they have no columns to read and nothing to check. */
export const internalVerb = (own: Pick<Verb, 'path' | 'plan'> & Partial<Verb>): Verb => ({
  columns: [],
  alternatives: [],
  key: [],
  codeOf: undefined,
  destroys: false,
  creates: false,
  missing: () => [],
  check: () => [],
  ...own,
});

/** Marks the writes of a row whose natural key was derived. */
export function markOwnKey(writes: readonly RowWrite[]): readonly RowWrite[] {
  for (const write of writes) write.hasOwnKey = true;
  return writes;
}

/** True if a command creates items that no key identifies, such as subscriptions. */
export const isUnkeyed = ({ creates, codeOf, key }: Verb): boolean =>
  creates && codeOf === undefined && key.length === 0;

/** An ID or code. */
export const textAt = (value: unknown, path: string): string | undefined => asId(getPath(value, path));

/** The ID and code of the item that a write created or changed: from the response, else from the request, if known. */
export function namesOf({ endpoint, input }: RowWrite, response: unknown): Pick<Outcome, 'id' | 'code'> {
  const { returns } = endpoint;
  const shown = returns?.prints ?? returns?.id ?? 'id';
  // An assignment names its items in the body.
  const sent = textAt(input.params, 'id') ?? textAt(input.body, shown === 'user.id' ? 'userId' : shown);
  const id = textAt(response, shown) ?? sent;
  const code = textAt(response, 'code') ?? textAt(input.body, 'code');
  const names: { id?: string; code?: string } = {};
  if (id !== undefined) names.id = id;
  if (code !== undefined) names.code = code;
  return names;
}
