/** A write command as a bulk job uses it: columns that fill its values, and a plan that turns them into calls. */
import type { Endpoint, Referent } from '../contract/vocabulary.js';
import type { Problem } from '../core/errors.js';
import type { Value, Values } from '../core/flag-values.js';
import type { Cell } from './input/rows.js';

export type { Value, Values };

export type Read = { readonly value: Value } | { readonly wrong: string };

export interface Column {
  /** The key of its value: the name of a flag or argument. */
  readonly name: string;
  /** Other names that a header may use, in any spelling of words and case. */
  readonly spellings: readonly string[];
  /** For the template: what it holds, with its choices and limits. */
  readonly description: string;
  readonly required: boolean;
  readonly many: boolean;
  /** Takes days, or whole numbers, which files write in many forms. */
  readonly form?: 'date' | 'whole';
  readonly refersTo?: Referent;
  /** Understood, but not offered: the API's own way to say what other columns say. */
  readonly unlisted?: true;
  /** Reads one cell, which is not empty. */
  readonly read: (cell: Exclude<Cell, undefined>) => Read;
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
  /** Goes first; the id of its file is filled into `body.fileId`. */
  readonly upload?: Call;
  /** Sent only when the write before it succeeded. */
  readonly needsPrevious?: true;
  readonly warnings?: readonly string[];
  /** Its natural key was derived by edu, so a thing with that key was made for this row. */
  readonly hasOwnKey?: boolean;
  /** What it does to a thing that a job made; a thing that is gone counts as done. */
  readonly undoes?: 'deleted' | 'cancelled';
  /** It was made before, so it is looked up first; called before it is sent after all. */
  readonly beforeSend?: () => Promise<void>;
  /** What to look at in the answer; may read, never fails. @returns warnings */
  readonly inspect?: (answer: unknown) => Promise<readonly string[]>;
}

export interface Verb {
  /** Its words: `licenses create`. */
  readonly path: string;
  readonly columns: readonly Column[];
  /** Names of which a row takes one: giving it one keeps the command line's others out. */
  readonly alternatives: readonly (readonly string[])[];
  /** The values that together name what a row writes to; empty when nothing does. */
  readonly key: readonly string[];
  /** Makes a code of random bytes, for rows without one; undefined when rows have no codes. */
  readonly codeOf: ((bytes: Uint8Array) => string) | undefined;
  readonly destroys: boolean;
  /** It makes things: rows that were made before are not made again. */
  readonly creates: boolean;
  /** Columns that a row lacks. */
  readonly missing: (values: Values) => readonly { readonly name: string; readonly description: string }[];
  /** What is wrong with values beyond each by itself. */
  readonly check: (values: Values) => readonly Problem[];
  /** May look things up, never writes. */
  readonly plan: (values: Values) => Promise<readonly RowWrite[]>;
}
