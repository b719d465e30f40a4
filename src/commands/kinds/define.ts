/**
 * Defines commands of each kind: lists, items and writes. Their actions are imported when they run, so that help and
 * completion load only data.
 */
import { bulkFlags } from '../../cli/bulk-flags.js';
import type { Argument, Command, Flag, Trait, Values } from '../../cli/command.js';
import { DRY_RUN } from '../../cli/global-flags.js';
import { SEARCH, WITH_NAMES } from './filter-flags.js';
import type { Described, ItemSpec, ListSpec, WriteSpec } from './spec.js';

/** A command that prints a list. */
export function listCommand(spec: ListSpec): Command {
  const command: Command = {
    ...described(spec),
    flags: [...(spec.flags ?? []), SEARCH, ...(spec.named === undefined ? [] : [WITH_NAMES])],
    shape: spec.shape,
    prints: 'list',
    traits: spec.traits ?? ['result', 'list', 'limit', 'pages', 'service'],
    run: async (values, context) => (await import('./list.js')).list(command, spec, values, context),
  };
  return command;
}

/** A command that prints one object. */
export function itemCommand(spec: ItemSpec): Command {
  const command: Command = {
    ...described(spec),
    ...(spec.named === undefined ? {} : { flags: [...(spec.flags ?? []), WITH_NAMES] }),
    shape: spec.shape,
    prints: 'item',
    run: async (values, context) => (await import('./item.js')).item(command, spec, values, context),
  };
  return command;
}

/** Whether the values ask for many writes, from a file or of one kind. */
const isBulk = (values: Values): boolean =>
  values.from !== undefined || values.count !== undefined || values.template === true;

const writeTraits = (values: Values): readonly Trait[] => [
  ...(['result', 'service', 'question'] as const),
  ...(values.from === undefined ? [] : (['file'] as const)),
  ...(values.from === undefined && values.count === undefined ? [] : (['rows', 'limit'] as const)),
];

/**
 * A command that changes something: it can be rehearsed with `--dry-run`, asks first when it destroys, and is done for
 * each row of a file with `--from`.
 */
export function writeCommand(spec: WriteSpec): Command {
  const command: Command = {
    ...described(spec),
    flags: [...(spec.flags ?? []), DRY_RUN, ...bulkFlags(spec.countable === true, spec.key !== undefined)],
    shape: spec.shape,
    prints: 'item',
    traits: writeTraits,
    endsItself: isBulk,
    run: async (values, context) => {
      if (isBulk(values)) return (await import('./bulk/run.js')).bulk(command, spec, values, context);
      return (await import('./write.js')).write(command, spec, values, context);
    },
    goOn: async (job, flags, context) => (await import('./bulk/resume.js')).goOn(command, spec, job, flags, context),
  };
  return command;
}

/** Only what a definition holds: `plan` and the like stay with the action. */
function described(spec: Described): Described {
  const { name, summary, examples, aliases, details, flags, check, hidden, traits } = spec;
  return {
    name,
    summary,
    examples,
    ...(aliases === undefined ? {} : { aliases }),
    ...(details === undefined ? {} : { details }),
    ...(spec.arguments === undefined ? {} : { arguments: spec.arguments }),
    ...(flags === undefined ? {} : { flags }),
    ...(check === undefined ? {} : { check }),
    ...(hidden === undefined ? {} : { hidden }),
    ...(traits === undefined ? {} : { traits }),
  };
}

/** The argument that names one thing by its id. */
export const idArgument = (description: string, refersTo: Argument['refersTo']): Argument => ({
  name: 'id',
  description,
  ...(refersTo === undefined ? {} : { refersTo }),
});

/** A flag and its neighbours with a heading for help. */
export const under = (group: string, flags: readonly Flag[]): readonly Flag[] =>
  flags.map((flag) => ({ ...flag, group }));
