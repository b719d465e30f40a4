/** Aliases for command lines: `edu soon` for `edu licenses list --expires-before +60d`. */
import { usageError } from '../core/errors.js';
import type { Env, Machine } from '../core/io.js';
import { isObject } from '../core/json.js';
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

/** A line whose word at a place is replaced by what it stands for. @returns undefined if that is no alias */
export function expandAlias(line: readonly string[], place: number, aliases: Aliases): readonly string[] | undefined {
  const expansion = aliases.get(line[place] ?? '');
  return expansion === undefined ? undefined : line.toSpliced(place, 1, ...splitWords(expansion));
}

/** Changes the aliases. @throws EduError `usage` if the settings file cannot be read or written */
export async function changeAliases(env: Env, machine: Machine, change: (now: Aliases) => Aliases): Promise<void> {
  const { changeSettings } = await import('./write-settings.js');
  await changeSettings(env, machine, (now) => ({ aliases: change(aliasesIn(now)) }));
}
