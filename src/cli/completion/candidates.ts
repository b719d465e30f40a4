/**
 * Completes an unfinished line: words, flags, values, and IDs with their names. Loads only the group on the line, and
 * calls the service only for IDs.
 */
import type { Listed } from '../../client/references/resolver.js';
import type { Place } from '../../client/references/scope.js';
import type { Field } from '../../contract/vocabulary.js';
import {
  type Argument,
  type Command,
  type Commands,
  type Entry,
  type Flag,
  isGroup,
  namesFile,
  type Values,
} from '../command.js';
import { findCommand, findEntry, isWord, tokensOf } from '../find-command.js';
import { GLOBAL_FLAGS } from '../global-flags.js';

interface Candidate {
  readonly value: string;
  readonly description: string;
}

export interface Completion {
  readonly candidates: readonly Candidate[];
  /** True if the shell should also complete file names. */
  readonly files: boolean;
  /** True if no space follows the candidate, as for a list with commas. */
  readonly open: boolean;
}

/** Sources of values that are not in the command definitions. */
export interface Sources {
  /** Items that a reference can mean, given the other values of the line; empty if not available in time. */
  readonly references: (place: Place, values: Values) => Promise<Pick<Listed, 'matches' | 'find'>>;
  /** What arguments name, by `Argument.names`; values by the setting before them. */
  readonly named: Readonly<
    Record<'profile' | 'topic' | 'setting' | 'value', (before?: string) => Promise<readonly Candidate[]>>
  >;
}

const NONE: Completion = { candidates: [], files: false, open: false };

export const described = (values: readonly string[], description = ''): readonly Candidate[] =>
  values.map((value) => ({ value, description }));

const words = (candidates: readonly Candidate[], typed: string): Completion => ({
  ...NONE,
  candidates: candidates.filter(({ value }) => value.toLowerCase().startsWith(typed.toLowerCase())),
});

/** What a line says before its last word, and whether `--` has ended its flags. */
function readLine(finished: readonly string[], flags: readonly Flag[]) {
  const tokens = tokensOf(finished, flags);
  const values: Record<string, string> = {};
  for (const { flag, value } of tokens) if (flag !== undefined && value !== undefined) values[flag.name] = value;
  const { flag, value, word: last, index = 0 } = tokens.at(-1) ?? {};
  const pending = flag !== undefined && flag.kind !== 'switch' && value === undefined ? flag : undefined;
  const hasEnded = last === '--';
  const behindEnd = hasEnded ? finished.slice(index + 1) : [];
  return { positionals: [...tokens.filter(isWord).map(({ word }) => word), ...behindEnd], values, pending, hasEnded };
}

function lastPart(typed: string): { before: string; part: string } {
  const comma = typed.lastIndexOf(',');
  return { before: typed.slice(0, comma + 1), part: typed.slice(comma + 1) };
}

const behind = (before: string, { candidates, ...rest }: Completion): Completion => ({
  ...rest,
  candidates: candidates.map(({ value, description }) => ({ value: before + value, description })),
});

function elements(isList: boolean, typed: string, candidates: readonly Candidate[]): Completion {
  if (!isList) return words(candidates, typed);
  const { before, part } = lastPart(typed);
  const taken = new Set(before.split(','));
  const left = candidates.filter(({ value }) => !taken.has(value) && !value.includes(','));
  return { ...behind(before, words(left, part)), open: true };
}

async function fieldCandidates(shape: Field | undefined): Promise<readonly Candidate[]> {
  if (shape === undefined) return [];
  const { fieldAt, fieldNames } = await import('../../output/select/fields.js');
  return fieldNames(shape).map((value) => ({
    value,
    description: fieldAt(shape, value.split('.'))?.description ?? '',
  }));
}

/** IDs and, once something is typed, also codes, addresses and names that are unique. */
async function referenceCandidates(
  { name, refersTo }: Flag | Argument,
  typed: string,
  values: Values,
  sources: Sources,
): Promise<readonly Candidate[]> {
  if (refersTo === undefined) return [];
  const [prefix = ''] = /^(?:id|name|code|ean):/.exec(typed) ?? [];
  const { matches, find } = await sources.references({ name, refersTo }, values);
  const ids = matches.map(({ id, label }) => ({ value: `${prefix}${id}`, description: label }));
  if (typed === '' || prefix === 'id:') return ids;
  const isMeant = ({ value, description }: Candidate): boolean =>
    find(value)
      .map(({ id }) => id)
      .join() === description;
  const names = matches.flatMap(({ id, names: all }) =>
    all.map((value) => ({ value: `${prefix}${value}`, description: id })).filter(isMeant),
  );
  return prefix === '' ? [...ids, ...names] : names;
}

