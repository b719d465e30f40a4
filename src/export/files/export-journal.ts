/** The journal of an unfinished export, from which the next run with the same settings resumes. */
import { createHash } from 'node:crypto';
import { appendFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Checked, isCount, isText, listOf, objectOf } from '../../core/checks.js';
import { withPath } from '../../core/fs/disk-errors.js';
import { readRegularFile } from '../../core/fs/regular-file.js';
import { getOrSet } from '../../core/maps.js';
import type { Run } from '../../core/sort/sorted-run.js';
import { isResource, type Resource } from '../collect/resources.js';
import { filesOf, isResourceFacts, OWNER, type ResourceFacts, textLike, writeAtomically } from './manifest.js';
import { checkFolder } from './origin.js';
import { digest, isAsWritten } from './read-data-file.js';
import { isResourceRun } from './run-record.js';

export const JOURNAL = 'journal.ndjson';
/** An older unfinished export is not resumed, because its data would be too old. */
const MAX_AGE_MS = 12 * 60 * 60 * 1000;
const MAX_JOURNAL_BYTES = 256 * 1024 * 1024;

const isHead = objectOf({
  /** Hash of settings, service and caller, which must be equal to resume. */
  identity: isText,
  owner: objectOf(OWNER),
  /** Start of the first run, in milliseconds since the epoch. */
  startedAt: isCount,
});
type Head = Checked<typeof isHead>;

const isComplete = objectOf({ resource: isResource, facts: isResourceFacts, run: isResourceRun });
type Complete = Checked<typeof isComplete>;

/** A run, by its name in the work folder. */
const isSavedRun = objectOf({ path: textLike(/^[a-z]+\.\d+\.run$/), bytes: isCount, sha256: isText });

/** Complete lists with the temporary files that hold their items. */
const isSavedLists = objectOf({
  resource: isResource,
  runs: listOf(isSavedRun),
  /** Path and query of each list. */
  lists: listOf(isText),
  /** When they were saved, ISO 8601. */
  at: isText,
});
type SavedRun = Checked<typeof isSavedRun>;

/** A complete resource, or complete lists. */
type Entry<R extends Run = SavedRun> =
  | Complete
  | (Omit<Checked<typeof isSavedLists>, 'runs'> & { readonly runs: readonly R[] });

export type ExportJournal = Awaited<ReturnType<typeof openJournal>>;

async function areIntact(files: readonly SavedRun[]): Promise<boolean> {
  for (const one of files) if (!(await isAsWritten(one.path, one))) return false;
  return true;
}

/** Hexadecimal digits of the SHA-256 of an entry before it. */
const DIGEST_LENGTH = 16;

/** The line of an entry, with its digest. */
function lineOf(json: string): string {
  return `${createHash('sha256').update(json).digest('hex').slice(0, DIGEST_LENGTH)} ${json}\n`;
}

/** The values of the journal's lines, up to one that is incomplete because the process was killed, or damaged. */
function linesIn(path: string) {
  let head: Head | undefined;
  const entries: Entry[] = [];
  try {
    for (const line of readRegularFile(path, MAX_JOURNAL_BYTES).split('\n')) {
      const json = line.slice(DIGEST_LENGTH + 1);
      if (lineOf(json) !== `${line}\n`) break;
      const value: unknown = JSON.parse(json);
      if (head === undefined && isHead(value)) head = value;
      else if (head !== undefined && (isComplete(value) || isSavedLists(value))) entries.push(value);
      else break;
    }
  } catch {
    // There is no journal yet, or another program has written the line.
  }
  return { head, entries };
}

