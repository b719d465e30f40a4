/** Defines the kinds of commands. Their actions are imported when they run, so that help and completion stay fast. */

import { bulkFlags } from '../../cli/bulk-flags.js';
import { type Command, type Flag, flag, needs, type Trait, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { DRY_RUN } from '../../cli/global-flags.js';
import { either } from '../../core/plural.js';
import type { Described, ItemSpec, ListSpec, WriteSpec } from './spec.js';

/** For every command about a user. */
export const IN: Flag = flag('--in ORGANIZATION', 'organization in which to look up users by name (default: yours)', {
  refersTo: 'organization',
  changesNothing: true,
});

/** Adds `--in` to the flags of a command that refers to users. */
function withIn<S extends Pick<Described, 'arguments' | 'flags' | 'check'>>(spec: S): S {
  const { arguments: args = [], flags = [], check } = spec;
  const [place] = [...args, ...flags].filter(({ refersTo }) => refersTo === 'user');
  if (place === undefined) return spec;
  // A user who is an argument may also be named by the rows of a file.
  const idle = args.includes(place) ? () => [] : needs(IN.name, place.name);
  return { ...spec, flags: [...flags, IN], check: (values: Values) => [...(check?.(values) ?? []), ...idle(values)] };
}

export const FILTER = 'Filter';

const SPELLED: Readonly<Record<string, string>> = { ean: 'EAN', email: 'e-mail address', id: 'ID' };

/** The words of a field: `className` → `class name`. */
const wordsOf = (field: string): string =>
  SPELLED[field] ?? field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Every list has this flag. @param fields the fields that it searches; undefined for all texts */
function searchFlag(fields: readonly string[] | undefined): Flag {
  const where = fields === undefined ? '' : ` in ${either(fields.map(wordsOf))}`;
  return flag('--search TEXT', `only items with TEXT${where}; case and accents are ignored`, {
    notEmpty: true,
    group: FILTER,
  });
}

/** Flags for items with a term and activations. @param things their plural, such as `licences` */
export const termFlags = (things: string): readonly Flag[] => {
  const dates = { value: 'DATE', kind: 'date', note: 'yyyy-MM-dd, today, +30d, -2w', group: FILTER } as const;
  return [
    { name: 'expires-before', ...dates, description: `only ${things} that end before this day` },
    { name: 'expires-after', ...dates, description: `only ${things} that end after this day` },
    flag('--expired', `only ${things} that ended before today`, { group: FILTER }),
    flag('--unused', `only ${things} without any activation`, { group: FILTER }),
    flag('--full', `only ${things} with no seat left`, { group: FILTER }),
    flag('--free N', `only ${things} with at least N seats left`, { kind: 'whole', minimum: 1, group: FILTER }),
    flag('--used N%', `only ${things} with at least N% of their seats in use`, { kind: 'percent', group: FILTER }),
  ];
};

/** For lists that refer to users by ID. */
const WITH_NAMES: Flag = flag('--with-names', 'show names beside IDs of users (default on a terminal)');

/** A command of no other kind. It runs with complete and checked values. */
export const plainCommand = (spec: Command): Command => {
  const command: Command = {
    ...spec,
    run: async (given, context, commands) => {
      const { complete, resolved } = await import('./prompt-missing.js');
      const values = await complete(command, context.path, given, context);
      return spec.run(await resolved(command, values, context), context, commands);
    },
  };
  return command;
};

/** Adds what every command of a kind can do to its example, if it has only one. */
function withExample({ examples }: Described, description: string, flag: string): Described['examples'] {
  const [line = '', ...others] = Object.values(examples);
  if (others.length > 0 || line.includes(flag)) return examples;
  return { ...examples, [description]: `${line.replace(/ --yes$/, '')} ${flag}` };
}

export function listCommand(given: ListSpec): Command {
  const spec = withIn(given);
  const command: Command = {
    ...spec,
    flags: [...(spec.flags ?? []), searchFlag(spec.search), ...(spec.named === undefined ? [] : [WITH_NAMES])],
    prints: 'list',
    traits: spec.traits ?? ['result', 'list', 'limit', 'pages', 'service'],
    run: async (values, context) => (await import('./list.js')).list(command, spec, values, context),
  };
  return command;
}

export function itemCommand(given: ItemSpec): Command {
  const spec = withIn(given);
  const command: Command = {
    ...spec,
    examples: withExample(spec, 'Show the result as JSON:', '--json'),
    ...(spec.named === undefined ? {} : { flags: [...(spec.flags ?? []), WITH_NAMES] }),
    prints: 'item',
    run: async (values, context) => (await import('./list.js')).item(command, spec, values, context),
  };
  return command;
}

const isBulk = (values: Values): boolean =>
  values.from !== undefined || values.count !== undefined || values.template === true;

const writeTraits = (values: Values): readonly Trait[] => [
  ...(['result', 'service'] as const),
  ...(values.from === undefined ? [] : (['file'] as const)),
  ...(values.from === undefined && values.count === undefined ? [] : (['rows', 'limit'] as const)),
];

/** Before a write, on a terminal: the profile, if the current folder chose it. */
export async function sayFolderProfile({ isOffline, effective, say }: Context): Promise<void> {
  const { value, source, from } = effective().profile;
  if (!isOffline && source === 'folder') await say(`Profile ${value}, chosen by the ${from}.`);
}

/** Adds `--dry-run` and the bulk flags (`--from`, `--count`) to a command that changes something. */
export function writeCommand(given: WriteSpec): Command {
  const spec = withIn(given);
  const command: Command = {
    ...spec,
    examples: withExample(spec, 'Show the request without sending it:', '--dry-run'),
    flags: [...(spec.flags ?? []), DRY_RUN, ...bulkFlags(spec.countable === true, spec.key !== undefined)],
    prints: 'item',
    traits: writeTraits,
    endsItself: isBulk,
    run: async (values, context) => {
      await sayFolderProfile(context);
      if (isBulk(values)) return (await import('./bulk/run.js')).bulk(command, spec, values, context);
      return (await import('./write.js')).write(command, spec, values, context);
    },
    resume: async (job, flags, context) =>
      (await import('./bulk/run.js')).resumeRows(command, spec, job, flags, context),
  };
  return command;
}
