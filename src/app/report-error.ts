/** Prints the error of a command that failed, or hands it to the one who ran the line. */
import type { Command, Values } from '../cli/command.js';
import { debugFormat } from '../cli/debug-trace.js';
import type { EduError } from '../core/errors.js';
import { wantsColor } from '../output/color.js';
import { asEduError, errorReport } from '../output/error-report.js';
import type { Runtime } from './runtime.js';
import { wantsJsonErrors } from './wants-json-errors.js';

export interface FailedCommand {
  readonly command: Command;
  readonly path: string;
  readonly values: Values;
  /** The words of the line behind the command. */
  readonly words: readonly string[];
}

async function worded(error: EduError, globals: Values, failed: FailedCommand | undefined): Promise<EduError> {
  const { attempted } = await import('../cli/attempt-phrase.js');
  const { wordError } = await import('../cli/hints.js');
  if (failed === undefined) return wordError(error, globals, undefined);
  const { command, path, values, words } = failed;
  const names = (command.arguments ?? []).map(({ name }) => name);
  return wordError(error, globals, {
    path,
    attempt: attempted(path, names, values),
    flags: command.flags ?? [],
    words,
  });
}

/** @param failed undefined if the line could not be parsed @returns the exit code */
export async function reportError(
  thrown: unknown,
  globals: Values,
  runtime: Runtime,
  warnings: readonly string[] = [],
  failed?: FailedCommand,
): Promise<number> {
  const { io, env } = runtime;
  const error = await worded(asEduError(thrown), globals, failed);
  if (runtime.onError !== undefined) {
    runtime.onError(error, warnings);
    return error.exitCode;
  }
  const text = errorReport(error, {
    json: wantsJsonErrors(globals, env),
    warnings,
    color: wantsColor(globals, env, io.stderr.isTTY),
    columns: io.stderr.columns,
    debug: debugFormat(globals, env) !== undefined,
  });
  await io.stderr.write(text);
  return error.exitCode;
}
