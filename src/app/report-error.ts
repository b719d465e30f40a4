/** Prints the error of a command that failed. */
import { type Command, isOn, type Values } from '../cli/command.js';
import { isSet } from '../core/env.js';
import type { EduError } from '../core/errors.js';
import { wantsColor } from '../output/color.js';
import { asEduError, errorReport } from '../output/error-report.js';
import type { Surroundings } from './runtime.js';
import { readsJson } from './wants-json-errors.js';

/** The command that failed, with what was given to it. */
export interface Ran {
  readonly command: Command;
  readonly path: string;
  readonly values: Values;
}

async function worded(error: EduError, globals: Values, ran: Ran | undefined): Promise<EduError> {
  const { attempted } = await import('../cli/attempt.js');
  const { wordError } = await import('../cli/hints.js');
  if (ran === undefined) return wordError(error, globals, undefined);
  const { command, path, values } = ran;
  const names = (command.arguments ?? []).map(({ name }) => name);
  return wordError(error, globals, { path, attempt: attempted(path, names, values) });
}

/**
 * Shows an error.
 * @param warnings what was not said yet, for programs that read one object
 * @param ran undefined when the line could not be read
 * @returns its exit code
 */
export async function reportError(
  thrown: unknown,
  globals: Values,
  surroundings: Surroundings,
  warnings: readonly string[] = [],
  ran?: Ran,
): Promise<number> {
  const { io, env } = surroundings;
  const error = await worded(asEduError(thrown), globals, ran);
  const text = errorReport(error, {
    json: readsJson(globals, env),
    warnings,
    color: wantsColor(isOn(globals, 'no-color'), env, io.stderr.isTTY),
    columns: io.stderr.columns,
    debug: isOn(globals, 'debug') || isSet(env.EDU_DEBUG),
  });
  await io.stderr.write(text);
  return error.exitCode;
}
