/** `edu help --json`: every command as data, for scripts and editors, in the form of docs/manifest.schema.json. */
import type { Argument, Command, Commands, Flag } from '../../cli/command.js';
import { commandsIn, namesOf } from '../../cli/find-command.js';
import { GLOBAL_FLAGS } from '../../cli/global-flags.js';
import { globalsOf, possibleTraits } from '../../cli/help.js';
import { EXIT, EXIT_CODES } from '../../core/errors.js';
import { version } from '../../core/version.js';
import { schemaOfField } from '../../export/files/schema.js';
import facts from './command-facts.json' with { type: 'json' };
import { EXIT_MEANINGS } from './topics.js';

const TYPES: Readonly<Partial<Record<Flag['kind'], string>>> = {
  switch: 'boolean',
  whole: 'integer',
  date: 'date',
  email: 'email',
  pdf: 'file',
  image: 'file',
  file: 'file',
};

const LOCAL_CODES = [EXIT.done, EXIT.failed, EXIT.usage, EXIT.interrupted, EXIT.terminated];
const SERVICE_CODES = [EXIT.partial, EXIT.unauthenticated, EXIT.notFound, EXIT.forbidden, EXIT.unreachable];

/** Exit codes of commands, by path or verb, in addition to those that follow from their traits. */
const MORE_CODES: Readonly<Record<string, readonly number[]>> = facts.exitCodes;

export const flagData = (flag: Flag) => ({
  name: flag.name,
  short: flag.short ?? null,
  aliases: flag.aliases ?? [],
  description: flag.description,
  note: flag.note || null,
  type: TYPES[flag.kind] ?? 'string',
  value: flag.value ?? null,
  choices: flag.choices ?? null,
  otherChoices: flag.choices !== undefined && flag.open === true,
  many: flag.many === true || flag.repeat === true,
  commas: flag.many === true,
  required: flag.required === true,
  minimum: flag.minimum ?? null,
  maxLength: flag.maxLength ?? null,
  refersTo: flag.refersTo ?? null,
});

export const argumentData = ({ name, description, many, optional, refersTo }: Argument) => ({
  name,
  description: description,
  many: many === true,
  required: optional !== true,
  refersTo: refersTo ?? null,
});

/** Commands that print rows, but one document as JSON, are items without a schema. */
function outputData({ prints, shape }: Command, path: string) {
  const isDocument = facts.documents.includes(path);
  const isRecord = prints !== 'nothing' && shape !== undefined && !isDocument;
  return {
    kind: prints === 'nothing' ? 'none' : isDocument ? 'item' : prints,
    schema: isRecord ? schemaOfField(shape) : null,
  };
}

function commandData(command: Command, path: string) {
  // Any command of the service may look names up in a list, which may not be read completely.
  const called = possibleTraits(command).has('service') ? SERVICE_CODES : [];
  const codes = [...LOCAL_CODES, ...called, ...(MORE_CODES[path] ?? MORE_CODES[command.name] ?? [])];
  return {
    command: path,
    aliases: command.aliases ?? [],
    summary: command.summary,
    details: command.details ?? null,
    arguments: (command.arguments ?? []).map(argumentData),
    flags: (command.flags ?? []).map(flagData),
    globalFlags: globalsOf(command).map(({ name }) => name),
    effects: effectsOf(path, command),
    exitCodes: [...new Set(codes)].sort((a, b) => a - b),
    output: outputData(command, path),
    examples: Object.entries(command.examples).map(([description, line]) => ({ description, line })),
  };
}

export type Manifest = ReturnType<typeof document>;

const document = (commands: readonly ReturnType<typeof commandData>[]) => ({
  manifest: 1,
  version: version(),
  globalFlags: GLOBAL_FLAGS.map(flagData),
  exitCodes: Object.entries(EXIT_MEANINGS).map(([code, meaning]) => ({
    code: Number(code),
    meaning,
    errorKinds: Object.entries(EXIT_CODES).flatMap(([kind, of]) => (of === Number(code) ? [kind] : [])),
  })),
  commands,
});

/** @param words of a command or group; all commands if empty @returns undefined if there is none */
export async function manifest(words: readonly string[], entries: Commands): Promise<Manifest | undefined> {
  const [first, second] = words;
  const found: ReturnType<typeof commandData>[] = [];
  const meant = entries.filter((entry) => first === undefined || namesOf([entry]).includes(first));
  for await (const { path, command } of commandsIn(meant))
    if (second === undefined || namesOf([command]).includes(second)) found.push(commandData(command, path));
  return found.length === 0 ? undefined : document(found);
}

/** The effects of commands by path (`users create`) or verb (`create`); docs/manifest.schema.json lists them. */
const EFFECTS = new Map(
  Object.entries(facts.effects).flatMap(([effects, names]) => names.map((name) => [name, effects.split(' ')] as const)),
);

/** @param path the command's words */
export function effectsOf(path: string, { name, flags }: Command): readonly string[] {
  const isWrite = flags?.some((flag) => flag.name === 'dry-run') === true;
  return EFFECTS.get(path) ?? EFFECTS.get(name) ?? (isWrite ? ['reads', 'changes'] : ['reads']);
}
