/** The effective settings of a run, each with its source: flag, environment, folder, profile or default. */
import { dirname } from 'node:path';
import type { Language, OrganizationType } from '../contract/shared.js';
import { milliseconds } from '../core/duration.js';
import { usageError } from '../core/errors.js';
import type { Env } from '../core/io.js';
import { shellLine } from '../core/shell.js';
import { didYouMean } from '../core/suggest.js';
import type { Format } from '../output/formats.js';
import { originOf, plainHttpNotice, readPlainHosts } from './base-url.js';
import { currentFolder } from './folders.js';
import { SETTINGS, type Setting, type SettingName } from './keys.js';
import { DEFAULT_PROFILE, type Settings } from './read-settings.js';

export type Source = 'flag' | 'environment' | 'folder' | 'profile' | 'default';

interface Sourced<T> {
  readonly value: T;
  readonly source: Source;
  /** Its name for messages: `--base-url`, `EDU_BASE_URL`, `base-url of profile work` or `default`. */
  readonly from: string;
}

export type Effective = ReturnType<typeof resolveProfile>;

export interface Asked {
  /** Flags by name without dashes, such as `base-url`. Those that are no settings are ignored. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Env;
  readonly settings: Settings;
  /** True for commands that can create a profile. */
  readonly mayBeNew?: boolean;
}

/**
 * Resolves and checks the effective settings. Times are in milliseconds.
 * @throws EduError `usage` with value and source if a value is invalid, or if the profile does not exist
 */
export function resolveProfile(asked: Asked) {
  const profile = chooseProfile(asked);
  const profileExists = asked.settings.profiles.has(profile.value);
  const notices: string[] = [];
  const plainHosts = readPlainHosts(asked.flags, asked.env);
  const text = (name: SettingName): Sourced<string> | undefined => {
    const found = lookUp(name, asked, profile.value);
    // Defaults are already normalized, and checking an address is slow.
    if (found === undefined || found.source === 'default') return found;
    const { check, notice }: Setting = SETTINGS[name];
    const value = check(found.value, found.from, plainHosts);
    notices.push(...[notice?.(found.value, found.from, value)].filter((one) => one !== undefined));
    return { ...found, value };
  };
  const read = <T>(name: SettingName, as: (text: string) => T): Sourced<T> | undefined => {
    const found = text(name);
    return found && { ...found, value: as(found.value) };
  };
  const baseUrl = text('base-url');
  const organization = text('organization');
  // `check` has ensured that it is one of the choices.
  const type = read('organization-type', (name) => name as OrganizationType);
  return {
    profile,
    profileExists,
    baseUrl,
    /** Hosts to which a token may go without encryption. */
    plainHosts,
    plainHttpNotice: baseUrl && plainHttpNotice(baseUrl.value),
    tokenCommand: tokenCommandFor(baseUrl, text('token-command'), asked, notices),
    clientId: text('client-id'),
    // Like the language, it has a default.
    callbackUrl: text('callback-url') as Sourced<string>,
    exactCallback: text('exact-callback')?.value === 'true',
    organization,
    // The profile's type belongs to the profile's organization, not to one from the environment.
    organizationType: organization?.source === 'environment' && type?.source === 'profile' ? undefined : type,
    language: read('language', (name) => name as Language) as Sourced<Language>,
    output: read('output', (name) => name as Format),
    pageSize: read('page-size', Number),
    timeout: read('timeout', (length) => milliseconds(length) ?? 0),
    retries: read('retries', Number),
    maxWait: read('max-wait', (length) => milliseconds(length) ?? 0),
    browser: text('browser'),
    pager: text('pager'),
    /** Sentences about settings that were accepted in another form. */
    notices,
  };
}

/**
 * The token command, unless it belongs to a profile of another service: that must not get the token.
 * @param notices gets the reason
 */
