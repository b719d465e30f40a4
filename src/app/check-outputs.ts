/** Refuses a line whose outputs cannot be written, or would overwrite its input or each other. */
import { devNull } from 'node:os';
import { type Command, type Flag, namesFile, textsOf, type Values } from '../cli/command.js';
import { GLOBAL_FLAGS } from '../cli/global-flags.js';
import { shown } from '../cli/read-value.js';
import { usageError } from '../core/errors.js';
import { checkOutput, outputPlace } from '../core/fs/output-file.js';

/** Flags whose file may be stdout. */
const MAY_BE_STDOUT: ReadonlySet<string> = new Set(['to', 'results', 'failed']);

const filesIn = (given: Values, places: readonly Pick<Flag, 'name' | 'writes'>[]) =>
  places.flatMap(({ name, writes }) =>
    textsOf(given, name).map((file) => ({ name, writes, file, place: outputPlace(file) })),
  );

/** @throws EduError `usage` */
export function checkOutputs({ arguments: args = [], flags = [] }: Command, values: Values, globals: Values): void {
  const inputs = args.filter(({ names }) => names === 'file');
  const files = [
    ...filesIn(values, [...inputs, ...flags.filter(namesFile)]),
    ...filesIn(globals, GLOBAL_FLAGS.filter(namesFile)),
  ];
  const read = new Set(files.flatMap(({ writes, place }) => (writes ? [] : [place])));
  const written = new Map<string, string>();
  for (const { name, writes, file, place } of files.filter(({ writes, place }) => writes && place !== devNull)) {
    const other = written.get(place);
    if (other !== undefined) throw usageError(`--${other} and --${name} cannot both be ${shown(file)}.`);
    if (place !== '-' && read.has(place))
      throw usageError(`--${name} cannot be ${shown(file)}: that is the input, which would be overwritten.`);
    written.set(place, name);
    if (writes === true && (place !== '-' || !MAY_BE_STDOUT.has(name))) checkOutput(file);
  }
}
