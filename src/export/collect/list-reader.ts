/** Reading the lists of one resource: what they brought, and which of them could not be read. */
import { EduError } from '../../core/errors.js';
import { compareText } from '../../core/sort/compare-text.js';
import { Sorter } from '../../core/sort/sorter.js';
import { fileFormat } from '../files/file-format.js';
import type { ResourceFacts, UnseenList } from '../files/manifest.js';
import { schemaDigest, schemaFile } from '../files/schema.js';
import { asEduError, HOPELESS, isNotToSee, reasonOf, refusedWrite } from './export-failures.js';
import type { Job } from './export-job.js';
import { walkSource } from './read-source.js';
import { EXPORTED, keyReader, type Resource } from './resources.js';
import type { Source } from './sources.js';

const MOST_FILTERS = 20;
const MOST_NOTES = 100;

/** A list that can't be read, for a reason of its own. */
export interface Trouble {
  readonly of: string;
  readonly error: EduError;
  /** The service counts items that it does not give. */
  readonly isShortage?: true;
}

/** What reading a resource's lists came to. */
export interface Reading {
  readonly sorter: Sorter;
  restarts: number;
  lists: number;
  readonly filters: string[];
  readonly skipped: Trouble[];
  readonly failed: Trouble[];
  /** What is worth knowing though nothing is missing. */
  readonly remarks: string[];
}

export function begin(job: Job, resource: Resource): Reading {
  const sorter = new Sorter({ folder: job.work, name: resource, unique: EXPORTED[resource].repeats !== true });
  return { sorter, restarts: 0, lists: 0, filters: [], skipped: [], failed: [], remarks: [] };
}

export const shortage = (of: string, message: string): Trouble => ({
  of,
  error: new EduError('partial', message),
  isShortage: true,
});

/** Reads one list into the resource's sorter, when its turn comes. Never throws. */
export function reader(job: Job, resource: Resource, reading: Reading) {
  const { options, parts } = job;
  const exported = EXPORTED[resource];
  const key = keyReader(exported);
  const { line } = fileFormat(options.format, exported.shape);
  let count = 0;
  return (source: Source, watch: { onPage?: (items: readonly unknown[]) => void; onRestart?: () => void } = {}) =>
    job.limit(async () => {
      // One list that fails makes the resource incomplete: the others need not be read. Shortages are all named.
      if (job.signal.aborted || reading.failed.some(({ isShortage }) => isShortage !== true)) return;
      let arrived = 0;
      try {
        await walkSource(source, reading.sorter, {
          signal: job.signal,
          pageSize: options.pageSize,
          key,
          line,
          onItems: (change) => {
            job.reached = true;
            count += change;
            arrived += change;
            parts.onItems?.(resource, count);
          },
          onPage: watch.onPage,
          onRestart: () => {
            reading.restarts++;
            watch.onRestart?.();
          },
        });
        job.reached = true;
        const missing = await source.missing?.(arrived);
        if (missing !== undefined) reading.failed.push(shortage(source.of, missing));
      } catch (thrown) {
        const error = asEduError(thrown);
        if (HOPELESS.has(error.kind) || refusedWrite(thrown) !== undefined) job.stop(error);
        const trouble = { of: source.of, error };
        if (isNotToSee(error, source.ofSomething)) {
          job.reached = true;
          if (source.isCounted !== true) reading.skipped.push(trouble);
          else reading.failed.push(shortage(source.of, `${reasonOf(error)}, although the licence counts activations`));
        } else reading.failed.push(trouble);
      }
    });
}

export function noteFilter(reading: Reading, source: Source): void {
  reading.lists++;
  if (reading.filters.length < MOST_FILTERS) reading.filters.push(source.filter);
}

/** The notes of a resource, in an order that does not depend on which list was faster. */
function notesOf({ skipped, failed, remarks }: Reading): string[] {
  const said = (troubles: readonly Trouble[], what: string): string[] =>
    troubles.map(({ of, error }) => `${what}${of === '' ? '' : ` ${of}`}: ${reasonOf(error)}`).sort();
  const notes = [...said(failed, 'failed'), ...said(skipped, 'skipped'), ...remarks];
  return notes.length <= MOST_NOTES
    ? notes
    : [...notes.slice(0, MOST_NOTES), `and ${notes.length - MOST_NOTES} more notes`];
}

/** The lists that could not be seen, in an order that does not depend on which was faster. */
export const unseenOf = ({ skipped }: Pick<Reading, 'skipped'>): UnseenList[] =>
  skipped.map(({ of, error }) => ({ list: of, reason: reasonOf(error) })).sort((a, b) => compareText(a.list, b.list));

/** The facts of a resource without a file. */
export function factsWithoutFile(resource: Resource, reading: Reading, complete: boolean): ResourceFacts {
  const { filters, lists, restarts } = reading;
  const more = lists > filters.length ? [`and ${lists - filters.length} more lists`] : [];
  return {
    complete,
    file: null,
    count: 0,
    bytes: 0,
    sha256: null,
    filters: [...filters, ...more],
    schema: schemaFile(resource),
    schemaSha256: schemaDigest(resource),
    restarts,
    unseen: unseenOf(reading),
    notes: notesOf(reading),
  };
}
