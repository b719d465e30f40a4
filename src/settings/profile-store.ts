/** Reads and changes settings and profiles for `edu config` and `edu profiles`. */
import { EduError, usageError } from '../core/errors.js';
import type { Env, Machine } from '../core/io.js';
import { shellLine } from '../core/shell.js';
import { readPlainHosts } from './base-url.js';
import { currentFolder } from './folders.js';
import { type Asked, chooseProfile, lookUp, requireProfile } from './in-effect.js';
import { SETTING_NAMES, SETTINGS, type Setting, settingName } from './keys.js';
import { changeProfile, changeSettings } from './write-settings.js';

/** Not a setting of a profile: it selects the default profile, as in `edu config set profile work`. */
const PROFILE = 'profile';

/** All settings with effective value and source, null for those that are not set. The first one is the profile. */
export function listSettings(asked: Asked) {
  const profile = chooseProfile(asked);
  return [
    { name: PROFILE, ...profile, description: 'profile that is used when none is named' },
    ...SETTING_NAMES.map((name) => {
      const found = lookUp(name, asked, profile.value) ?? { value: null, source: null, from: null };
      return { name, ...found, description: SETTINGS[name].description };
    }),
  ];
}

/** The effective value of a setting. @throws EduError `usage` for an unknown setting, `not_found` if it is not set */
export function getSetting(name: string, asked: Asked): string {
  const profile = chooseProfile(asked).value;
  if (name === PROFILE) return profile;
  const found = lookUp(settingName(name), asked, profile);
  if (found) return found.value;
  throw new EduError('not_found', `${name} is not set in profile ${profile}.`, {
    hint: `Set it with \`${shellLine('edu', 'config', 'set', name, 'VALUE')}\`.`,
  });
}

/** Sets a setting in the effective profile, which is created if necessary. @throws EduError `usage` */
export async function setSetting(name: string, value: string, asked: Asked, machine: Machine) {
  const { flags, env } = asked;
  if (name === PROFILE) {
    await changeSettings(env, machine, (now) => ({ profile: requireProfile(value, PROFILE, now) }));
    return { value, profile: value };
  }
  const known = settingName(name);
  const profile = chooseProfile(asked).value;
  const { check, notice }: Setting = SETTINGS[known];
  const checked = check(value, name, readPlainHosts(flags, env));
  await changeProfile(env, machine, profile, { [known]: checked });
  return { value: checked, profile, notice: notice?.(value, name, checked) };
}

/** Removes a setting from the effective profile. @returns whether it was set */
export async function unsetSetting(name: string, asked: Asked, machine: Machine): Promise<boolean> {
  let wasSet = false;
  const key = name === PROFILE ? PROFILE : settingName(name);
  await changeSettings(asked.env, machine, ({ document, profiles }) => {
    if (key === PROFILE) {
      wasSet = document.profile !== undefined;
      return { profile: undefined };
    }
    const profile = chooseProfile(asked).value;
    const { [key]: removed, ...kept } = profiles.get(profile) ?? {};
    wasSet = removed !== undefined;
    return wasSet ? { profiles: new Map([...profiles, [profile, kept]]) } : undefined;
  });
  return wasSet;
}

/** Uses a profile in the current folder and below it. @returns the real path of the folder @throws EduError `usage` */
export async function setFolderProfile(name: string, { env }: Asked, machine: Machine): Promise<string> {
  const folder = currentFolder();
  if (folder === undefined) throw usageError('--here: the current folder does not exist any more.');
  await changeSettings(env, machine, (now) => ({
    folders: { ...now.folders, [folder]: requireProfile(name, PROFILE, now) },
  }));
  return folder;
}

/** All profiles for `edu profiles list`, sorted. @param others names of profiles that may be missing from the settings, as from credentials */
export function listProfiles(asked: Asked, others: Iterable<string> = []) {
  const { settings } = asked;
  const current = chooseProfile(asked).value;
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

/** Removes profiles from the settings. Ignores unknown names. */
export async function removeProfiles(env: Env, names: readonly string[], machine: Machine): Promise<void> {
  await changeSettings(env, machine, (now) => ({
    ...(names.includes(now.profile) ? { profile: undefined } : {}),
    ...(now.document.folders === undefined
      ? {}
      : { folders: Object.fromEntries(Object.entries(now.folders).filter(([, name]) => !names.includes(name))) }),
    profiles: new Map([...now.profiles].filter(([name]) => !names.includes(name))),
  }));
}
