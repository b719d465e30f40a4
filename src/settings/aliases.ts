/** Aliases for command lines: `edu soon` for `edu licenses list --expires-before +60d`. */
import { usageError } from '../core/errors.js';
import type { Env } from '../core/io.js';
import { isObject } from '../core/json.js';
import type { Machine } from '../core/machine.js';
import { splitWords } from '../core/shell.js';
import { readSettings, type Settings } from './read-settings.js';

export type Aliases = ReadonlyMap<string, string>;

function aliasesIn({ file, document: { aliases = {} } }: Settings): Aliases {
  const entries = isObject(aliases) ? Object.entries(aliases) : [];
  if (!isObject(aliases) || !entries.every((entry): entry is [string, string] => typeof entry[1] === 'string'))
    throw usageError(`Cannot read the settings file ${file}: "aliases" is not an object of strings.`);
  return new Map(entries as [string, string][]);
}

/** The aliases of the settings file. @throws EduError `usage` if the file cannot be read */
export const readAliases = (env: Env): Aliases => aliasesIn(readSettings(env));

/** The words that an alias stands for. @returns undefined if there is no such alias @throws EduError `usage` */
export function aliasWords(alias: string, env: Env): readonly string[] | undefined {
  const line = readAliases(env).get(alias);
  return line === undefined ? undefined : splitWords(line);
}

/** Changes the aliases. @throws EduError `usage` if the settings file cannot be read or written */
export async function changeAliases(env: Env, machine: Machine, change: (now: Aliases) => Aliases): Promise<void> {
  const { changeSettings } = await import('./write-settings.js');
  await changeSettings(env, machine, (now) => ({ profiles: now.profiles, aliases: change(aliasesIn(now)) }));
}
