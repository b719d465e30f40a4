/** The operations of `edu config` and `edu profiles` on the settings file. */
import { EduError, usageError } from '../core/errors.js';
import type { Env } from '../core/io.js';
import type { Machine } from '../core/machine.js';
import { didYouMean } from '../core/suggest.js';
import { type Asked, checkProfileName, chooseProfile, lookUp, type Source } from './in-effect.js';
import { SETTING_KEYS, type SettingName, settingKey } from './keys.js';
import { DEFAULT_PROFILE, type Settings } from './read-settings.js';
import { changeProfile, changeSettings } from './write-settings.js';

/** One setting as `edu config list` shows it. */
export interface ShownSetting {
  readonly name: SettingName | 'profile';
  /** Null when it is not set and has no default. */
  readonly value: string | null;
  readonly source: Source | null;
  /** The place by name: `EDU_BASE_URL`, `base-url of profile work`, `default`. */
  readonly from: string | null;
  readonly description: string;
}

/** Not a setting of a profile, but which profile it is: `edu config set profile work`. */
const PROFILE = 'profile';
const PROFILE_ABOUT = 'profile that is used when none is named';

/** Every setting with the value in effect and where it comes from, the profile first. */
export function listSettings(asked: Asked): readonly ShownSetting[] {
  return [
    { name: PROFILE, ...chooseProfile(asked.flags, asked.env, asked.settings), description: PROFILE_ABOUT },
    ...SETTING_KEYS.map(({ name, description }): ShownSetting => {
      const found = lookUp(name, asked);
      return {
        name,
        value: found?.value ?? null,
        source: found?.source ?? null,
        from: found?.from ?? null,
        description,
      };
    }),
  ];
}

/**
 * The value in effect of one setting.
 * @throws a usage error for a name that is none, `not_found` when it is not set
 */
export function getSetting(name: string, asked: Asked): string {
  const profile = chooseProfile(asked.flags, asked.env, asked.settings).value;
  if (name === PROFILE) return profile;
  const found = lookUp(settingKey(name).name, asked);
  if (found) return found.value;
  throw new EduError('not_found', `${name} is not set in profile ${profile}`, {
    hint: `Set it with \`edu config set ${name} VALUE\`.`,
  });
}

/**
 * Sets one setting in the profile in effect, which is made if it is new.
 * @returns the value as it is kept, and the profile that holds it
 * @throws a usage error for a name that is none, or a value that can't be one
 */
export async function setSetting(
  name: string,
  value: string,
  asked: Asked,
  machine: Machine,
): Promise<{ readonly name: string; readonly value: string; readonly profile: string }> {
  if (name === PROFILE) return { name, value, profile: await setDefaultProfile(value, asked, machine) };
  const key = settingKey(name);
  const profile = chooseProfile(asked.flags, asked.env, asked.settings).value;
  const checked = key.check(value, name);
  await changeProfile(asked.env, machine, profile, { [key.name]: checked });
  return { name, value: checked, profile };
}

/** Takes one setting away from the profile in effect. Returns whether it was there. */
export async function unsetSetting(name: string, asked: Asked, machine: Machine): Promise<boolean> {
  let there = false;
  const profile = chooseProfile(asked.flags, asked.env, asked.settings).value;
  const key = name === PROFILE ? PROFILE : settingKey(name).name;
  await changeSettings(asked.env, machine, ({ document, profiles }) => {
    if (key === PROFILE) {
      there = document.profile !== undefined;
      return { profile: null, profiles };
    }
    const { [key]: removed, ...kept } = profiles.get(profile) ?? {};
    there = removed !== undefined;
    return there ? { profiles: new Map([...profiles, [profile, kept]]) } : undefined;
  });
  return there;
}

async function setDefaultProfile(name: string, { env }: Asked, machine: Machine): Promise<string> {
  await changeSettings(env, machine, (now) => {
    const known = [DEFAULT_PROFILE, ...now.profiles.keys()];
    if (!known.includes(name)) {
      checkProfileName(name, PROFILE);
      throw usageError(
        `There is no profile ${JSON.stringify(name)}`,
        didYouMean(name, known) ?? `\`edu auth login --profile ${name}\` creates it.`,
      );
    }
    return { profile: name, profiles: now.profiles };
  });
  return name;
}

/** One profile as `edu profiles list` shows it. */
export interface ShownProfile {
  readonly name: string;
  /** Whether it is the one of this run. */
  readonly current: boolean;
  readonly baseUrl: string | null;
  readonly organization: string | null;
}

/** All profiles by name, also those that only `others` know: the credentials' ones. */
export function listProfiles({ flags, env, settings }: Asked, others: Iterable<string> = []): readonly ShownProfile[] {
  const current = chooseProfile(flags, env, settings).value;
  return [...new Set([...settings.profiles.keys(), ...others])].sort().map((name) => {
    const values = settings.profiles.get(name);
    return {
      name,
      current: name === current,
      baseUrl: values?.['base-url'] ?? null,
      organization: values?.organization ?? null,
    };
  });
}

/** Removes profiles from the settings; names that are not there are no error. */
export async function removeProfiles(env: Env, names: readonly string[], machine: Machine): Promise<void> {
  await changeSettings(env, machine, (now: Settings) => ({
    ...(names.includes(now.profile) ? { profile: null } : {}),
    profiles: new Map([...now.profiles].filter(([name]) => !names.includes(name))),
  }));
}
