/** The settings of a profile, without secrets, which are in the credentials file. */
import { LANGUAGES, ORGANIZATION_TYPES } from '../contract/shared.js';
import { isOneOf } from '../core/checks.js';
import { milliseconds } from '../core/duration.js';
import { usageError } from '../core/errors.js';
import { either } from '../core/plural.js';
import { didYouMean } from '../core/suggest.js';
import { FORMATS } from '../output/formats.js';
import { checkBaseUrl, versionNotice } from './base-url.js';
import { readCallbackUrl } from './callback-url.js';

export interface Setting {
  /** For help pages: without capital and full stop. */
  readonly description: string;
  readonly env?: string;
  /** A flag with the setting's name exists. */
  readonly isFlag?: true;
  readonly default?: string;
  readonly choices?: readonly string[];
  /** Checks and normalizes a value. @param where its source, for the error @throws EduError `usage` */
  readonly check: (value: string, where: string, plainHosts?: readonly string[]) => string;
  /** What the user should know about a valid value. @param where as for `check` @param checked what it returned */
  readonly notice?: (value: string, where: string, checked: string) => string | undefined;
}

const oneOf = (choices: readonly string[]): Pick<Setting, 'choices' | 'check'> => ({
  choices,
  check: (value, where) => {
    const match = choices.find((choice) => choice.toLowerCase() === value.toLowerCase());
    if (match !== undefined) return match;
    throw usageError(`${where} must be ${either(choices)}, not ${JSON.stringify(value)}.`, didYouMean(value, choices));
  },
});

const whole =
  (min: number, max: number) =>
  (value: string, where: string): string => {
    if (/^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max) return String(Number(value));
    throw usageError(`${where} must be a whole number from ${min} to ${max}, not ${JSON.stringify(value)}.`);
  };

const line = (value: string, where: string): string => {
  if (value.trim() === '') throw usageError(`${where}: the value is empty.`);
  if (/[\0-\x1f\x7f-\x9f]/.test(value))
    throw usageError(`${where}: ${JSON.stringify(value)} contains a control character.`);
  return value.trim();
};

const duration = (value: string, where: string): string => {
  if (milliseconds(value) !== undefined) return value.trim();
  throw usageError(`${where} must be a duration such as 500ms, 30s or 5m, not ${JSON.stringify(value)}.`);
};

export const SETTINGS = {
  'base-url': {
    description: 'address of the service, up to the part before /v1',
    env: 'EDU_BASE_URL',
    isFlag: true,
    check: checkBaseUrl,
    notice: versionNotice,
  },
  'client-id': {
    description: 'client ID of the registered application',
    env: 'EDU_CLIENT_ID',
    isFlag: true,
    check: line,
  },
  'callback-url': {
    description: 'callback URL of the registered application',
    env: 'EDU_CALLBACK_URL',
    isFlag: true,
    default: 'http://127.0.0.1:8976/callback',
    check: (text, where) => readCallbackUrl(text, where).url,
  },
  'exact-callback': {
    description: 'use exactly the callback URL at login, without a path below it',
    default: 'false',
    ...oneOf(['true', 'false']),
  },
  organization: {
    description: 'organization for lists and creates (default: your organization)',
    env: 'EDU_ORGANIZATION',
    check: line,
  },
  'organization-type': {
    description: 'type of that organization',
    env: 'EDU_ORGANIZATION_TYPE',
    ...oneOf(ORGANIZATION_TYPES),
  },
  language: {
    description: 'language of subject and type names',
    env: 'EDU_LANGUAGE',
    isFlag: true,
    default: 'EN',
    ...oneOf(LANGUAGES),
  },
  output: {
    description: 'output format (default: table on a terminal, otherwise tsv)',
    env: 'EDU_OUTPUT',
    isFlag: true,
    ...oneOf(FORMATS),
  },
  'page-size': { description: 'number of items per page of a list request', isFlag: true, check: whole(1, 10_000) },
  timeout: { description: 'timeout of a request, such as 30s', isFlag: true, check: duration },
  retries: { description: 'number of retries of a failed request', isFlag: true, check: whole(0, 100) },
  'max-wait': {
    description: 'maximum wait for a busy or unreachable service, such as 30m',
    env: 'EDU_MAX_WAIT',
    isFlag: true,
    check: duration,
  },
  browser: {
    description: 'program that opens web addresses; none for no browser',
    env: 'EDU_BROWSER',
    check: line,
  },
  'token-command': {
    description: 'program that prints the access token, such as `pass show edu`',
    env: 'EDU_TOKEN_COMMAND',
    check: line,
  },
  pager: { description: 'program that shows long tables; none for no pager', env: 'EDU_PAGER', check: line },
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof SETTINGS;

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

const isSettingName = isOneOf(SETTING_NAMES);

/** @throws EduError `usage` for an unknown setting, with similar names */
export function settingName(name: string): SettingName {
  if (isSettingName(name)) return name;
  throw usageError(
    `There is no setting ${JSON.stringify(name)}.`,
    didYouMean(name, SETTING_NAMES) ?? `The settings are ${SETTING_NAMES.join(', ')}.`,
  );
}
