/**
 * Completes an unfinished line: words, flags, values, and IDs with their names. Loads only the group on the line, and
 * calls the service only for IDs.
 */
import type { Match } from '../../client/references/resolver.js';
import type { Field, Referent } from '../../contract/vocabulary.js';
import { type Argument, type Command, type Commands, type Flag, isGroup, type Values } from '../command.js';
import { findCommand, findEntry } from '../find-command.js';
import { GLOBAL_FLAGS } from '../global-flags.js';

export interface Candidate {
  readonly value: string;
  readonly description: string;
}

export interface Completion {
  readonly candidates: readonly Candidate[];
  /** Whether the shell should also complete file names. */
  readonly files: boolean;
  /** Whether no space follows the candidate, as for a list with commas. */
  readonly open: boolean;
}

/** Sources of values that are not in the command definitions. */
export interface Sources {
  /** Items that a reference can mean, given the other values of the line; empty if not available in time. */
  readonly references: (refersTo: Referent, command: Command, values: Values) => Promise<readonly Match[]>;
  readonly profiles: () => Promise<readonly string[]>;
  readonly topics: () => Promise<readonly string[]>;
  readonly settings: () => Promise<readonly Candidate[]>;
}

const NONE: Completion = { candidates: [], files: false, open: false };

const words = (candidates: readonly Candidate[], typed: string): Completion => ({
  ...NONE,
  candidates: candidates.filter(({ value }) => value.toLowerCase().startsWith(typed.toLowerCase())),
});

/** Finds a flag by `--flag` or `-f`. */
function findFlag(name: string, flags: readonly Flag[]): Flag | undefined {
  return flags.find(
    (flag) =>
      name === `--${flag.name}` || name === `-${flag.short}` || flag.aliases?.some((alias) => name === `--${alias}`),
  );
}

interface Line {
  /** Words that are neither flags nor their values. */
  readonly positionals: readonly string[];
  /** Values of flags as typed. */
  readonly values: Readonly<Record<string, string>>;
  /** The flag whose value is expected next. */
  readonly pending: Flag | undefined;
}

/** Splits the finished words of a line into arguments and flags. */
function readLine(finished: readonly string[], flags: readonly Flag[]): Line {
  const positionals: string[] = [];
  const values: Record<string, string> = {};
  let pending: Flag | undefined;
  for (const word of finished) {
    const [, name = word, inline] = /^(--[a-z0-9-]+)=(.*)$/s.exec(word) ?? [];
    if (pending !== undefined) {
      values[pending.name] = word;
      pending = undefined;
    } else if (word.startsWith('-') && word !== '-') {
      const flag = findFlag(name, flags);
      if (flag !== undefined && inline !== undefined) values[flag.name] = inline;
      else pending = flag !== undefined && flag.kind !== 'switch' ? flag : undefined;
    } else positionals.push(word);
  }
  return { positionals, values, pending };
}

function flagCandidates(flags: readonly Flag[], typed: string): Completion {
  const shown = flags.filter((flag) => !flag.hidden);
  return words(
    shown.map((flag) => ({ value: `--${flag.name}`, description: flag.description })),
    typed,
  );
}

/** The last element of a list with commas, and the text before it. */
function lastPart(typed: string): { before: string; part: string } {
  const comma = typed.lastIndexOf(',');
  return { before: typed.slice(0, comma + 1), part: typed.slice(comma + 1) };
}

async function ofList(typed: string, candidates: readonly Candidate[]): Promise<Completion> {
  const { before, part } = lastPart(typed);
  const taken = new Set(before.split(','));
  const found = words(
    candidates.filter(({ value }) => !taken.has(value)),
    part,
  );
  return {
    ...found,
    open: true,
    candidates: found.candidates.map(({ value, description }) => ({ value: before + value, description })),
  };
}

async function fieldCandidates(shape: Field | undefined): Promise<readonly Candidate[]> {
  if (shape === undefined) return [];
  const { fieldAt, fieldNames } = await import('../../output/select/fields.js');
  return fieldNames(shape).map((value) => ({
    value,
    description: fieldAt(shape, value.split('.'))?.description ?? '',
  }));
}

/**
 * IDs and, once something is typed, also codes, addresses and names that are unique.
 */
async function referenceCandidates(
  refersTo: Referent,
  typed: string,
  { command, values }: Place,
  sources: Sources,
): Promise<readonly Candidate[]> {
  const matches = command === undefined ? [] : await sources.references(refersTo, command, values);
  const ids = matches.map(({ id, label }) => ({ value: id, description: label }));
  if (typed === '') return ids;
  const names = matches.flatMap(({ id, names: all }) => all.map((value) => ({ value, description: id })));
  const counts = new Map<string, number>();
  for (const { value } of names) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...ids, ...names.filter(({ value }) => counts.get(value) === 1)];
}

