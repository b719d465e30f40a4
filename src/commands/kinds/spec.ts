/** The specifications of commands: a list, an item or a write. */
import type { Call, RowWrite } from '../../bulk/row-command.js';
import { type Command, type Flag, isGiven, isOn, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { DRY_RUN } from '../../cli/global-flags.js';
import type { Field } from '../../contract/vocabulary.js';
import type { Pages } from '../../output/select/item-pages.js';

export type { Call };

export type Described = Pick<Command, 'name' | 'summary' | 'examples'> &
  Partial<Pick<Command, 'aliases' | 'details' | 'arguments' | 'flags' | 'check' | 'traits'>>;

export interface ListFilter {
  readonly keep: (items: readonly unknown[]) => readonly unknown[] | Promise<readonly unknown[]>;
  /** Warnings about items that could not be checked, printed after the list. */
  readonly notes?: () => readonly string[];
}

export interface Arranged {
  readonly shape: (shape: Field) => Field;
  readonly pages: (pages: Pages) => Pages;
}

export interface ListSpec extends Described {
  /** The plural of the items in messages: `licences`. */
  readonly noun: string;
  readonly shape: Field;
  /** The name of a missing flag that this caller must give. */
  readonly needed?: (values: Values, context: Context) => Promise<string | undefined>;
  readonly sources: (values: Values, context: Context) => Promise<readonly Call[]>;
  /** The items of all organizations that the caller owns, if the list belongs to one. @param isNamed for people */
  readonly all?: (values: Values, isNamed: boolean, context: Context) => Promise<Pages>;
  /** Replaces the items that pass the filters, and their shape; undefined if no flag asks for it. */
  readonly arranged?: (values: Values) => Arranged | undefined;
  /** Where the list looks by default, behind the noun in messages: `of your organization`. */
  readonly scope?: (values: Values, context: Context) => Promise<string | undefined>;
  /** For `--with-names`: the field with a user's ID. */
  readonly named?: string;
  /** For `--with-names`: people with their names whom the list refers to by ID. */
  readonly people?: (values: Values, context: Context) => Promise<readonly unknown[]>;
  /** The fields to search with `--search`; default: all texts. */
  readonly search?: readonly string[];
  /** The filter of the command's own flags; may send reads. */
  readonly filter?: (values: Values, context: Context) => Promise<ListFilter | undefined>;
}

export interface ItemSpec extends Described {
  readonly shape: Field;
  readonly fetch: (values: Values, context: Context) => Promise<unknown>;
  /** Shows the item in another way than by printing its fields. @returns false to print them */
  readonly show?: (item: unknown, values: Values, context: Context) => Promise<boolean>;
  /** What people should know about the item, as a warning; undefined if there is nothing. */
  readonly note?: (item: unknown) => string | undefined;
  /** For `--with-names`: the item's shape with names of users, and the function that adds them. */
  readonly named?: { readonly shape: Field; readonly add: (item: unknown, context: Context) => Promise<unknown> };
}

export interface Write extends RowWrite {
  /** The item in questions and messages: `licence 000123`. */
  readonly what: string;
  /** The answer in words, if it is not the verb with `what`. @param answer the response */
  readonly said?: (answer: unknown) => string;
  /** The present item shows that nothing will change; it is sent all the same. */
  readonly changesNothing?: true;
  /** The ID or address to type for confirmation, instead of yes. */
  readonly typed?: string;
  /** The flags that answers to prompts stand for. */
  readonly answers?: Values;
  /** How to run it again if its outcome is not known, for a write that counts from the present value. */
  readonly retryHint?: string;
}

/** A request that is being prepared. */
export interface Draft {
  readonly values: Values;
  /** The item as the service returned it, for an update. */
  readonly present: unknown;
  readonly what: string;
}

/** What a resource adds to a request. */
export interface Amendment {
  /** Its members replace those from the flags. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly write?: Partial<Omit<Write, 'input'>>;
}

export type Amend = (draft: Draft, context: Context) => Amendment | Promise<Amendment>;

/** A property that an update may reset, because the API gives a client no way to keep it (`Write.undecided`). */
export interface Reset {
  /** The switch that accepts the reset. */
  readonly flag: string;
  /** The flag that gives the property, so that it is kept. */
  readonly keep: string;
  readonly what: string;
}

/** What a destructive write takes away, for its confirmation. */
export interface Loss {
  /** Counts of an item, which are summed over all items. */
  readonly countsOf: (item: unknown) => readonly number[];
  /** Sentences about the sums. */
  readonly say: (sums: readonly number[]) => string;
}

export interface WriteSpec extends Described {
  readonly done: string;
  /** For the confirmation of a destructive write: `Delete`. */
  readonly act?: string;
  /** What a destructive write is about: `licence`, `licences`. */
  readonly noun?: readonly [string, string];
  /** Set if the write cannot be undone; the confirmation says so. */
  readonly forGood?: true;
  readonly loss?: Loss;
  readonly shape: Field;
  /** It creates items: in a bulk job, rows that were created before are not created again. */
  readonly creates?: true;
  /** The flag of the natural key of created items. Other writes identify items by arguments. */
  readonly key?: 'code' | 'name' | 'email' | 'ean';
  /** Flags that together identify a created item without a natural key. */
  readonly rowKey?: readonly string[];
  readonly countable?: true;
  /** Columns of input files in addition to the command's own flags, such as a flag that all commands have. */
  readonly columns?: readonly Flag[];
  /** Flags that replace each other: a row's `until` overrides `--days` on the command line. */
  readonly alternatives?: readonly (readonly string[])[];
  /** The items of lists that may be edited and used as input: rows that change nothing are not sent. */
  readonly listed?: Field;
  /** At least one flag is required, because an update without changes is an error. */
  readonly oneAtLeast?: true;
  readonly reset?: Reset;
  /** The columns whose values may make a row of a bulk job risky (`Write.risk`) or impossible: it is planned before the first is sent. */
  readonly risky?: readonly string[];
  /** In a bulk job, values of a row that depend on the present item (`Verb.pin`). */
  readonly pin?: (values: Values, context: Context) => Promise<Values | undefined>;
  /**
   * Turns values into writes; may send reads.
   * @param line in a bulk job, the values of the command line, for every row
   */
  readonly plan: (values: Values, context: Context, line?: Values) => readonly Write[] | Promise<readonly Write[]>;
}

export const isDryRun = (values: Values): boolean => isOn(values, DRY_RUN.name);

const DATA_FLAGS = ['output', 'json', 'query', 'fields', 'sort', 'to', 'excel', 'header'];

/** Returns true if the line asks for data. */
export const asksForRecords = ({ globals }: Context): boolean => DATA_FLAGS.some((name) => isGiven(globals, name));

/** Returns true if data was requested: by flag, environment or profile. */
export const wantsRecords = (context: Context): boolean =>
  asksForRecords(context) || context.effective().output !== undefined;
