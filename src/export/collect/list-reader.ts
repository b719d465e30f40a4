/** Reads the lists of one resource, and records those that could not be read. */
import type { Traffic } from '../../client/request/client.js';
import { EduError } from '../../core/errors.js';
import { JsonText } from '../../core/exact-json.js';
import { asId, getPath } from '../../core/json.js';
import { plural } from '../../core/plural.js';
import { compareText } from '../../core/sort/compare-text.js';
import { Sorter } from '../../core/sort/sorter.js';
import type { Target } from '../files/data-file.js';
import { fileFormat } from '../files/file-format.js';
import type { ResourceFacts, UnseenList } from '../files/manifest.js';
import { isoTime } from '../files/run-record.js';
import { mismatch, schemaDigest, schemaFile, schemaOf } from '../files/schema.js';
import type { Scope } from '../files/visibility.js';
import { exportError, HOPELESS, isNotToSee, noteOf, reasonOf, refusedWrite } from './export-failures.js';
import { countedClient, type Job } from './export-job.js';
import { EXPORTED, isByOrganization, keyReader, RESOURCES, type Resource, shownKey } from './resources.js';
import type { Source } from './sources.js';

const MAX_NOTES = 100;
/** Interval at which complete lists are saved, also while others are read: a killed export loses those completed since. */
const SAVE_EVERY_MS = 5_000;

export interface ListFailure {
  readonly of: string;
  readonly error: EduError;
  /** The list has fewer items than the service counts. */
  readonly isShortage?: true;
}

export type Reading = ReturnType<typeof begin>;

/** Begins to read the lists of a resource. */
export function begin(job: Job, resource: Resource) {
  const traffic: Traffic = { requests: 0, retries: 0, waitedMs: 0 };
  const { journal, work, parts } = job;
  const before = journal.take(resource);
  const sorter = new Sorter({
    folder: work,
    name: resource,
    unique: !EXPORTED[resource].repeats,
    onSaved: (runs, lists) => journal.note({ resource, runs, lists, at: isoTime(parts.now()) }),
  });
  sorter.adopt(before?.runs ?? []);
  return {
    resource,
    sorter,
    client: countedClient(parts, traffic),
    traffic,
    startedAt: parts.now(),
    /** Path and query of the lists that an earlier run has read. */
    kept: before?.lists ?? new Set<string>(),
    savedAt: parts.now(),
    restarts: 0,
    lists: 0,
    filters: new Set<string>(),
    skipped: [] as ListFailure[],
    failed: [] as ListFailure[],
    /** IDs of items of the earlier export that exist, but that the caller may not see. */
    hidden: new Set<string>(),
    /** Complete files under their partial names. */
    written: [] as Target[],
    /** Notes that do not make the resource incomplete. */
    remarks: [] as string[],
  };
}

export const shortage = (of: string, message: string): ListFailure => ({
  of,
  error: new EduError('partial', message),
  isShortage: true,
});

/** Counts the items of one pass that do not match their schema. */
function schemaCheck(resource: Resource) {
  const schema = schemaOf(resource);
  let count = 0;
  let first = '';
  return {
    onPage(items: readonly unknown[]): void {
      for (const item of items) {
        const found = mismatch(item, schema);
        if (found === undefined) continue;
        if (++count === 1) first = `${shownKey(keyReader(resource)(item))}: ${found}`;
      }
    },
    message: () =>
      count === 0 ? undefined : `${plural(count, 'does', 'do')} not match ${schemaFile(resource)}, the first: ${first}`,
  };
}

/** Blank IDs, and those that no path can contain. */
const UNUSABLE_ID = /^\.{0,2}$/;

/** True if an item has no ID by which it can be requested, or found in another export: it would count as removed. */
function lacksId(resource: Resource, item: unknown): boolean {
  const { key, repeats } = EXPORTED[resource];
  const id = item instanceof JsonText ? item.id : asId(getPath(item, key[0] ?? 'id'));
  return !repeats && UNUSABLE_ID.test(id ?? '');
}

/** Without restarts, the client throws this kind of error for an expired cursor. */
const isExpiredCursor = (error: unknown): error is EduError => error instanceof EduError && error.kind === 'partial';

export interface ReadOptions {
  /** Selects the items to keep; all by default. */
  readonly isOwn?: ((item: unknown) => boolean) | undefined;
  /** The list was read before and is read once more for items that have moved there meanwhile. */
  readonly isAgain?: true;
}

