/** Reads the lists of one resource, and notes those that could not be read. */
import type { Client, Traffic } from '../../client/request/client.js';
import { EduError } from '../../core/errors.js';
import { compareText } from '../../core/sort/compare-text.js';
import { Sorter } from '../../core/sort/sorter.js';
import { mismatch } from '../files/check-item.js';
import { fileFormat } from '../files/file-format.js';
import type { ResourceFacts, UnseenList } from '../files/manifest.js';
import { isoTime, type ResourceRun } from '../files/run-record.js';
import { schemaDigest, schemaFile, schemaOf } from '../files/schema.js';
import { asEduError, HOPELESS, isNotToSee, reasonOf, refusedWrite } from './export-failures.js';
import { countedClient, type Job } from './export-job.js';
import { walkSource } from './read-source.js';
import { EXPORTED, keyReader, type Resource, shownKey } from './resources.js';
import type { Source } from './sources.js';

const MOST_FILTERS = 20;
const MOST_NOTES = 100;
/** What a killed export loses of the lists that it has read. */
const SAVE_EVERY_MS = 5_000;

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
  /** The client, whose traffic is counted for this resource. */
  readonly client: Client;
  readonly traffic: Traffic;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Lists that an earlier run has read: path and query. */
  readonly kept: ReadonlySet<string>;
  /** When lists that were read were last put on disk. */
  savedAt: number;
  restarts: number;
  lists: number;
  readonly filters: string[];
  readonly skipped: Trouble[];
  readonly failed: Trouble[];
  /** What is worth knowing though nothing is missing. */
  readonly remarks: string[];
}

/**
 * Begins to read the lists of a resource.
 * @param isWhole every list must be read by this run
 */
export function begin(job: Job, resource: Resource, isWhole = false): Reading {
  const traffic: Traffic = { requests: 0, retries: 0, waitedMs: 0 };
  const { journal, state, work, parts } = job;
  const before = isWhole ? undefined : journal.take(resource);
  const sorter = new Sorter({
    folder: work,
    name: resource,
    unique: EXPORTED[resource].repeats !== true,
    ...(isWhole ? {} : { onSaved: (runs, lists) => state.begin().then(() => journal.note({ resource, runs, lists })) }),
  });
  sorter.adopt(before?.runs ?? []);
  return {
    sorter,
    client: countedClient(parts.client, traffic),
    traffic,
    startedAt: parts.now(),
    kept: before?.lists ?? new Set(),
    savedAt: parts.now(),
    restarts: 0,
    lists: 0,
    filters: [],
    skipped: [],
    failed: [],
    remarks: [],
  };
}

/** How the resource was read, at its end. */
export const runOf = ({ parts }: Job, { traffic, startedAt, restarts, kept }: Reading): ResourceRun => ({
  startedAt: isoTime(startedAt),
  finishedAt: isoTime(parts.now()),
  ...traffic,
  restarts,
  keptFrom: null,
  keptLists: kept.size,
});

export const shortage = (of: string, message: string): Trouble => ({
  of,
  error: new EduError('partial', message),
  isShortage: true,
});

/** Counts the items of one list that do not match their schema; of several passes only the last one counts. */
function schemaCheck(resource: Resource) {
  const schema = schemaOf(resource);
  let count = 0;
  let first = '';
  return {
    onPage(items: readonly unknown[]): void {
      for (const item of items) {
        const found = mismatch(item, schema);
        if (found === undefined) continue;
        if (++count === 1) first = `${shownKey(keyReader(EXPORTED[resource])(item))}: ${found}`;
      }
    },
    onRestart(): void {
      count = 0;
    },
    message: () => (count === 0 ? undefined : `${count} do not match ${schemaFile(resource)}, the first: ${first}`),
  };
}

interface Watch {
  readonly onPage?: (items: readonly unknown[]) => void;
  readonly onRestart?: () => void;
  /** Which items are kept; all if undefined. */
  readonly isOwn?: ((item: unknown) => boolean) | undefined;
}

/** Reads one list into the resource's sorter, when its turn comes. Never throws. */
export function reader(job: Job, resource: Resource, reading: Reading) {
  const { options, parts } = job;
  const exported = EXPORTED[resource];
  const key = keyReader(exported);
  const { line } = fileFormat(options.format, exported.shape, options.excel);
  let count = 0;
  return (source: Source, watch: Watch = {}) =>
    job.limit(async () => {
      // One list that fails makes the resource incomplete: the others need not be read. Shortages are all named.
      if (job.signal.aborted || reading.failed.some(({ isShortage }) => isShortage !== true)) return;
      if (reading.kept.has(source.filter)) return;
      const checked = options.strictSchema ? schemaCheck(resource) : undefined;
      try {
        const fault = await walkSource(source, reading.sorter, {
          signal: job.signal,
          pageSize: options.pageSize,
          key,
          line,
          isOwn: watch.isOwn,
          fault: async (arrived) => (await source.missing?.(arrived)) ?? checked?.message(),
          onItems: (change) => {
            job.reached = true;
            count += change;
            parts.onItems?.(resource, count);
          },
          onPage: (items) => {
            checked?.onPage(items);
            watch.onPage?.(items);
          },
          onRestart: () => {
            reading.restarts++;
            checked?.onRestart();
            watch.onRestart?.();
          },
        });
        job.reached = true;
        if (fault !== undefined) reading.failed.push(shortage(source.of, fault));
        if (parts.now() - reading.savedAt >= SAVE_EVERY_MS) {
          reading.savedAt = parts.now();
          await reading.sorter.save();
        }
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
