/** The commands that an assistant can use, and the command lines that its structured arguments make. */
import { type Command, type Commands, type Flag, namesFile } from '../../cli/command.js';
import { commandsIn } from '../../cli/find-command.js';
import { globalsOf, possibleTraits } from '../../cli/help.js';
import type { Field } from '../../contract/vocabulary.js';
import { usageError } from '../../core/errors.js';
import { didYouMean } from '../../core/suggest.js';
import { effectsOf } from '../help/command-manifest.js';

/** `read` sends only reads; `plan` runs a write for rows, of which a dry run shows the requests. */
export type Use = 'read' | 'plan';

export interface Usable {
  readonly path: string;
  readonly use: Use;
  readonly command: Command;
  readonly effects: readonly string[];
  /** The flags that arguments of a tool may set. */
  readonly flags: readonly Flag[];
  /** Words of its command line that limit it to the organization of the session. */
  readonly fixed: readonly string[];
}

export type FlagInput = string | number | boolean | readonly (string | number)[];

/** What an assistant asks for. */
export interface LineInput {
  readonly command: string;
  readonly arguments?: readonly string[] | undefined;
  readonly flags?: Readonly<Record<string, FlagInput>> | undefined;
}

/** Global flags that decide only which items are shown. All others belong to the person who started the session. */
const SHOWING: Readonly<Record<Use, readonly string[]>> = {
  read: ['fields', 'query', 'sort', 'limit', 'language'],
  plan: ['language'],
};

/** Flags of a write that the tools set themselves. */
const OWN = ['dry-run', 'template'];

/** Undefined if an assistant cannot use the command: it writes, reads or sends files of this machine, or shows secrets. */
function useOf(command: Command, effects: readonly string[]): Use | undefined {
  const flags = command.flags ?? [];
  if ((command.arguments ?? []).some(({ names }) => names !== undefined)) return undefined;
  // Cells of these columns are paths of files to upload.
  const uploads = flags.some(({ kind, trait, name }) => ['pdf', 'image'].includes(kind) && trait === undefined && name);
  const traits = possibleTraits(command);
  // Commands for jobs have rows, too, but read none.
  if (traits.has('rows')) return uploads || !flags.some(({ name }) => name === 'from') ? undefined : 'plan';
  const onlyReads = effects.every((effect) => effect === 'reads');
  return onlyReads && command.prints !== 'nothing' && traits.has('service') ? 'read' : undefined;
}

/** Flags that choose whose items are listed, or look users up elsewhere. */
const CHOOSING = ['organization', 'organization-type', 'all-organizations', 'school', 'user', 'in'];

/** The words that limit a list to an organization; undefined for other commands: an ID may be that of any item. */
function limitedTo(organization: string, { prints, arguments: args = [], flags = [] }: Command) {
  const flag = ['organization', 'school'].find((name) => flags.some((one) => one.name === name));
  return prints === 'list' && args.length === 0 && flag !== undefined ? [`--${flag}=${organization}`] : undefined;
}

/** What a session may use. */
export interface Scope {
  /** Names of groups; all if empty. */
  readonly groups: readonly string[];
  /** Without commands whose output may name people in unknown fields. */
  readonly isRedacted: boolean;
  /** ID or name of the only organization whose items are read. Writes for rows are not available: any row may name another. */
  readonly organization?: string | undefined;
}

/** What the person who started the session allows. */
export interface Allowed {
  readonly usable: () => Promise<readonly Usable[]>;
  readonly scope: Scope;
  readonly mayApply: boolean;
}

/** True if a part of a shape is not described. */
const isOpen = ({ kind, of, fields }: Field): boolean =>
  kind === 'any' || (of !== undefined && isOpen(of)) || Object.values(fields ?? {}).some(isOpen);

export async function usableCommands(
  commands: Commands,
  { groups, isRedacted, organization }: Scope,
): Promise<readonly Usable[]> {
  const found: Usable[] = [];
  const meant = commands.filter(({ name }) => groups.length === 0 || groups.includes(name));
  for await (const { path, command } of commandsIn(meant)) {
    const effects = effectsOf(path, command);
    const use = useOf(command, effects);
    if (use === undefined || (isRedacted && command.shape !== undefined && isOpen(command.shape))) continue;
    const fixed = organization === undefined ? [] : use === 'read' && limitedTo(organization, command);
    if (!fixed) continue;
    const kept = [...OWN, ...(organization === undefined ? [] : CHOOSING)];
    const own = (command.flags ?? []).filter((one) => !namesFile(one) && !kept.includes(one.name));
    const shared = globalsOf(command).filter(({ name }) => SHOWING[use].includes(name));
    found.push({ path, use, command, effects, flags: [...own, ...shared], fixed });
  }
  return found;
}

/** @throws EduError `usage` if there is no such command, or the session or this tool may not use it */
export function findUsable(usable: readonly Usable[], path: string, use: Use): Usable {
  const words = path.trim().replace(/^edu /, '');
  const found = usable.find((one) => one.path === words);
  if (found?.use === use) return found;
  if (found !== undefined) throw usageError(`"edu ${words}" is for the tool ${found.use}, not for ${use}.`);
  const paths = usable.filter((one) => one.use === use).map((one) => one.path);
  throw usageError(
    `The tool ${use} cannot use "${words}" here.`,
    didYouMean(words, paths) ?? 'Find a command with search_commands.',
  );
}

/**
 * The words of a command line. Values stay values: flags are `--name=value`, arguments follow `--`.
 * @param more words of the tool itself, before `--`
 * @throws EduError `usage` for flags that the command does not have, or that an assistant may not set
 */
export function lineOf({ path, flags, fixed }: Usable, input: LineInput, more: readonly string[]): readonly string[] {
  const given = Object.entries(input.flags ?? {}).flatMap(([name, value]) => {
    const known = flags.map((one) => one.name);
    // A value is never a word of its own, so it cannot be taken for a flag.
    if (known.includes(name)) return [value].flat().map((text) => `--${name}=${text}`);
    throw usageError(`An assistant cannot set ${JSON.stringify(name)} of "edu ${path}".`, didYouMean(name, known));
  });
  return [...path.split(' '), ...given, ...fixed, ...more, '--', ...(input.arguments ?? [])];
}
