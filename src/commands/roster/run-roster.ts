/** Runs `edu roster plan`, `check` and `match`. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isOn, textOf, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { organizationFor } from '../../cli/organization-flags.js';
import { integer, list, object, text } from '../../contract/vocabulary.js';
import { readDay } from '../../core/day.js';
import { firstProblems, type Problem, usageError } from '../../core/errors.js';
import { collectGarbage } from '../../core/heap-room.js';
import { plural } from '../../core/plural.js';
import { readWant } from '../../plan/read-want.js';
import { matchRoster, type Proposal, wantToMatch } from '../../plan/roster/match-roster.js';
import { isWant, readRoster, scanRoster } from '../../plan/roster/read-roster.js';
import type { RosterFacts, RosterItems, RosterOptions } from '../../plan/roster/roster.js';
import { changedIds, type MapRow, mapLines, readRosterMap, rosterMap } from '../../plan/roster/roster-map.js';
import { type RosterRules, templateProblem, wantOfRoster } from '../../plan/roster/roster-want.js';
import { writeLines } from '../../plan/write-lines.js';
import { readingOf } from '../kinds/bulk/bulk-options.js';
import { limitsOf } from '../plan/flags.js';
import { makePlan, readFor } from '../plan/make-plan.js';
import { deliver } from '../plan/run-plan.js';

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
  const email = textOf(values, 'email');
  const wrong = email === undefined ? undefined : templateProblem(email);
  if (wrong !== undefined) throw usageError(`--email ${wrong}.`, 'See: edu roster plan --help');
  return {
    roles: pairsOf(values, 'role-map'),
    email,
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
  return deliver(await makePlan({ ...scope, limits }, context), textOf(values, 'out'), context);
}

const MAX_PROBLEMS = 200;

/** @throws EduError `usage` with all problems, if there are any */
function checkProblems(problems: readonly Problem[], name: string): void {
  if (problems.length === 0) return;
  throw usageError(
    `Cannot use the roster ${name}: ${plural(problems.length, 'problem')}. Nothing was sent.`,
    'Fix the roster and run the command again.',
    firstProblems(problems, MAX_PROBLEMS),
  );
}

const rosterPath = (values: Values): string => textOf(values, 'roster') ?? '';

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
  const on = readDay(textOf(values, 'on') ?? 'today', context.now()) ?? '';
  const roster = await read(path, { on, reading: readingOf(values) });
  checkProblems(roster.problems, path);
  for (const note of roster.notes) await context.warn(`${note[0]?.toUpperCase()}${note.slice(1)}.`);
  return roster;
}

const FILE = object(
  { name: text('name'), rows: integer('number of rows'), mode: text('bulk or delta') },
  'file of a roster',
);

export const SUMMARY = object(
  {
    format: text('format'),
    schools: integer('schools'),
    people: integer('people'),
    teachers: integer('teachers among them'),
    withoutEmail: integer('people without an e-mail address'),
    gone: integer('people marked for deletion or not enabled'),
    classes: integer('classes'),
    memberships: integer('memberships of classes'),
    files: list(FILE, 'files'),
  },
  'contents of a roster',
);

export async function checkRoster(values: Values, context: Context): Promise<void> {
  const counts = { schools: 0, people: 0, teachers: 0, withoutEmail: 0, gone: 0, classes: 0, memberships: 0 };
  const items: RosterItems = {
    school: () => counts.schools++,
    person({ role, email, isGone }) {
      counts.people++;
      if (role === 'teacher') counts.teachers++;
      if (email === undefined) counts.withoutEmail++;
      if (isGone) counts.gone++;
    },
    class: () => counts.classes++,
    membership: () => counts.memberships++,
  };
  const { format, files } = await rosterOf(values, context, (path, options) => scanRoster(path, options, items));
  await (await context.printer()).item({ format, ...counts, files }, SUMMARY);
}

export const MATCHED = object(
  {
    schools: text('matched schools, of all'),
    people: text('matched people, of all'),
    classes: text('matched classes, of all'),
    proposals: integer('possible matches by name'),
    map: text('file with the matches'),
  },
  'matches of a roster',
);

const nameOf = ({ person, user }: Proposal): string =>
  `${person.firstName} ${person.lastName} (${person.at}) is ${user.email ?? 'without an e-mail address'} (${user.id})`;

async function accepted(proposals: readonly Proposal[], context: Context): Promise<readonly MapRow[]> {
  if (proposals.length === 0) return [];
  if (!context.canAsk) {
    for (const proposal of proposals) await context.warn(`Not matched: perhaps ${nameOf(proposal)}.`);
    return [];
  }
  const prompt = await context.prompt();
  const rows: MapRow[] = [];
  for (const proposal of proposals) if (await prompt.confirm(`${nameOf(proposal)}?`)) rows.push(proposal.row);
  return rows;
}

export async function matchFiles(values: Values, context: Context): Promise<void> {
  const roster = await rosterOf(values, context, readRoster);
  const path = mapPath(values);
  const map = await readRosterMap(path);
  const actual = await readFor(wantToMatch(roster, map), await organizationFor({}, context), context);
  const { rows, proposals, schools, people, classes } = matchRoster(roster, map, actual);
  const more = await accepted(proposals, context);
  writeLines(path, mapLines(rosterMap([...rows, ...more])), context.machine.unique());
  const of = ([matched, all]: readonly [number, number], extra = 0): string => `${matched + extra} of ${all}`;
  const summary = { schools: of(schools), people: of(people, more.length), classes: of(classes) };
  await (await context.printer()).item({ ...summary, proposals: proposals.length - more.length, map: path }, MATCHED);
}
