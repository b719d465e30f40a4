/** Runs `edu roster plan`, `check` and `match`. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { flag, isOn, textOf, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { readingOf } from '../../cli/reading-flags.js';
import { integer, list, object, text } from '../../contract/vocabulary.js';
import { readDay } from '../../core/day.js';
import { EXIT, firstProblems, usageError } from '../../core/errors.js';
import { checkOutput, writeOutput } from '../../core/fs/output-file.js';
import { collectGarbage } from '../../core/heap-room.js';
import { plural } from '../../core/plural.js';
import { readWant } from '../../plan/read-want.js';
import { writeFailed } from '../../plan/roster/failed-rows.js';
import { matchRoster, type Proposal, wantToMatch } from '../../plan/roster/match-roster.js';
import { isWant, readRoster } from '../../plan/roster/read-roster.js';
import type { Roster } from '../../plan/roster/roster.js';
import { changedIds, type MapRow, mapLines, readRosterMap, rosterMap } from '../../plan/roster/roster-map.js';
import { wantOfRoster } from '../../plan/roster/roster-want.js';
import { type RosterRules, templateProblem } from '../../plan/roster/want-people.js';
import { limitsOf, SKIP_INVALID, warnOfInput } from '../plan/flags.js';
import { makePlan, readFor, warnOfHidden } from '../plan/make-plan.js';
import { deliver } from '../plan/run-plan.js';
import { FAILED, ROSTER_FLAGS, RULES } from './roster-flags.js';

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

/** Reads a roster and derives the wanted state from it. @throws EduError `usage` as `checkRows` */
async function derived(values: Values, context: Context) {
  const rules = rulesOf(values);
  const roster = await rosterOf(values, context);
  const map = await readRosterMap(mapPath(values), textOf(values, 'roster-map') !== undefined);
  const changed = changedIds(roster, map);
  if (changed !== undefined) throw changed;
  const scope = wantOfRoster(roster, map, rules);
  const failed = roster.findings.rows;
  const target = textOf(values, 'failed');
  if (target !== undefined) await writeFailed(rosterPath(values), readingOf(values), failed, target);
  await checkRows(roster, values, context);
  return { roster, scope };
}

/** Looks up the school of a flag. @throws EduError `not_found`, where each row would have the error of a wrong input */
async function checkSchool({ school }: Values, context: Context): Promise<void> {
  if (school === undefined) return;
  const { resolveValues } = await import('../kinds/resolve-values.js');
  await resolveValues({ flags: [flag('--school SCHOOL', '', { refersTo: 'school' })] }, { school }, context);
}

/** A folder in the format of edu plan has no use for the flags of rosters. @throws EduError `usage` */
function checkWantFlags(path: string, values: Values): void {
  const flag = [...ROSTER_FLAGS, SKIP_INVALID, FAILED, ...RULES].find(
    ({ name }) => isOn(values, name) || textsOf(values, name).length > 0,
  );
  if (flag !== undefined)
    throw usageError(`--${flag.name} is for rosters, and ${path} is a folder in the format of edu plan.`);
}

/** The wanted state of a roster, without the roster itself, which is much larger. */
async function wanted(values: Values, context: Context) {
  const path = rosterPath(values);
  if (await isWant(path, readingOf(values))) {
    checkWantFlags(path, values);
    const { want, ...remarks } = await readWant(path, readingOf(values));
    await warnOfInput(remarks, context);
    return { scope: { want }, failed: 0 };
  }
  const { scope, roster } = await derived(values, context);
  return { scope: { ...scope, isRoster: true as const }, failed: roster.findings.rows.size };
}

/** @returns the exit code: that of `edu plan`, but 3 if rows are left out */
export async function planRoster(values: Values, context: Context): Promise<number> {
  const limits = limitsOf(values);
  const { scope, failed } = await wanted(values, context);
  await checkSchool(values, context);
  collectGarbage();
  const code = await deliver(() => makePlan({ ...scope, limits }, context), values, context);
  return failed > 0 ? EXIT.partial : code;
}

const MAX_PROBLEMS = 200;

/**
 * Warns about rows that `--skip-invalid` leaves out, and of the notes.
 * @throws EduError `usage` with all problems, without the flag or if they are not only those of rows
 */
async function checkRows(roster: Roster, values: Values, context: Context): Promise<void> {
  const { problems: all, notes } = roster;
  if (all.length > 0 && (!isOn(values, 'skip-invalid') || roster.findings.isUnusable)) {
    const hint = roster.findings.isUnusable ? '' : ' edu roster plan --skip-invalid leaves these rows out.';
    throw usageError(
      `Cannot use the roster ${rosterPath(values)}: ${plural(all.length, 'problem')}. Nothing was sent.`,
      `Fix the roster and run the command again.${hint}`,
      firstProblems(all, MAX_PROBLEMS),
    );
  }
  const sentences = notes.map((note) => `${note[0]?.toUpperCase()}${note.slice(1)}.`);
  await warnOfInput({ left: all, notes: sentences }, context);
}

const rosterPath = (values: Values): string => textOf(values, 'roster') ?? '';

/** Default: roster-map.csv in the folder of the roster, or beside its file. */
export function mapPath(values: Values): string {
  const path = rosterPath(values);
  const isFolder = existsSync(path) && statSync(path).isDirectory();
  return textOf(values, 'roster-map') ?? join(isFolder ? path : dirname(path), 'roster-map.csv');
}

/** Reads a roster, whose problems are not checked. @throws EduError `usage` if it is unreadable */
async function rosterOf(values: Values, context: Context): Promise<Roster> {
  const path = rosterPath(values);
  const given = textOf(values, 'on');
  const on = readDay(given ?? 'today', context.now()) ?? '';
  const roster = await readRoster(path, { on, reading: readingOf(values), school: textOf(values, 'school') });
  if (given !== undefined && roster.isPlain)
    throw usageError(`--on ${given}: ${path} is a plain list, which has no dates.`);
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
  const { roster } = await derived(values, context);
  const { format, files, schools, classes, memberships } = roster;
  const people = [...roster.people.values()].filter(({ state }) => state !== 'out');
  const counts = {
    schools: schools.size,
    people: people.length,
    teachers: people.filter(({ role }) => role === 'teacher').length,
    withoutEmail: people.filter(({ email }) => email === undefined).length,
    gone: people.filter(({ state }) => state === 'gone').length,
    classes: classes.size,
    memberships: memberships.length,
  };
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
  const printer = await context.printer();
  await printer.check(MATCHED, 'item');
  const roster = await rosterOf(values, context);
  await checkRows(roster, values, context);
  await checkSchool(values, context);
  const path = mapPath(values);
  checkOutput(path);
  const map = await readRosterMap(path);
  const actual = await readFor(wantToMatch(roster, map), context);
  await warnOfHidden(actual, context);
  const { rows, proposals, schools, people, classes } = matchRoster(roster, map, actual);
  const more = await accepted(proposals, context);
  await writeOutput(path, mapLines(rosterMap([...rows, ...more])));
  const of = ([matched, all]: readonly [number, number], extra = 0): string => `${matched + extra} of ${all}`;
  const summary = { schools: of(schools), people: of(people, more.length), classes: of(classes) };
  await printer.item({ ...summary, proposals: proposals.length - more.length, map: path }, MATCHED);
}
