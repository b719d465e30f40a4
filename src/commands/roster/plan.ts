/** Runs `edu roster plan`. */
import { isOn, textOf, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { usageError } from '../../core/errors.js';
import { collectGarbage } from '../../core/heap-room.js';
import { readWant } from '../../plan/read-want.js';
import { isWant, readRoster } from '../../plan/roster/read-roster.js';
import { changedIds, readRosterMap } from '../../plan/roster/roster-map.js';
import { type RosterRules, wantOfRoster } from '../../plan/roster/roster-want.js';
import { limitsOf } from '../plan/flags.js';
import { makePlan } from '../plan/make-plan.js';
import { deliver } from '../plan/run-plan.js';
import { checkProblems, mapPath, rosterOf, rosterPath } from './read.js';

/** Parses `teacher=Teacher,student=` into the names for each word of the roster. @throws EduError `usage` */
function pairsOf(values: Values, flag: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const pair of textsOf(values, flag)) {
    const equals = pair.indexOf('=');
    if (equals < 1) throw usageError(`--${flag} ${JSON.stringify(pair)} must be WORD=NAME, such as teacher=Teacher.`);
    const word = pair.slice(0, equals).trim().toLowerCase();
    const name = pair.slice(equals + 1).trim();
    found.set(word, [...(found.get(word) ?? []), ...(name === '' ? [] : [name])]);
  }
  return found;
}

function rulesOf(values: Values): RosterRules {
  const subjects = [...pairsOf(values, 'subject-map')].flatMap(([word, [name]]) =>
    name === undefined ? [] : [[word, name] as const],
  );
  return {
    roles: pairsOf(values, 'role-map'),
    email: textOf(values, 'email'),
    subjects: new Map(subjects),
    defaultSubject: textOf(values, 'default-subject'),
    leavers: textOf(values, 'leavers') === 'keep' ? 'keep' : 'unassign',
    takesRoles: isOn(values, 'take-roles'),
  };
}

/** Derives the wanted state from a roster. A function of its own, so that the large roster can be freed afterwards. */
async function wanted(path: string, values: Values, context: Context) {
  const rules = rulesOf(values);
  const roster = await rosterOf(values, context, readRoster);
  const map = await readRosterMap(mapPath(values));
  const changed = changedIds(roster, map);
  if (changed !== undefined) throw changed;
  const { problems, notes, ...rest } = wantOfRoster(roster, map, rules);
  checkProblems(problems, path);
  for (const note of notes) await context.warn(`${note[0]?.toUpperCase()}${note.slice(1)}.`);
  return rest;
}

/** @returns the exit code */
export async function planRoster(values: Values, context: Context): Promise<number> {
  const path = rosterPath(values);
  const limits = limitsOf(values);
  const scope = isWant(path) ? { want: (await readWant(path)).want } : await wanted(path, values, context);
  // The roster is much larger than what it wants.
  collectGarbage();
  return deliver(await makePlan({ ...scope, ...limits }, context), textOf(values, 'out'), context);
}