function tokenCommandFor(
  baseUrl: Sourced<string> | undefined,
  command: Sourced<string> | undefined,
  asked: Asked,
  notices: string[],
): Sourced<string> | undefined {
  if (command?.source !== 'profile' || baseUrl === undefined || baseUrl.source === 'profile') return command;
  const own = asked.settings.profiles.get(chooseProfile(asked).value)?.['base-url'];
  if (own !== undefined && originOf(own) === originOf(baseUrl.value)) return command;
  notices.push(`${command.from} is not used: it is for the address of the profile, not for ${baseUrl.value}`);
  return undefined;
}

/** The effective base URL. @throws EduError `usage` with how to set it, if there is none */
export function requireBaseUrl({ baseUrl, profile }: Effective): string {
  if (baseUrl) return baseUrl.value;
  throw usageError(
    `No base URL: it is set neither by --base-url or EDU_BASE_URL nor in the profile ${profile.value}.`,
    'Run `edu auth login`, or `edu config set base-url https://…`. To try things out, add --offline.',
  );
}

/** Checks a profile name. Its characters need no quoting, because hints contain it in commands to copy. */
export function checkProfileName(name: string, where: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name;
  throw usageError(
    `${where}: ${JSON.stringify(name)} is not a valid profile name.`,
    'Use up to 64 letters, digits, dots, dashes and underscores, starting with a letter or digit.',
  );
}

/** The profile of the current folder, or of the nearest one around it that has one. Nothing is read from the folder. */
function profileHere({ folders }: Settings) {
  for (let folder = currentFolder(); folder !== undefined; ) {
    const profile = Object.hasOwn(folders, folder) ? folders[folder] : undefined;
    if (profile !== undefined) return { folder, profile };
    const parent = dirname(folder);
    folder = parent === folder ? undefined : parent;
  }
  return undefined;
}

/** The effective profile. @throws EduError `usage` if it does not exist and may not be new */
export function chooseProfile({ flags, env, settings, mayBeNew = false }: Asked): Sourced<string> {
  const named = (name: string, source: Source, from: string): Sourced<string> => ({
    value: mayBeNew ? checkProfileName(name, from) : requireProfile(name, from, settings),
    source,
    from,
  });
  if (flags.profile !== undefined) return named(String(flags.profile), 'flag', '--profile');
  if (env.EDU_PROFILE) return named(env.EDU_PROFILE, 'environment', 'EDU_PROFILE');
  const here = profileHere(settings);
  if (here !== undefined) return named(here.profile, 'folder', `folder ${here.folder}`);
  if (settings.document.profile !== undefined) return named(settings.profile, 'profile', settings.file);
  return named(DEFAULT_PROFILE, 'default', 'default');
}

/** @throws EduError `usage` if there is no such profile */
export function requireProfile(name: string, from: string, { profiles }: Settings): string {
  if (checkProfileName(name, from) === DEFAULT_PROFILE || profiles.has(name)) return name;
  const names = [...profiles.keys()];
  const known = names.length === 0 ? 'There are no profiles yet' : `The profiles are ${names.join(', ')}`;
  throw usageError(
    `${from}: there is no profile ${JSON.stringify(name)}.`,
    `${didYouMean(name, [DEFAULT_PROFILE, ...names]) ?? `${known}.`} \`${shellLine('edu', 'auth', 'login', '--profile', name)}\` creates it.`,
  );
}

/** The effective value of a setting, not checked. @returns undefined if it is not set and has no default */
export function lookUp(
  name: SettingName,
  { flags, env, settings }: Asked,
  profile: string,
): Sourced<string> | undefined {
  const { env: variable = '', isFlag, default: fallback }: Setting = SETTINGS[name];
  const flag = isFlag ? flags[name] : undefined;
  if (flag !== undefined) return { value: String(flag), source: 'flag', from: `--${name}` };
  // An empty variable counts as not set, because CI systems define unset ones as empty.
  const exported = env[variable];
  if (exported) return { value: exported, source: 'environment', from: variable };
  const given = settings.profiles.get(profile) ?? {};
  const setting = Object.hasOwn(given, name) ? given[name] : undefined;
  if (setting !== undefined) return { value: setting, source: 'profile', from: `${name} of profile ${profile}` };
  return fallback === undefined ? undefined : { value: fallback, source: 'default', from: 'default' };
}