/** Returns a function that reads one list into the resource's sorter, within the limit of concurrency. Never throws. */
export function reader(job: Job, reading: Reading) {
  const { options, parts, signal } = job;
  const { resource } = reading;
  const key = keyReader(resource);
  const { line } = fileFormat(options.format, EXPORTED[resource].shape);
  // Lists of organizations come last, resource by resource, so that few resources are in memory at the same time.
  const order = isByOrganization(resource) ? 1 + RESOURCES.indexOf(resource) : 0;
  let count = 0;
  const onItems = (change: number): void => {
    count += change;
    parts.onItems?.(resource, count);
  };

  async function saveIfDue(): Promise<void> {
    if (parts.now() - reading.savedAt < SAVE_EVERY_MS) return;
    reading.savedAt = parts.now();
    await reading.sorter.save();
  }

  /**
   * Reads a whole list: only a pass from start to end without a restart counts; items of an incomplete pass are dropped.
   * @returns why the list does not count although it was read completely
   */
  async function readWhole(source: Source, { isOwn, isAgain }: ReadOptions): Promise<string | undefined> {
    const isCopied = options.format !== 'csv' && !options.strictSchema;
    const pages = isCopied && source.texts !== undefined ? source.texts : source.pages;
    let hasBegun = false;
    for (let restarts = 0; ; restarts++) {
      const pass = reading.sorter.pass();
      const checked = options.strictSchema ? schemaCheck(resource) : undefined;
      let nameless = 0;
      try {
        for await (const items of pages({ signal, restarts: 0, pageSize: options.pageSize, mayRepeat: true })) {
          checked?.onPage(items);
          const before = pass.count;
          for (const item of isOwn === undefined ? items : items.filter(isOwn)) {
            if (lacksId(resource, item)) nameless++;
            else pass.add(key(item), line(item));
          }
          hasBegun = true;
          job.reached = true;
          if (isAgain !== true) onItems(pass.count - before);
          await pass.settle();
          await saveIfDue();
        }
        const nameFault = nameless === 0 ? undefined : `${plural(nameless, 'item has', 'items have')} no valid ID`;
        const fault = nameFault ?? (await source.missing?.(pass.count)) ?? checked?.message();
        await (fault === undefined ? pass.keep(isAgain ? undefined : source.filter) : pass.drop());
        return fault;
      } catch (error) {
        if (isAgain !== true) onItems(-pass.count);
        await pass.drop().catch(() => {});
        // A list that was readable before is not invisible.
        if ((hasBegun || isAgain === true) && error instanceof EduError && isNotToSee(error, true))
          throw error.with({ kind: 'server_error' });
        if (!isExpiredCursor(error)) throw error;
        if (restarts >= options.maxRestarts)
          throw error.with({ hint: 'Items are being removed while the list is read.' });
        reading.restarts++;
      }
    }
  }

  return (source: Source, how: ReadOptions = {}): Promise<void> => {
    if (how.isAgain !== true) {
      reading.lists++;
      reading.filters.add(source.template);
    }
    return job.limit(async () => {
      // A failed list makes the resource incomplete, so the others need not be read; but every short list is reported.
      if (signal.aborted || reading.failed.some(({ isShortage }) => isShortage !== true)) return;
      if (reading.kept.has(source.filter) && how.isAgain !== true) return;
      try {
        const fault = await readWhole(source, how);
        job.reached = true;
        if (fault !== undefined) reading.failed.push(shortage(source.of, fault));
        await saveIfDue();
      } catch (thrown) {
        const error = exportError(thrown);
        if (HOPELESS.has(error.kind) || refusedWrite(thrown) !== undefined) job.stop(error);
        const failure = { of: source.of, error };
        if (isNotToSee(error, source.ofSomething)) {
          job.reached = true;
          if (source.isCounted !== true) reading.skipped.push(failure);
          else reading.failed.push(shortage(source.of, `${reasonOf(error)}, although the licence counts activations`));
        } else reading.failed.push(failure);
      }
    }, order);
  };
}

/** The notes of a resource, sorted so that their order does not depend on timing. */
function notesOf({ skipped, failed, remarks }: Reading): string[] {
  const said = (failures: readonly ListFailure[], what: string): string[] =>
    failures.map(({ of, error }) => noteOf(what, of, reasonOf(error))).sort();
  const notes = [...said(failed, 'failed'), ...said(skipped, 'skipped'), ...remarks];
  return notes.length <= MAX_NOTES
    ? notes
    : [...notes.slice(0, MAX_NOTES), `and ${notes.length - MAX_NOTES} more notes`];
}

/** The skipped lists, sorted so that their order does not depend on timing. */
export const unseenOf = ({ skipped }: Reading): UnseenList[] =>
  skipped.map(({ of, error }) => ({ list: of, reason: reasonOf(error) })).sort((a, b) => compareText(a.list, b.list));

/** The lists of a resource as far as they are read. */
export const scopeOf = ({ organizations }: Job, reading: Reading): Scope => ({
  organizations,
  resources: { [reading.resource]: { file: reading.resource, unseen: unseenOf(reading) } },
});

/** The facts of a resource without a file. */
export function factsWithoutFile(reading: Reading, complete: boolean): ResourceFacts {
  const { resource, filters, restarts } = reading;
  return {
    complete,
    file: null,
    count: 0,
    bytes: 0,
    sha256: null,
    filters: [...filters].sort(compareText),
    schema: schemaFile(resource),
    schemaSha256: schemaDigest(resource),
    restarts,
    unseen: unseenOf(reading),
    notes: notesOf(reading),
  };
}
