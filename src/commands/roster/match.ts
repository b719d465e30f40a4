/** Runs `edu roster match`. */
import type { Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { integer, object, text } from '../../contract/vocabulary.js';
import { matchRoster, type Proposal, wantToMatch } from '../../plan/roster/match-roster.js';
import { readRoster } from '../../plan/roster/read-roster.js';
import { type MapRow, mapLines, readRosterMap, rosterMap } from '../../plan/roster/roster-map.js';
import { writeLines } from '../../plan/write-lines.js';
import { readFor } from '../plan/make-plan.js';
import { mapPath, rosterOf } from './read.js';

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

/** Asks about each proposal on a terminal; elsewhere prints warnings. @returns the accepted rows */
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
  const actual = await readFor(wantToMatch(roster, map), context);
  const { rows, proposals, schools, people, classes } = matchRoster(roster, map, actual);
  const more = await accepted(proposals, context);
  writeLines(path, mapLines(rosterMap([...rows, ...more])), context.machine.unique());
  const of = ([matched, all]: readonly [number, number], extra = 0): string => `${matched + extra} of ${all}`;
  const summary = { schools: of(schools), people: of(people, more.length), classes: of(classes) };
  await (await context.printer()).item({ ...summary, proposals: proposals.length - more.length, map: path }, MATCHED);
}
