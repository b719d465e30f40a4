/** The end of a command that failed: what is said on stderr, and the exit code. */
import { isSet, type Surroundings } from './assemble.js';
import { isOn, textOf, type Values } from './commands/definition.js';
import { wantsColor } from './output/color.js';
import { asEduError, errorReport } from './output/error-report.js';

/** Whether the reader of stderr is a program that reads JSON. */
function readsJson(globals: Values, { env }: Surroundings): boolean {
  const format = isOn(globals, 'json') ? 'json' : (textOf(globals, 'output') ?? env.EDU_OUTPUT ?? '');
  return format === 'json' || format === 'ndjson';
}

/** Shows an error. @returns its exit code */
export async function reportError(thrown: unknown, globals: Values, surroundings: Surroundings): Promise<number> {
  const { io, env } = surroundings;
  const error = asEduError(thrown);
  const text = errorReport(thrown, {
    json: readsJson(globals, surroundings),
    color: wantsColor(isOn(globals, 'no-color'), env, io.stderr.isTTY),
    columns: io.stderr.columns,
    debug: isOn(globals, 'debug') || isSet(env.EDU_DEBUG),
  });
  await io.stderr.write(text);
  return error.exitCode;
}
