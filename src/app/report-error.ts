/** The end of a command that failed: what is said on stderr, and the exit code. */
import { isOn, type Values } from '../cli/command.js';
import { wantsColor } from '../output/color.js';
import { asEduError, errorReport } from '../output/error-report.js';
import { isSet, type Surroundings } from './create-context.js';
import { readsJson } from './wants-json-errors.js';

/**
 * Shows an error.
 * @param warnings what was not said yet, for programs that read one object
 * @returns its exit code
 */
export async function reportError(
  thrown: unknown,
  globals: Values,
  surroundings: Surroundings,
  warnings: readonly string[] = [],
): Promise<number> {
  const { io, env } = surroundings;
  const error = asEduError(thrown);
  const text = errorReport(thrown, {
    json: readsJson(globals, env),
    warnings,
    color: wantsColor(isOn(globals, 'no-color'), env, io.stderr.isTTY),
    columns: io.stderr.columns,
    debug: isOn(globals, 'debug') || isSet(env.EDU_DEBUG),
  });
  await io.stderr.write(text);
  return error.exitCode;
}
