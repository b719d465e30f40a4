/** The output format that is asked for, before the settings are checked. */
import { isOn, textOf, type Values } from '../cli/command.js';
import { debugFormat } from '../cli/debug-trace.js';
import type { Env } from '../core/io.js';
import { isMachineFormat } from '../output/formats.js';
import { chooseProfile, lookUp } from '../settings/in-effect.js';
import { readSettings } from '../settings/read-settings.js';

/** The output format of flag, environment or profile, not checked. Ignores broken settings, which are reported elsewhere. */
export function formatAsked(flags: Values, env: Env): string | undefined {
  const given = isOn(flags, 'json') ? 'json' : (textOf(flags, 'output') ?? env.EDU_OUTPUT);
  if (given) return given;
  try {
    const asked = { flags, env, settings: readSettings(env), mayBeNew: true };
    return lookUp('output', asked, chooseProfile(asked).value)?.value;
  } catch {
    return undefined;
  }
}

/** Returns true if errors are printed as JSON. @param globals the global flags, possibly guessed */
export const wantsJsonErrors = (globals: Values, env: Env): boolean =>
  debugFormat(globals, env) === 'json' || isMachineFormat(formatAsked(globals, env));
