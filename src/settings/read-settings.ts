/** Reads the settings file without conf, which takes 25 ms to load. */
import { join } from 'node:path';
import { type EduError, usageError } from '../core/errors.js';
import { readTrustedFile, WRITABLE_BY_OTHERS } from '../core/fs/trusted-file.js';
import type { Env } from '../core/io.js';
import { isObject, jsonFault } from '../core/json.js';
import { shellLine } from '../core/shell.js';
import { configFolder } from './folders.js';

export const SETTINGS_NAME = 'settings';
export const DEFAULT_PROFILE = 'default';

export type ProfileSettings = Readonly<Record<string, string>>;

export interface Settings {
  /** Path of the settings file, which may not exist. */
  readonly file: string;
  readonly profile: string;
  readonly profiles: ReadonlyMap<string, ProfileSettings>;
  /** Profiles by the real paths of folders. */
  readonly folders: Readonly<Record<string, string>>;
  /** The whole file, with settings that this version does not know. */
  readonly document: Readonly<Record<string, unknown>>;
}

export const settingsFile = (env: Env): string => join(configFolder(env), `${SETTINGS_NAME}.json`);

/** Settings decide who receives the token and which programs run, so other users must not be able to write the file. */
export const SETTINGS_TRUST = {
  refuse: usageError,
  forbidden: WRITABLE_BY_OTHERS,
  maxBytes: 1024 * 1024,
  mayBeLink: true,
};

/** @throws EduError `usage`: with the place of a syntax error, or with a chmod command if others can write it */
export function readSettings(env: Env): Settings {
  const file = settingsFile(env);
  const text = readTrustedFile(file, SETTINGS_TRUST)?.replace(/^\uFEFF/, '');
  if (text === undefined) return parseDocument(file, {});
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    const { line, column } = jsonFault(text) ?? { line: 1, column: 1 };
    throw broken(file, `line ${line}, column ${column} is not valid JSON`);
  }
  return parseDocument(file, document);
}

const broken = (file: string, what: string): EduError =>
  usageError(
    `Cannot read the settings file ${file}: ${what}.`,
    `Fix it in an editor, or rename it: ${shellLine('mv', file, `${file}.broken`)}`,
  );

function parseDocument(file: string, document: unknown): Settings {
  if (!isObject(document)) throw broken(file, 'it is not a JSON object');
  const { profile = DEFAULT_PROFILE, profiles = {}, folders } = document;
  if (typeof profile !== 'string') throw broken(file, '"profile" is not a string');
  if (!isObject(profiles)) throw broken(file, '"profiles" is not an object');
  const read = Object.entries(profiles).map(([name, values]): [string, ProfileSettings] => {
    if (!isObject(values)) throw broken(file, `the profile ${JSON.stringify(name)} is not an object`);
    return [
      name,
      Object.fromEntries(Object.entries(values).map(([key, value]) => [key, scalar(file, name, key, value)])),
    ];
  });
  const isNamed = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string';
  const named = Object.entries(isObject(folders) ? folders : {}).filter(isNamed);
  return { file, profile, profiles: new Map(read), folders: Object.fromEntries(named), document };
}

// A file edited by hand may contain true and 100 without quotes.
function scalar(file: string, profile: string, key: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw broken(
    file,
    `${JSON.stringify(key)} of the profile ${JSON.stringify(profile)} is not a string, number or boolean`,
  );
}
