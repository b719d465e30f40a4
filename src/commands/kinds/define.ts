/** Defines the kinds of commands. Their actions are imported when they run, so that help and completion stay fast. */
import { bulkFlags } from '../../cli/bulk-flags.js';
import type { Command, Trait, Values } from '../../cli/command.js';
import { DRY_RUN } from '../../cli/global-flags.js';
import { searchFlag, WITH_NAMES } from './filter-flags.js';
import { withIn } from './in-flag.js';
import type { Described, ItemSpec, ListSpec, WriteSpec } from './spec.js';

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
      if (isBulk(values)) return (await import('./bulk/run.js')).bulk(command, spec, values, context);
      return (await import('./write.js')).write(command, spec, values, context);
    },
    resume: async (job, flags, context) =>
      (await import('./bulk/resume.js')).resumeRows(command, spec, job, flags, context),
  };
  return command;
}
