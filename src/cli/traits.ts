/** Finds flags that do not apply to the command on the line. */
import type { Problem } from '../core/errors.js';
import type { Command, Flag, Trait, Values } from './command.js';

const BY_PRINTS: Readonly<Record<Command['prints'], readonly Trait[]>> = {
  list: ['result', 'list', 'limit', 'service'],
  item: ['result', 'service'],
  nothing: [],
};

/** The traits of a list that is created without the service. */
export const LOCAL_LIST: readonly Trait[] = ['result', 'list', 'limit'];

/** The traits of a command with given values. */
export function traitsOf({ prints, traits }: Pick<Command, 'prints' | 'traits'>, values: Values): readonly Trait[] {
  if (traits === undefined) return BY_PRINTS[prints];
  return typeof traits === 'function' ? traits(values) : traits;
}

const LACKS: Readonly<Record<Trait, string>> = {
  result: 'prints no records',
  list: 'prints no list',
  limit: 'prints no list and runs no rows of --from or --count',
  pages: 'reads no pages of a list',
  service: 'does not call the service',
  rows: 'runs no rows: it needs --from or --count',
  file: 'reads no file: it needs --from',
};

function shownFlag({ name, value }: Flag, given: Values[string]): string {
  const isSimple = typeof given === 'number' || (typeof given === 'string' && /^[\w.:/@,+-]{1,40}$/.test(given));
  return `--${name}${value !== undefined && isSimple ? ` ${given}` : ''}`;
}

/** Problems of given flags that do not apply, because ignoring them would give an unexpected result. */
export function unusedFlags(command: Command, path: string, flags: readonly Flag[], values: Values): Problem[] {
  const traits = traitsOf(command, values);
  return flags.flatMap((flag) => {
    const given = values[flag.name];
    if (given === undefined || flag.trait === undefined || traits.includes(flag.trait)) return [];
    const what = path === '' ? 'it' : `"edu ${path}"`;
    return [{ where: shownFlag(flag, given), message: `does not apply: ${what} ${LACKS[flag.trait]}` }];
  });
}