/** @param now milliseconds since the epoch @throws usage error if another account has begun an export there */
export async function openJournal(
  folder: string,
  work: string,
  { identity, owner }: Omit<Head, 'startedAt'>,
  now: number,
  fresh: boolean,
) {
  const path = join(work, JOURNAL);
  const { head: found, entries } = linesIn(path);
  checkFolder(folder, found?.owner, owner);
  const isResumed = !fresh && found?.identity === identity && Math.abs(now - found.startedAt) < MAX_AGE_MS;
  const textOf = (value: Head | Entry): string => lineOf(JSON.stringify(value));
  const head = textOf({ identity, owner, startedAt: isResumed ? found.startedAt : now });
  const complete = new Map<Resource, Complete>();
  const published = new Map<Resource, ResourceFacts>();
  const read = new Map<Resource, { runs: SavedRun[]; lists: Set<string>; at: string }>();
  const files = new Set<string>();
  /** Lines of earlier runs, which the first note writes again without those that are incomplete or not intact. */
  let kept: string[] | undefined = [];
  for (const entry of entries) {
    const { resource } = entry;
    if ('facts' in entry) {
      const written = filesOf(entry.facts).map((one) => ({ ...one, path: join(folder, one.file) }));
      if (!entry.facts.complete || !(await areIntact(written))) continue;
      published.set(resource, entry.facts);
      if (isResumed) complete.set(resource, entry);
    } else if (isResumed) {
      const runs = entry.runs.map((run) => ({ ...run, path: join(work, run.path) }));
      if (!(await areIntact(runs))) continue;
      const known = getOrSet(read, resource, () => ({ runs: [], lists: new Set<string>(), at: entry.at }));
      known.runs.push(...runs);
      for (const list of entry.lists) known.lists.add(list);
      for (const run of entry.runs) files.add(run.path);
    }
    if (isResumed) kept.push(textOf(entry));
  }
  const linesOfComplete = (): string[] => [...complete.values()].map(textOf);

  let last: Promise<void> = Promise.resolve();
  /** Writes in the order of calls, because resources are completed concurrently. A failed write does not prevent the next. */
  const inOrder = (write: () => Promise<void>): Promise<void> => {
    last = last.catch(() => {}).then(write);
    return last;
  };
  const append = async (line: string): Promise<void> => {
    try {
      if (kept !== undefined) await writeAtomically(path, [head, ...kept, line].join(''));
      else await appendFile(path, line, { flush: true });
      kept = undefined;
    } catch (error) {
      // The last line may be incomplete.
      kept = linesOfComplete();
      throw withPath(error, path);
    }
  };
  return {
    /** Resources that this run or earlier ones completed. */
    complete: complete as ReadonlyMap<Resource, Complete>,
    /** The resources that the last run completed, also if it is not resumed. */
    published: published as ReadonlyMap<Resource, ResourceFacts>,
    /** The lists of incomplete resources that earlier runs have read. `at`: when the first ones were saved. */
    lists: read as ReadonlyMap<Resource, { readonly lists: ReadonlySet<string>; readonly at: string }>,
    /** Removes and returns the lists of a resource that earlier runs have read. */
    take(resource: Resource) {
      const lists = read.get(resource);
      read.delete(resource);
      return lists;
    },
    /** Names of the temporary files that are still needed. */
    files: files as ReadonlySet<string>,
    /** Adds an entry, on disk when it resolves. */
    note(entry: Entry<Run>): Promise<void> {
      if ('facts' in entry) {
        complete.set(entry.resource, entry);
        return inOrder(() => append(textOf(entry)));
      }
      for (const run of entry.runs) files.add(basename(run.path));
      return inOrder(async () => {
        const saved = entry.runs.map(async (run) => ({
          path: basename(run.path),
          // A run without a file was merged into another: it does not count as intact.
          ...((await digest(run.path, Number.MAX_SAFE_INTEGER)) ?? { bytes: 0, sha256: '' }),
        }));
        await append(textOf({ ...entry, runs: await Promise.all(saved) }));
      });
    },
    /** Keeps only the complete resources, because a full disk has no room for temporary files. */
    shrink: () =>
      inOrder(() =>
        complete.size === 0 ? rm(path, { force: true }) : writeAtomically(path, head + linesOfComplete().join('')),
      ),
  };
}
