/**
 * The definition of a command as data: words, arguments, flags and examples. Help, completion, references and the
 * parser read it; its action is imported when it runs.
 */
import type { Field, Referent } from '../contract/vocabulary.js';
import type { Problem } from '../core/errors.js';
import { isGiven, textsOf, type Values } from '../core/flag-values.js';
import type { Context } from './context.js';

export * from '../core/flag-values.js';

/** How a flag's text is parsed. IDs, codes and names stay text, so that `007` and `1e5` are not changed. */
export type FlagKind =
  | 'text'
  | 'whole'
  | 'choice'
  | 'date'
  | 'period'
  | 'percent'
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
  /** Runs a job of many rows. */
  | 'rows'
  /** Reads the rows from a file. */
  | 'file';

export interface Flag {
  /** Long name without dashes, in kebab-case. */
  readonly name: string;
  readonly short?: string;
  /** Further names that are accepted but not shown. */
  readonly aliases?: readonly string[];
  /** Placeholder of the value in help; absent for a switch. */
  readonly value?: string;
  readonly kind: FlagKind;
  readonly description: string;
  readonly choices?: readonly (string | number)[];
  /** What a switch may have after an equals sign. */
  readonly variants?: readonly string[];
  /** Accept values outside of `choices`, because the service may know more. */
  readonly open?: boolean;
  /** May be repeated, and may contain commas. */
  readonly many?: boolean;
  /** May be repeated; commas do not separate values. */
  readonly repeat?: boolean;
  /** Prompted for on a terminal if missing, else a usage error. */
  readonly required?: boolean;
  /** True if other values make the flag required: `--days` for a licence of type Books. */
  readonly needed?: (values: Values) => boolean;
  /** Optional, but also prompted for on a terminal if a required flag is. */
  readonly offered?: boolean;
  /** An alternative flag, offered as the last choice of the prompt. */
  readonly instead?: string;
  /** Optional, but must not be blank, such as required fields in an update. */
  readonly notEmpty?: boolean;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maxBytes?: number;
  readonly refersTo?: Referent;
  /** Path of the value in the request: `body.settings.indexPageNumber`, `query.type`. */
  readonly target?: string;
  /** Path of the value in a response, for updates that keep values that were not given. */
  readonly readAs?: string;
  /** Heading in help; required flags are always shown first. */
  readonly group?: string;
  /** Shown in help after the description: `default EN`. */
  readonly note?: string;
  /** It names a file that the command writes, or `files`, which may be in a folder of that name. */
  readonly writes?: true | 'files';
  /** A column of input files that templates leave out. */
  readonly hidden?: boolean;
  /** No change by itself in an update: it limits where names are searched, or accepts a consequence. */
  readonly changesNothing?: true;
  /** The trait that the command must have with its other values, else the flag is a usage error. */
  readonly trait?: Trait;
}

/**
 * Defines a flag.
 * @param term as in help: `-o, --output FORMAT`; without a value it is a switch, otherwise text by default
 * @param about the description, which a note in parentheses may follow
 */
export function flag(term: string, about: string, more: Partial<Flag> = {}): Flag {
  const [, short, name = '', value] = /^(?:-(\w), )?--(\S+)(?: (.+))?$/.exec(term) ?? [];
  const [, description = about, note] = /^(.*) \(([^()]*)\)$/.exec(about) ?? [];
  const parts = { ...(short && { short }), ...(value && { value }), ...(note && { note }) };
  return { name, kind: value === undefined ? 'switch' : 'text', description, ...parts, ...more };
}

/** True if the value of a flag is the path of a file or folder on this machine. */
export const namesFile = ({ kind, value }: Flag): boolean =>
  kind === 'file' || kind === 'pdf' || kind === 'image' || ['FILE', 'DIR', 'PATH'].includes(value ?? '');

/** The properties of a flag that names a file to write. */
export const OUTPUT_FILE = { notEmpty: true, writes: true } as const;

