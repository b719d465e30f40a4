/** Prints the error of a command that failed, or hands it to the one who ran the line. */
import type { Values } from '../cli/command.js';
import { debugFormat } from '../cli/debug-trace.js';
import type { Tried } from '../cli/hints.js';
import { wantsColor } from '../output/color.js';
import { asEduError, errorReport } from '../output/error-report.js';
import { wantsJsonErrors } from './format-asked.js';
import type { Runtime } from './runtime.js';

/** @param failed undefined if the line could not be parsed @returns the exit code */
export async function reportError(
  thrown: unknown,
  globals: Values,
  runtime: Runtime,
  warnings: readonly string[] = [],
  failed?: Tried,
): Promise<number> {
  const { io, env } = runtime;
  const { wordError } = await import('../cli/hints.js');
  const error = wordError(asEduError(thrown), globals, failed);
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
