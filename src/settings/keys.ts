/** The settings of a profile, as plain data. Secrets are in the credentials file instead. */
import { LANGUAGES, ORGANIZATION_TYPES } from '../contract/shared.js';
import { milliseconds } from '../core/duration.js';
import { usageError } from '../core/errors.js';
import { FORMATS } from '../core/formats.js';
import { didYouMean } from '../core/suggest.js';
import { checkBaseUrl } from './base-url.js';
import { checkCallbackUrl } from './callback-url.js';

export interface SettingKey {
  readonly name: string;
  /** For help pages: without capital and full stop. */
  readonly description: string;
  readonly env?: string;
  readonly flag?: string;
  readonly default?: string;
  readonly choices?: readonly string[];
  /**
   * Checks and normalizes a value.
   * @param where source of the value for the error
   * @throws EduError `usage` with value and source
   */
  readonly check: (value: string, where: string) => string;
}

export const DEFAULT_CALLBACK_URL = 'http://127.0.0.1:8976/callback';

const oneOf =
  (choices: readonly string[]) =>
  (value: string, where: string): string => {
    const match = choices.find((choice) => choice.toLowerCase() === value.toLowerCase());
    if (match !== undefined) return match;
    throw usageError(
      `${where}: ${JSON.stringify(value)} is not one of ${choices.join(', ')}.`,
      didYouMean(value, choices) ?? `Choose one of ${choices.join(', ')}.`,
    );
  };

const whole =
  (min: number, max: number) =>
  (value: string, where: string): string => {
    if (/^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max) return String(Number(value));
    throw usageError(`${where}: ${JSON.stringify(value)} is not a whole number from ${min} to ${max}.`);
  };

const line = (value: string, where: string): string => {
  if (value.trim() === '') throw usageError(`${where}: the value is empty.`);
  if (/[\0-\x1f\x7f-\x9f]/.test(value))
    throw usageError(`${where}: ${JSON.stringify(value)} contains a control character.`);
  return value.trim();
};

const duration = (value: string, where: string): string => {
  if (milliseconds(value) !== undefined) return value.trim();
  throw usageError(`${where}: ${JSON.stringify(value)} is not a duration.`, 'Write it like 30s, 5m or 500ms.');
};

export const SETTING_KEYS = [
  {
    name: 'base-url',
    description: 'address of the service, up to the part before /v1',
    env: 'EDU_BASE_URL',
    flag: 'base-url',
    check: checkBaseUrl,
  },
  {
    name: 'client-id',
    description: 'client ID of the registered application',
    env: 'EDU_CLIENT_ID',
    flag: 'client-id',
    check: line,
  },
  {
    name: 'callback-url',
    description: 'callback URL of the registered application',
    env: 'EDU_CALLBACK_URL',
    flag: 'callback-url',
    default: DEFAULT_CALLBACK_URL,
    check: checkCallbackUrl,
  },
  {
    name: 'exact-callback',
    description: 'use exactly the callback URL at login, without a path below it',
    default: 'false',
    choices: ['true', 'false'],
    check: oneOf(['true', 'false']),
  },
  {
    name: 'organization',
    description: 'ID of the organization for lists and creates (default: your organization)',
    env: 'EDU_ORGANIZATION',
    check: line,
  },
  {
    name: 'organization-type',
    description: 'type of that organization',
    env: 'EDU_ORGANIZATION_TYPE',
    choices: ORGANIZATION_TYPES,
    check: oneOf(ORGANIZATION_TYPES),
  },
  {
    name: 'language',
    description: 'language of subject and type names',
    env: 'EDU_LANGUAGE',
    flag: 'language',
    default: 'EN',
    choices: LANGUAGES,
    check: oneOf(LANGUAGES),
  },
  {
    name: 'output',
    description: 'output format (default: table on a terminal, otherwise tsv)',
    env: 'EDU_OUTPUT',
    flag: 'output',
    choices: FORMATS,
    check: oneOf(FORMATS),
  },
  {
    name: 'page-size',
    description: 'number of items per page of a list request',
    flag: 'page-size',
    check: whole(1, 10_000),
  },
  { name: 'timeout', description: 'timeout of a request, such as 30s', flag: 'timeout', check: duration },
  {
    name: 'retries',
    description: 'number of retries of a failed request',
    flag: 'retries',
    check: whole(0, 100),
  },
  {
    name: 'max-wait',
    description: 'maximum wait for a busy or unreachable service, such as 30m',
    env: 'EDU_MAX_WAIT',
    flag: 'max-wait',
    check: duration,
  },
  {
    name: 'browser',
    description: 'program that opens web addresses; none for no browser',
    env: 'EDU_BROWSER',
    check: line,
  },
  { name: 'pager', description: 'program that shows long tables; none for no pager', check: line },
] as const satisfies readonly SettingKey[];

export type SettingName = (typeof SETTING_KEYS)[number]['name'];

/** Finds a setting by name. @throws EduError `usage` that suggests similar names */
export function settingKey(name: string): SettingKey & { readonly name: SettingName } {
  const names = SETTING_KEYS.map((key) => key.name);
  const found = SETTING_KEYS.find((key) => key.name === name);
  if (found) return found;
  if (/token|secret/i.test(name)) {
    throw usageError(
      `${name} is a secret, not a setting.`,
      'Set EDU_TOKEN or EDU_CLIENT_SECRET in the environment, or run `edu auth login`, which asks for it.',
    );
  }
  throw usageError(
    `There is no setting ${JSON.stringify(name)}.`,
    didYouMean(name, names) ?? `The settings are ${names.join(', ')}.`,
  );
}
