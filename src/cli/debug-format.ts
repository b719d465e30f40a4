/** The form of the log of `--debug`. */
import { type Env, isSet } from '../core/io.js';
import { isOn, textOf, type Values } from './command.js';

/** `--debug` or EDU_DEBUG: lines of text, or of JSON; undefined without either. */
export function debugFormat(globals: Values, env: Env): 'text' | 'json' | undefined {
  const asked = textOf(globals, 'debug') ?? (isOn(globals, 'debug') ? 'text' : env.EDU_DEBUG?.trim());
  if (!isSet(asked)) return undefined;
  return asked?.toLowerCase() === 'json' ? 'json' : 'text';
}
