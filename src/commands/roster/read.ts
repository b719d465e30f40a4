/** Reads the roster and its map for a command line. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { textOf, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { readDay } from '../../core/day.js';
import { firstProblems, type Problem, usageError } from '../../core/errors.js';
import { plural } from '../../core/plural.js';
import type { RosterFacts, RosterOptions } from '../../plan/roster/roster.js';

/** Maximum number of problems in an error. */
const MAX_PROBLEMS = 200;

/** @throws EduError `usage` with all problems, if there are any */
export function checkProblems(problems: readonly Problem[], name: string): void {
  if (problems.length === 0) return;
  throw usageError(
    `Cannot use the roster ${name}: ${plural(problems.length, 'problem')}. Nothing was sent.`,
    'Fix the roster and run the command again.',
    firstProblems(problems, MAX_PROBLEMS),
  );
}

export const rosterPath = (values: Values): string => textOf(values, 'roster') ?? '.';

/** Default: roster-map.csv in the folder of the roster, or beside its file. */
export function mapPath(values: Values): string {
  const path = rosterPath(values);
  const isFolder = existsSync(path) && statSync(path).isDirectory();
  return textOf(values, 'roster-map') ?? join(isFolder ? path : dirname(path), 'roster-map.csv');
}

/** Also warns about data that is left out. @throws EduError `usage` when the roster has problems */
export async function rosterOf<T extends RosterFacts>(
  values: Values,
  context: Context,
  read: (path: string, options: RosterOptions) => Promise<T>,
): Promise<T> {
  const path = rosterPath(values);
  const [map, sheet] = [textsOf(values, 'map'), textOf(values, 'sheet')];
  const on = readDay(textOf(values, 'on') ?? 'today', context.now()) ?? '';
  const reading = {
    ...(map.length === 0 ? {} : { map }),
    ...(sheet === undefined ? {} : { sheet }),
  };
  const roster = await read(path, { on, reading: Object.keys(reading).length === 0 ? undefined : reading });
  checkProblems(roster.problems, path);
  for (const note of roster.notes) await context.warn(`${note[0]?.toUpperCase()}${note.slice(1)}.`);
  return roster;
}
