/** Warns before a job creates items equal to listed ones, where no key prevents duplicates. */
import type { Reader } from '../../client/create/find-by-key.js';
import type { References } from '../input/resolve-references.js';
import { openRows, rowsOf, valuesReader } from '../input/row-source.js';
import { isUnkeyed, type Verb } from '../row-command.js';
import { equalsFinder, warningsOfEquals } from '../send/equal-listed.js';
import { type EarlierRow, outcomesOf } from './earlier.js';
import type { JobFolder } from './job-store.js';
import type { Journal } from './journal.js';
import { isIn } from './shard.js';
import { isDone } from './states.js';

export interface EqualsCheck {
  readonly verb: Verb;
  readonly job: JobFolder;
  readonly references: References;
  /** Undefined while another process runs the job. */
  readonly journal: Journal | undefined;
  /** Rows whose items other jobs created, or may have created. */
  readonly earlier: ReadonlyMap<number, EarlierRow>;
  /** Max rows to send. */
  readonly limit: number | undefined;
  readonly snapshot: Reader;
  readonly signal: AbortSignal;
}

/** IDs of the items that this job and earlier ones created. */
function madeIds({ job, journal, earlier }: EqualsCheck): ReadonlySet<string | undefined> {
  const made = new Set<string | undefined>();
  for (const { id } of outcomesOf(earlier.values())) made.add(id);
  for (let row = 1; journal !== undefined && row <= job.manifest.rows; row++)
    if (isDone(journal.state(row))) made.add(journal.outcome(row).id);
  return made;
}

/**
 * Compares the remaining rows with the list of existing items.
 * @returns warnings; none for a command whose rows have a key
 * @throws EduError when the service is not available
 */
export async function equalsWarnings(check: EqualsCheck): Promise<readonly string[]> {
  const { verb, job, references, journal, earlier, limit = Number.POSITIVE_INFINITY } = check;
  if (!isUnkeyed(verb)) return [];
  const { folder, manifest } = job;
  const made = madeIds(check);
  const input = await openRows(folder, manifest);
  const valuesOf = valuesReader(verb, input, manifest.values, references);
  let room = limit;
  return warningsOfEquals({
    rows: rowsOf(input, manifest.rows),
    plan: async (row) => verb.plan(valuesOf(row).values),
    roleOf: (row) => {
      if (!isIn(manifest.shard ?? undefined, row)) return undefined;
      const state = journal?.state(row) ?? 'planned';
      const other = earlier.get(row)?.outcome.state;
      if (state === 'sending' || state === 'unknown') return 'uncertain';
      if (state !== 'planned' || (other !== undefined && isDone(other))) return undefined;
      if (other !== undefined) return 'uncertain';
      return room-- > 0 ? 'new' : undefined;
    },
    isMade: (id) => made.has(id),
    find: equalsFinder(check.snapshot, { signal: check.signal }),
  });
}
