/** Returns true if errors are printed as JSON. */
import { isOn, textOf, type Values } from '../cli/command.js';
import { isMachineFormat } from '../core/formats.js';
import type { Env } from '../core/io.js';
import { resolveProfile } from '../settings/in-effect.js';
import { readSettings } from '../settings/read-settings.js';

/** The format that the profile asks for. Ignores broken settings, which have errors of their own. */
function ofProfile(globals: Values, env: Env): string | undefined {
  try {
    return resolveProfile({ flags: globals, env, settings: readSettings(env), mayBeNew: true }).output?.value;
  } catch {
    return undefined;
  }
}

/** @param globals the global flags of the line, as far as they are known */
export function readsJson(globals: Values, env: Env): boolean {
  const asked = isOn(globals, 'json') ? 'json' : (textOf(globals, 'output') ?? env.EDU_OUTPUT ?? '');
  const format = asked === '' ? ofProfile(globals, env) : asked;
  return isMachineFormat(format);
}
