/** The settings of a command, read when they are first used. */
import type { Values } from '../cli/command.js';
import type { ChosenOrganization } from '../cli/context.js';
import { once } from '../core/once.js';
import type { Format } from '../output/formats.js';
import { outputSettings } from '../output/output-settings.js';
import { type Asked, resolveProfile } from '../settings/in-effect.js';
import { readSettings } from '../settings/read-settings.js';
import type { Runtime } from './runtime.js';

/** @param onNotice called with remarks about the settings */
export function effectiveSettings(
  path: string,
  globals: Values,
  { io, env }: Runtime,
  onNotice: (notice: string) => void,
) {
  const asked = once((): Asked => ({ flags: globals, env, settings: readSettings(env) }));
  // These commands can create profiles. For others, an unknown profile is a misspelling.
  const mayBeNew = /^(auth|login|logout|config|profiles)\b/.test(path);
  const effective = once(() => {
    const found = resolveProfile({ ...asked(), mayBeNew });
    for (const notice of found.notices) onNotice(notice);
    return found;
  });
  return {
    asked,
    effective,
    language: () => effective().language.value,
    configuredOrganization(): ChosenOrganization | undefined {
      const { organization, organizationType } = effective();
      return organization === undefined ? undefined : { id: organization.value, type: organizationType?.value };
    },
    /** @param fallback the command's default format */
    output(fallback?: Format) {
      const { language, output, pager } = effective();
      const profile = { output: output?.value ?? fallback, pager: pager?.value };
      return outputSettings({ ...globals, language: language.value }, io, env, profile);
    },
  };
}
