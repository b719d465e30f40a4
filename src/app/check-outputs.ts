/** Refuses a line whose outputs would overwrite its input or each other. */
import { type Command, namesFile, textsOf, type Values } from '../cli/command.js';
import { GLOBAL_FLAGS } from '../cli/global-flags.js';
import { shown } from '../cli/read-value.js';
import { usageError } from '../core/errors.js';
import { outputPlace } from '../core/fs/output-file.js';

/** @throws EduError `usage` */
export function checkOutputs({ arguments: args = [], flags = [] }: Command, values: Values, globals: Values): void {
  const given = [
    ...flags.filter(namesFile).flatMap((flag) => textsOf(values, flag.name).map((file) => ({ ...flag, file }))),
    ...GLOBAL_FLAGS.flatMap((flag) =>
      (flag.writes ? textsOf(globals, flag.name) : []).map((file) => ({ ...flag, file })),
    ),
  ];
  const inputs = args.filter(({ names }) => names === 'file').flatMap(({ name }) => textsOf(values, name));
  const read = new Set([...inputs, ...given.flatMap(({ writes, file }) => (writes ? [] : [file]))].map(outputPlace));
  const written = new Map<string, string>();
  for (const { name, file } of given.filter(({ writes }) => writes)) {
    const place = outputPlace(file);
    const other = written.get(place);
    if (other !== undefined) throw usageError(`--${other} and --${name} cannot both be ${shown(file)}.`);
    if (place !== '-' && read.has(place))
      throw usageError(`--${name} cannot be ${shown(file)}: that is the input, which would be overwritten.`);
    written.set(place, name);
  }
}