/** Gives flags common properties, such as their heading in help. */
export const withEach = (common: Partial<Flag>, flags: readonly Flag[]): readonly Flag[] =>
  flags.map((one) => ({ ...common, ...one }));

/** Checks that at most one of these flags is given. */
export const exclusive =
  (...names: readonly string[]) =>
  (values: Values): readonly Problem[] => {
    const [first, second] = names.filter((name) => isGiven(values, name));
    if (second === undefined) return [];
    return [{ where: `--${second}`, message: `cannot be given together with --${first}; use one of them` }];
  };

/** Checks that a flag is given only together with another one. */
export const needs =
  (name: string, other: string) =>
  (values: Values): readonly Problem[] =>
    !isGiven(values, name) || isGiven(values, other)
      ? []
      : [{ where: `--${name}`, message: `needs --${other} as well` }];

export interface Argument {
  /** Key of the value; shown in help in capitals. */
  readonly name: string;
  readonly description: string;
  readonly many?: boolean;
  readonly optional?: boolean;
  /** A flag that names the same things. */
  readonly instead?: string;
  readonly refersTo?: Referent;
  /** The words that completion offers. */
  readonly words?: readonly string[];
  /** What else it names. */
  readonly names?: 'file' | 'profile' | 'setting' | 'topic' | 'value';
}

export interface Command {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** Paragraphs below the summary on the help page. */
  readonly details?: string;
  readonly arguments?: readonly Argument[];
  readonly flags?: readonly Flag[];
  /** Command lines, starting with `edu`, by their description. */
  readonly examples: Readonly<Record<string, string>>;
  /** The fields that it prints, if known, for the completion of `--fields`. */
  readonly shape?: Field;
  /** Determines which output flags its help page shows. */
  readonly prints: 'list' | 'item' | 'nothing';
  /** Its traits with given values; by default those that follow from `prints`, and calling the service if it prints items. */
  readonly traits?: readonly Trait[] | ((values: Values) => readonly Trait[]);
  /** Problems of the values in combination. */
  readonly check?: (values: Values) => readonly Problem[];
  /** Resolves to the exit code if it is a number, as with `diff`; 0 by default. */
  readonly run: (values: Values, context: Context, commands: Commands) => Promise<unknown>;
  /** True if it ends by itself when the context's signal is aborted, instead of being stopped. */
  readonly endsItself?: boolean | ((values: Values) => boolean);
  /** Resumes a job of this command, for `edu jobs`. */
  readonly resume?: (job: string, flags: Values, context: Context) => Promise<void>;
}

type Parts = Pick<Command, 'arguments' | 'flags'>;

const isMissing = ({ name, instead = name }: Pick<Flag, 'name' | 'instead'>, values: Values): boolean =>
  textsOf(values, name).length === 0 && textsOf(values, instead).length === 0;

export const missingArguments = ({ arguments: args = [] }: Parts, values: Values): readonly Argument[] =>
  args.filter((one) => !one.optional && isMissing(one, values));

/** The values of a command line with the answers to prompts, for messages. */
export const withAnswers = new WeakMap<Values, Values>();

export const missingFlags = ({ flags = [] }: Parts, values: Values): readonly Flag[] =>
  flags.filter((one) => (one.required === true || one.needed?.(values) === true) && isMissing(one, values));

export interface Group {
  readonly name: string;
  readonly commands: readonly Command[];
  /** Name of the command that runs if the line names none. */
  readonly alone?: string;
  /** Shown below the summary on the group's help page. */
  readonly details?: string;
}

/** A top-level word, with which a group or command is loaded on demand. */
export interface Entry {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** Heading of the main help page. */
  readonly section: string;
  readonly load: () => Promise<Group | Command>;
}

/** All words that may follow `edu`, for commands such as help and completion. */
export type Commands = readonly Entry[];

export const isGroup = (loaded: Group | Command): loaded is Group => 'commands' in loaded;
