/**
 * The definition of a command as data: words, arguments, flags and examples. Help, completion, references and the
 * parser read it; its action is imported when it runs.
 */
import type { Field, Referent } from '../contract/vocabulary.js';
import type { Problem } from '../core/errors.js';
import type { Values } from '../core/flag-values.js';
import type { Context } from './context.js';

export { isOn, textOf, textsOf, type Value, type Values } from '../core/flag-values.js';

/** How a flag's text is read. Ids, codes and names stay text: `007` and `1e5` are what they are. */
export type FlagKind =
  | 'text'
  | 'whole'
  | 'choice'
  | 'date'
  | 'email'
  | 'code'
  | 'country'
  | 'switch'
  | 'pdf'
  | 'image'
  | 'file';

/** What a command does that flags can be about. */
export type Trait =
  /** Prints records in the format asked for. */
  | 'result'
  /** Prints a list, which can be sorted. */
  | 'list'
  /** Prints a list that may be cut, or sends rows one by one. */
  | 'limit'
  /** Reads lists from the service page by page. */
  | 'pages'
  /** Calls the service. */
  | 'service'
  /** May ask before it acts. */
  | 'question'
  /** Runs a job of many rows. */
  | 'rows'
  /** Reads the rows from a file. */
  | 'file';

export interface Flag {
  /** Long name without dashes, in kebab-case. */
  readonly name: string;
  readonly short?: string;
  /** Other spellings that are understood but not shown. */
  readonly aliases?: readonly string[];
  /** What stands for the value in help; absent for a switch. */
  readonly value?: string;
  readonly kind: FlagKind;
  readonly description: string;
  readonly choices?: readonly (string | number)[];
  /** Values outside `choices` are passed on: the service may know more. */
  readonly open?: boolean;
  /** May be repeated, and takes commas. */
  readonly many?: boolean;
  /** May be repeated; each text is taken whole. */
  readonly repeat?: boolean;
  /** A usage error, or on a terminal a question, when it is missing. */
  readonly required?: boolean;
  /** The same, when the other values make it so: `--days` of a licence for books. */
  readonly needed?: (values: Values) => boolean;
  /** Asked for on a terminal, once something else is, although it may be left out. */
  readonly offered?: boolean;
  /** The flag that may be given in place of this one; offered as the last choice. */
  readonly instead?: string;
  /** May be left out, but not blank: what an update changes of what must be there. */
  readonly notEmpty?: boolean;
  /** Longest text in characters. */
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly refersTo?: Referent;
  /** Where the value goes in the request: `body.settings.indexPageNumber`, `query.type`. */
  readonly target?: string;
  /** Path at which an answer shows the value, for updates that keep what was not given. */
  readonly readAs?: string;
  /** Heading under which help shows it; required flags come first in any case. */
  readonly group?: string;
  /** Said in help behind the phrase: `default EN`. */
  readonly note?: string;
  readonly hidden?: boolean;
  /** Says where names are looked for, and changes nothing. */
  readonly narrows?: true;
  /** The flag is a usage error unless the command, with its other values, does this. */
  readonly trait?: Trait;
}

export interface Argument {
  /** Key of the value; also shown in help in capitals. */
  readonly name: string;
  readonly description: string;
  readonly many?: boolean;
  readonly optional?: boolean;
  readonly refersTo?: Referent;
}

export interface Example {
  readonly description: string;
  /** The command line, starting with `edu`. */
  readonly line: string;
}

export interface Command {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** One sentence. */
  readonly summary: string;
  /** Paragraphs below the summary on the help page. */
  readonly details?: string;
  readonly arguments?: readonly Argument[];
  readonly flags?: readonly Flag[];
  readonly examples: readonly Example[];
  /** The fields of what it prints, where they are known: for the completion of `--fields`. */
  readonly shape?: Field;
  /** What it prints: decides which output flags its help page shows. */
  readonly prints: 'list' | 'item' | 'nothing';
  /** What it does, with these values; by default what follows from `prints`, and calling the service. */
  readonly traits?: readonly Trait[] | ((values: Values) => readonly Trait[]);
  /** What is wrong with the values beyond each one by itself. */
  readonly check?: (values: Values) => readonly Problem[];
  /** Resolves to the exit code where success has more than one, as with `diff`: 0 if it is left out. */
  readonly run: (values: Values, context: Context, commands: Commands) => Promise<void> | Promise<number>;
  /** It ends on its own when the context's signal is aborted, instead of being cut off. */
  readonly endsItself?: boolean | ((values: Values) => boolean);
  /** Goes on with a job of this command, for `edu jobs`. */
  readonly goOn?: (job: string, flags: Values, context: Context) => Promise<void>;
  readonly hidden?: boolean;
}

export interface Group {
  readonly name: string;
  readonly commands: readonly Command[];
  /** Shown below the summary on the group's help page. */
  readonly details?: string;
}

/** A top-level word: known without loading what is behind it. */
export interface Entry {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** Heading of the main help page. */
  readonly section: string;
  /** A group of verbs, or one command. */
  readonly load: () => Promise<Group | Command>;
}

/** All words that may follow `edu`: handed to the commands that are about commands. */
export type Commands = readonly Entry[];

export const isGroup = (loaded: Group | Command): loaded is Group => 'commands' in loaded;
