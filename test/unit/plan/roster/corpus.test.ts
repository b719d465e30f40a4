/** A corpus of rosters, each from its files to its plan. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ActualUser } from '../../../../src/plan/actual.js';
import { planState } from '../../../../src/plan/planner/plan-state.js';
import { readRoster } from '../../../../src/plan/roster/read-roster.js';
import { rosterMap } from '../../../../src/plan/roster/roster-map.js';
import { wantOfRoster } from '../../../../src/plan/roster/roster-want.js';
import type { RosterRules } from '../../../../src/plan/roster/want-people.js';
import { sectionsOf } from '../../../../src/plan/view/plan-text.js';
import { viewOf } from '../../../../src/plan/view/view.js';
import { CORPUS, type CorpusEntry } from '../../../support/roster-corpus.js';
import { temporaryFolder } from '../../../support/run.js';
import { actual, SCHOOL } from '../small-states.js';

const TEACHER = { id: 'r1', name: 'Teacher' };
const user = (id: string, firstName: string, lastName: string, roles = [TEACHER]): ActualUser => ({
  id,
  email: `${id}@g1.example`,
  firstName,
  lastName,
  language: 'DE',
  organization: SCHOOL,
  roles,
});
/** A school with a teacher and two pupils, of whom Zoe is in no roster. */
const ACTUAL = actual({
  organizations: [{ ...SCHOOL, name: 'Gymnasium am Kirchplatz', roles: [TEACHER] }],
  subjects: [
    { id: '01', name: 'Biology' },
    { id: '02', name: 'Mathematics' },
  ],
  users: [user('noor', 'Noor', 'Smit'), user('mia', 'Maria', 'Brandt', []), user('zoe', 'Zoe', 'Alt', [])],
  classes: [
    { id: 'c1', name: '5a', subjectId: '02', schoolId: 's1', users: ['mia', 'zoe'] },
    { id: 'c2', name: '6a', subjectId: '02', schoolId: 's1', users: ['noor'] },
  ],
});
const RULES: RosterRules = {
  roles: new Map([['teacher', ['Teacher']]]),
  email: undefined,
  subjects: new Map(),
  defaultSubject: undefined,
  leavers: 'unassign',
  takesRoles: false,
};

async function planOf({ files, map = [] }: Pick<CorpusEntry, 'files' | 'map'>) {
  const folder = join(temporaryFolder(), 'roster');
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const [only = '', ...others] = Object.keys(files);
  const path = others.length === 0 ? join(folder, only) : folder;
  const roster = await readRoster(path, { on: '2026-11-22', reading: undefined });
  const mapped = rosterMap(map.map(([kind, sourcedId, id]) => ({ kind, sourcedId, id, key: '', ignore: false })));
  const unread = roster.problems;
  const { want, ...scope } = wantOfRoster(roster, mapped, RULES);
  const options = { prune: new Set<never>(), organization: SCHOOL, ...scope };
  const { faults, ...planned } = planState(want, ACTUAL, options);
  const plain = (text: string): string => text.replaceAll(`${folder}/`, '');
  const lines = sectionsOf(viewOf({ hash: '', ...planned }, ACTUAL)).flatMap((section) => section.lines);
  return {
    plan: lines.map(({ sign, kind, key, detail }) => `${sign} ${kind} ${key}${detail === '' ? '' : ` ${detail}`}`),
    problems: (unread.length > 0 ? unread : [...roster.problems, ...faults]).map(({ where, message }) =>
      plain(`${where}: ${message}`),
    ),
    failed: [...roster.findings.rows].map(([at, reasons]) => plain(`${at}: ${reasons.join('; ')}`)),
    notes: roster.notes.map(plain),
  };
}

test.each(CORPUS.map((entry) => [entry.name, entry] as const))('%s', async (_, entry) => {
  const { plan, problems, failed, notes } = await planOf(entry);
  expect(problems).toEqual(entry.problems ?? []);
  if (entry.failed !== undefined) expect(failed).toEqual(entry.failed);
  if (entry.plan === undefined) return;
  expect(plan).toEqual(entry.plan);
  expect(notes).toEqual(entry.notes ?? []);
});
