/** Warns before a job creates items equal to listed ones, where no key prevents duplicates. */
import type { Reader } from '../../client/create/find-by-key.js';
import { canShow, namesOf } from '../../client/create/find-equal.js';
import { ignoreEduError, isKind } from '../../core/errors.js';
import { getOrSet } from '../../core/maps.js';
import { isIn } from '../../core/shard.js';
import type { InputRow } from '../../core/table/rows.js';
import type { References } from '../input/resolve-references.js';
import { openRows, rowsOf, valuesReader } from '../input/row-source.js';
import { isUnkeyed, type Verb } from '../row-command.js';
import { type Equals, equalsFinder } from '../send/equal-listed.js';
import { type EarlierRow, outcomesOf } from './earlier.js';
import type { JobFolder } from './job-store.js';
import type { Journal } from './journal.js';
import { isDone } from './states.js';

interface EqualsCheck {
  readonly verb: Verb;
  readonly job: JobFolder;
  readonly references: References;
  readonly journal: Journal;
  /** Rows whose items other jobs created. */
  readonly earlier: ReadonlyMap<number, EarlierRow>;
  /** Max rows to send. */
  readonly limit: number | undefined;
  readonly snapshot: Reader;
  readonly signal: AbortSignal;
}

/** Equal rows: those to be created, those that may have been, and the listed items that equal them. */
interface Group extends Equals {
  new: number;
  uncertain: number;
}

/** IDs of the items that this job and earlier ones created. */
function madeIds({ job, journal, earlier }: EqualsCheck): Set<string | undefined> {
  const made = new Set<string | undefined>();
  for (const { id } of outcomesOf(earlier.values())) made.add(id);
  for (let row = 1; row <= job.manifest.rows; row++) if (isDone(journal.state(row))) made.add(journal.outcome(row).id);
  return made;
}

/** Returns a function that decides whether a row is to be created or may have been; undefined for other rows. */
function rolesIn({ job, journal, earlier, limit = Number.POSITIVE_INFINITY }: EqualsCheck) {
  let room = limit;
  return (row: number): 'new' | 'uncertain' | undefined => {
    if (!isIn(job.manifest.shard ?? undefined, row)) return undefined;
    const state = journal.state(row);
    if (state === 'sending' || state === 'unknown') return 'uncertain';
    return state === 'planned' && !earlier.has(row) && room-- > 0 ? 'new' : undefined;
  };
}

/**
 * Compares the remaining rows with the list of existing items.
 * @returns warnings; none for creates that a key or the service protects from duplicates
 * @throws EduError when the service is not available
 */
export async function equalsWarnings(check: EqualsCheck): Promise<readonly string[]> {
  const { verb, job, references, snapshot, signal } = check;
  if (!isUnkeyed(verb)) return [];
  const { folder, manifest } = job;
  const made = madeIds(check);
  const roleOf = rolesIn(check);
  const find = equalsFinder(snapshot, { signal });
  const input = await openRows(folder, manifest);
  const valuesOf = valuesReader(verb, input, manifest.values, references);
  const groups = new Map<string, Group>();

  /** @returns false if no list shows the items that the command creates */
  async function note(row: InputRow, role: 'new' | 'uncertain'): Promise<boolean> {
    const { values, own } = valuesOf(row);
    if (own?.isMade) {
      // A results file names its item, with which it is compared when it is its turn.
      made.add(own.id);
      return true;
    }
    // Errors of a row are reported when it is sent.
    const writes = await (async () => verb.plan(values))().catch(ignoreEduError);
    if (writes === undefined) return true;
    const [write, ...others] = writes;
    if (write === undefined || others.length > 0 || !canShow(write.endpoint)) return false;
    const equals = await find(write);
    if (equals === undefined) return true;
    const { showing, items } = equals;
    getOrSet(groups, showing.likeness, () => ({ showing, items, new: 0, uncertain: 0 }))[role]++;
    return true;
  }

  try {
    for await (const batch of rowsOf(input, manifest.rows)) {
      for (const row of batch) {
        const role = roleOf(row.number);
        if (role !== undefined && !(await note(row, role))) return [];
      }
    }
  } catch (error) {
    // The job continues without the check.
    if (!isKind(error, 'forbidden', 'not_found', 'refused', 'conflict', 'server_error', 'invalid_response'))
      throw error;
    return [`Cannot check whether equal items exist already: ${error.message}.`];
  }
  const others = [...groups.values()].map((group) => ({
    ...group,
    items: group.items.filter((item) => !made.has(group.showing.idOf(item))),
  }));
  return texts(others.filter(({ new: rows, items, uncertain }) => rows > 0 && items.length > uncertain));
}

function texts(groups: readonly Group[]): readonly string[] {
  const [first] = groups;
  if (first === undefined) return [];
  const rows = groups.reduce((sum, group) => sum + group.new, 0);
  const items = new Map(
    groups.flatMap((group) => group.items.map((item) => [group.showing.idOf(item), item] as const)),
  );
  const names = namesOf(first.showing, [...items.values()]);
  const each = rows === 1 ? '1 row equals' : `${rows} rows equal`;
  const exist = items.size === 1 ? 'exists' : 'exist';
  const makes = rows === 1 ? 'It creates' : 'Each creates';
  return [
    `${each} ${names}, which ${exist} already. ${makes} another ${first.showing.noun}. To compare: ${first.showing.command}`,
  ];
}
