/** The specifications of commands: a list, an item, or a write. */
import { type Command, type Flag, isOn, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { DRY_RUN } from '../../cli/global-flags.js';
import type { Endpoint, Field } from '../../contract/vocabulary.js';

/** Path parameters, query and body of one call, as the contract nests them. */
export interface CallInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

export interface Call {
  readonly endpoint: Endpoint;
  readonly input: CallInput;
}

export type Described = Pick<Command, 'name' | 'summary' | 'examples'> &
  Partial<Pick<Command, 'aliases' | 'details' | 'arguments' | 'flags' | 'check' | 'hidden' | 'traits'>>;

/** What a list keeps of its items. */
export interface ListFilter {
  readonly keep: (items: readonly unknown[]) => readonly unknown[] | Promise<readonly unknown[]>;
  /** What it could not judge: sentences for the end of the list. */
  readonly notes: () => readonly string[];
}

export interface ListSpec extends Described {
  /** What the items are called in talk: `licences`. */
  readonly noun: string;
  readonly shape: Field;
  /** The collections to read, one after the other. */
  readonly sources: (values: Values, context: Context) => Promise<readonly Call[]>;
  /** The field that holds a user's ID, and the items' shape with names beside it, for `--with-names`. */
  readonly named?: { readonly field: string; readonly shape: Field };
  /** The fields that `--search` looks into; every text if left out. */
  readonly search?: readonly string[];
  /** What the command's own flags keep; may look things up. */
  readonly filter?: (values: Values, context: Context) => Promise<ListFilter | undefined>;
}

export interface ItemSpec extends Described {
  readonly shape: Field;
  readonly fetch: (values: Values, context: Context) => Promise<unknown>;
  /** The item's shape with names of users, and what adds them, for `--with-names`. */
  readonly named?: { readonly shape: Field; readonly add: (item: unknown, context: Context) => Promise<unknown> };
}

/** One write that is about to be made. */
export interface Write extends Call {
  /** An upload that goes first; the id of its file is filled into `body.fileId`. */
  readonly upload?: Call;
  /** Sent only when the write before it succeeded. */
  readonly needsPrevious?: true;
  /** `edu` derived the natural key of what it makes. */
  readonly hasOwnKey?: boolean;
  /** What is written to, for questions and messages: `licence 000123`. */
  readonly what: string;
  /** What the person types to confirm even this one alone, instead of yes: the id or address that was given. */
  readonly typed?: string;
  /** Warnings about what the write may change besides. */
  readonly warnings?: readonly string[];
  /** What to look at in the answer; may read, never fails. @returns warnings */
  readonly inspect?: (answer: unknown) => Promise<readonly string[]>;
}

/** A property that an update may reset, because the API does not let a client keep it. */
export interface Reset {
  /** The switch that accepts the reset. */
  readonly flag: string;
  /** Its name in messages: `licence category`. */
  readonly what: string;
  /** The present value, where an update would reset it without a decision; may read, never writes. */
  readonly find: (values: Values, context: Context) => Promise<string | undefined>;
}

export interface WriteSpec extends Described {
  /** What happened, for the message: `Created`. */
  readonly done: string;
  /** What will happen, for the question of a write that destroys: `Delete`. */
  readonly act?: string;
  /** It cannot be undone, which the question mentions. */
  readonly forGood?: true;
  readonly shape: Field;
  /** The flag of the natural key of what it makes: `code`. Arguments name what other writes are about. */
  readonly key?: 'code' | 'name' | 'email' | 'ean';
  /** Flags that together tell what it makes apart, where the service has no natural key to ask for. */
  readonly rowKey?: readonly string[];
  /** Accepts `--count`, which creates many equal items. */
  readonly countable?: true;
  /** What a row of a file can say beyond the command's own flags, such as a value of a flag that all commands have. */
  readonly columns?: readonly Flag[];
  /** Flags of which one is enough, for rows of a file: a row's `until` wins over `--days` on the line. */
  readonly alternatives?: readonly (readonly string[])[];
  /** One of its flags has to be given, whichever: an update of nothing is none. Rows of a file are checked for it first. */
  readonly oneAtLeast?: true;
  /** Something that an update resets unless a flag decides about it. */
  readonly reset?: Reset;
  /** Turns values into writes; may look things up, never writes. */
  readonly plan: (values: Values, context: Context) => Promise<readonly Write[]>;
}

export const isDryRun = (values: Values): boolean => isOn(values, DRY_RUN.name);