/** @param shape of what the command prints @param values the other ones of the line */
async function valueCandidates(
  flag: Flag,
  typed: string,
  shape: Field | undefined,
  values: Values,
  sources: Sources,
): Promise<Completion> {
  const isList = flag.many === true;
  if (flag.choices !== undefined) return elements(isList, typed, described(flag.choices.map(String)));
  if (namesFile(flag)) return { ...NONE, files: true };
  if (flag.name === 'profile') return words(await sources.named.profile(), typed);
  if (flag.name === 'fields' || flag.name === 'sort')
    return elements(flag.name === 'fields', typed, await fieldCandidates(shape));
  const part = isList ? lastPart(typed).part : typed;
  return elements(isList, typed, await referenceCandidates(flag, part, values, sources));
}

async function argumentCandidates(
  command: Command,
  { positionals, values }: { readonly positionals: readonly string[]; readonly values: Values },
  typed: string,
  commands: Commands,
  sources: Sources,
): Promise<Completion> {
  const args = command.arguments ?? [];
  const argument: Argument | undefined = args[positionals.length] ?? (args.at(-1)?.many ? args.at(-1) : undefined);
  if (argument === undefined) return NONE;
  if (argument.names === 'file') return { ...NONE, files: true };
  const [group, ...others] = positionals;
  if (argument.names === 'topic' && group !== undefined) {
    const loaded = others.length === 0 ? await findEntry(commands, group)?.load() : undefined;
    return loaded !== undefined && isGroup(loaded) ? words(summaries(loaded.commands), typed) : NONE;
  }
  if (argument.names !== undefined) {
    const own = await sources.named[argument.names](group);
    return words(argument.names === 'topic' ? [...own, ...summaries(commands)] : own, typed);
  }
  if (argument.words !== undefined) return words(described(argument.words), typed);
  return words(await referenceCandidates(argument, typed, values, sources), typed);
}

/** The values of the arguments that a line has already. */
const argumentValues = ({ arguments: args = [] }: Command, positionals: readonly string[]): Values =>
  Object.fromEntries(args.flatMap(({ name }, at) => (at < positionals.length ? [[name, positionals[at]]] : [])));

const summaries = (named: readonly Pick<Entry, 'name' | 'summary'>[]): Candidate[] =>
  named.map(({ name, summary }) => ({ value: name, description: summary }));

/** The candidates for the last word of a line, which is empty if the cursor is after a space. */
export async function complete(line: readonly string[], commands: Commands, sources: Sources): Promise<Completion> {
  const typed = line.at(-1) ?? '';
  const finished = line.slice(0, -1);
  const [first, second] = readLine(finished, GLOBAL_FLAGS).positionals;
  const loaded = first === undefined ? undefined : await findEntry(commands, first)?.load();
  const group = loaded !== undefined && isGroup(loaded) ? loaded : undefined;
  const command = loaded !== undefined && isGroup(loaded) ? findCommand(loaded, second ?? loaded.alone ?? '') : loaded;
  const own = command?.flags ?? [];
  const flags = [...own, ...GLOBAL_FLAGS.filter((flag) => !own.some(({ name }) => name === flag.name))];
  const { pending, hasEnded, ...read } = readLine(finished, flags);
  const positionals = read.positionals.slice(group === undefined ? 1 : 2);
  const values = { ...read.values, ...(command && argumentValues(command, positionals)) };
  const valuesOf = (flag: Flag, part: string) => valueCandidates(flag, part, command?.shape, values, sources);
  if (pending !== undefined) return valuesOf(pending, typed);
  const [, name, part = ''] = /^(--[a-z0-9-]+)=(.*)$/s.exec(typed) ?? [];
  if (name !== undefined && !hasEnded) {
    const flag = tokensOf([name], flags)[0]?.flag;
    return flag === undefined ? NONE : behind(`${name}=`, await valuesOf(flag, part));
  }
  if (typed.startsWith('-') && !hasEnded) {
    return words(
      flags.map((flag) => ({ value: `--${flag.name}`, description: flag.description })),
      typed,
    );
  }
  if (first === undefined) return words(summaries(commands), typed);
  if (group !== undefined && second === undefined) return words(summaries(group.commands), typed);
  if (command === undefined) return NONE;
  return argumentCandidates(command, { positionals, values }, typed, commands, sources);
}
