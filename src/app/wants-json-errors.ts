/** Returns true if errors are printed as JSON. */
import { isOn, textOf, type Values } from '../cli/command.js';
import { debugFormat } from '../cli/debug-trace.js';
import type { Env } from '../core/io.js';
import { isMachineFormat } from '../output/formats.js';
import { resolveProfile } from '../settings/in-effect.js';
import { readSettings } from '../settings/read-settings.js';

/** The profile's output format. Ignores broken settings, which are reported elsewhere. */
function formatOfProfile(globals: Values, env: Env): string | undefined {
  try {
    return resolveProfile({ flags: globals, env, settings: readSettings(env), mayBeNew: true }).output?.value;
  } catch {
    return undefined;
  }
}

/** @param globals the global flags, possibly guessed */
export function wantsJsonErrors(globals: Values, env: Env): boolean {
  if (debugFormat(globals, env) === 'json') return true;
  const asked = isOn(globals, 'json') ? 'json' : (textOf(globals, 'output') ?? env.EDU_OUTPUT ?? '');
  const format = asked === '' ? formatOfProfile(globals, env) : asked;
  return isMachineFormat(format);
}