/** The command and the other values of the line. */
interface Place {
  readonly command: Command | undefined;
  readonly values: Values;
}

async function valueCandidates(flag: Flag, typed: string, place: Place, sources: Sources): Promise<Completion> {
  const { command } = place;
  if (flag.choices !== undefined) {
    const choices = flag.choices.map((choice) => ({ value: String(choice), description: '' }));
    return flag.many ? ofList(typed, choices) : words(choices, typed);
  }
  if (flag.kind === 'file' || flag.kind === 'pdf' || flag.kind === 'image') return { ...NONE, files: true };
  if (flag.name === 'profile')
    return words(
      (await sources.profiles()).map((value) => ({ value, description: 'profile' })),
      typed,
    );
  if (flag.name === 'fields') return ofList(typed, await fieldCandidates(command?.shape));
  if (flag.name === 'sort') return words(await fieldCandidates(command?.shape), typed);
  if (flag.refersTo === undefined) return NONE;
  const { part } = flag.many ? lastPart(typed) : { part: typed };
  const found = await referenceCandidates(flag.refersTo, part, place, sources);
  return flag.many
    ? ofList(
        typed,
        found.filter(({ value }) => !value.includes(',')),
      )
    : words(found, typed);
}

async function argumentCandidates(
  command: Command,
  { positionals, values }: Pick<Line, 'positionals' | 'values'>,
  typed: string,
  commands: Commands,
  sources: Sources,
): Promise<Completion> {
  const args = command.arguments ?? [];
  const argument: Argument | undefined = args[positionals.length] ?? (args.at(-1)?.many ? args.at(-1) : undefined);
  if (argument === undefined) return NONE;
  if (argument.name === 'file' || argument.name === 'a' || argument.name === 'b') return { ...NONE, files: true };
  if (argument.name === 'topic')
    return words(
      [...(await sources.topics()).map((value) => ({ value, description: 'topic' })), ...entryCandidates(commands)],
      typed,
    );
  if (argument.name === 'key') return words(await sources.settings(), typed);
  if (argument.name === 'profile')
    return words(
      (await sources.profiles()).map((value) => ({ value, description: 'profile' })),
      typed,
    );
  if (argument.refersTo === undefined) return NONE;
  const before = Object.fromEntries(
    args.flatMap(({ name }, at) => (at < positionals.length ? [[name, positionals[at]]] : [])),
  );
  const place = { command, values: { ...values, ...before } };
  return words(await referenceCandidates(argument.refersTo, typed, place, sources), typed);
}

const entryCandidates = (commands: Commands): Candidate[] =>
  commands.map(({ name, summary }) => ({ value: name, description: summary }));

/**
 * The candidates for the last word of a line.
 * @param line the words after `edu`; the last one is unfinished, and empty if the cursor is after a space
 */
export async function complete(line: readonly string[], commands: Commands, sources: Sources): Promise<Completion> {
  const typed = line.at(-1) ?? '';
  const finished = line.slice(0, -1);
  const first = readLine(finished, GLOBAL_FLAGS).positionals[0];
  const entry = first === undefined ? undefined : findEntry(commands, first);
  const loaded = await entry?.load();
  const second = loaded !== undefined && isGroup(loaded) ? readLine(finished, GLOBAL_FLAGS).positionals[1] : undefined;
  const command =
    loaded === undefined
      ? undefined
      : isGroup(loaded)
        ? second === undefined
          ? undefined
          : findCommand(loaded, second)
        : loaded;
  const own = command?.flags ?? [];
  const flags = [...own, ...GLOBAL_FLAGS.filter((flag) => !own.some(({ name }) => name === flag.name))];
  const { positionals, values, pending } = readLine(finished, flags);
  const place = { command, values };
  if (pending !== undefined) return valueCandidates(pending, typed, place, sources);
  const inline = /^(--[a-z0-9-]+)=(.*)$/s.exec(typed);
  if (inline !== null) {
    const [, name = '', part = ''] = inline;
    const flag = findFlag(name, flags);
    if (flag === undefined) return NONE;
    const found = await valueCandidates(flag, part, place, sources);
    return {
      ...found,
      candidates: found.candidates.map(({ value, description }) => ({ value: `${name}=${value}`, description })),
    };
  }
  if (typed.startsWith('-')) return flagCandidates(flags, typed);
  if (entry === undefined) return first === undefined ? words(entryCandidates(commands), typed) : NONE;
  if (loaded !== undefined && isGroup(loaded) && command === undefined) {
    const verbs = loaded.commands
      .filter((one) => !one.hidden)
      .map(({ name, summary }) => ({ value: name, description: summary }));
    return second === undefined ? words(verbs, typed) : NONE;
  }
  if (command === undefined) return NONE;
  const used = loaded !== undefined && isGroup(loaded) ? 2 : 1;
  return argumentCandidates(command, { positionals: positionals.slice(used), values }, typed, commands, sources);
}
