/**
 * The journal of complete lists of unfinished resources, so that a killed run is resumed list by list. An entry names
 * lists and the temporary files of sorted lines with their items.
 */
import { appendFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { withPath } from '../../core/fs/disk-errors.js';
import { readRegularFile } from '../../core/fs/regular-file.js';
import type { Run } from '../../core/sort/sorted-run.js';
import { isResource, type Resource } from '../collect/resources.js';
import { digest } from './export-state.js';

interface Entry {
  readonly resource: Resource;
  readonly runs: readonly Run[];
  /** Path and query of each list. */
  readonly lists: readonly string[];
}

/** The lists of a resource that earlier runs have read. */
export interface ReadLists {
  readonly runs: readonly Run[];
  readonly lists: ReadonlySet<string>;
}

export interface ListJournal {
  /** Removes and returns the lists of a resource that earlier runs have read. */
  take(resource: Resource): ReadLists | undefined;
  /** Names of the temporary files that are still needed. */
  files(): ReadonlySet<string>;
  note(entry: Entry): Promise<void>;
  /** Removes the journal; later notes are ignored. */
  remove(): Promise<void>;
}

const MAX_JOURNAL_BYTES = 256 * 1024 * 1024;
const NAME = 'lists.ndjson';

/** The values of the journal's lines, up to an incomplete one. The first is the identity of the export. */
function linesIn(path: string): readonly unknown[] {
  const values: unknown[] = [];
  try {
    for (const line of readRegularFile(path, MAX_JOURNAL_BYTES).split('\n')) values.push(JSON.parse(line));
  } catch {
    // There is no journal yet, or its last line is incomplete because the process was killed.
  }
  return values;
}

async function isIntact({ lines, keys, bytes, sha256 }: Run): Promise<boolean> {
  const found = await digest(lines, bytes + 1);
  return found?.sha256 === sha256 && (await stat(keys).catch(() => undefined)) !== undefined;
}

/**
 * Opens the journal in the work folder of an export.
 * @param identity identity and start of the export; entries of others are ignored
 */
export async function openListJournal(work: string, identity: string): Promise<ListJournal> {
  const path = join(work, NAME);
  const [head, ...entries] = linesIn(path);
  const read = new Map<Resource, { runs: Run[]; lists: Set<string> }>();
  const isSame = head === identity;
  for (const { resource, runs, lists } of isSame ? (entries as readonly Entry[]) : []) {
    const own = runs.map((run) => ({ ...run, lines: join(work, run.lines), keys: join(work, run.keys) }));
    const intact = await Promise.all(own.map(isIntact));
    if (!isResource(resource) || intact.includes(false)) continue;
    const known = read.get(resource) ?? { runs: [], lists: new Set() };
    known.runs.push(...own);
    for (const list of lists) known.lists.add(list);
    read.set(resource, known);
  }
  if (!isSame) await rm(path, { force: true });
  let isBegun = isSame;
  let isRemoved = false;
  let last: Promise<void> = Promise.resolve();
  const names = ({ lines, keys }: Run): string[] => [basename(lines), basename(keys)];
  const files = new Set([NAME, ...[...read.values()].flatMap(({ runs }) => runs.flatMap(names))]);
  return {
    take(resource) {
      const found = read.get(resource);
      read.delete(resource);
      return found;
    },
    files: () => files,
    remove() {
      isRemoved = true;
      return last.catch(() => {}).then(() => rm(path, { force: true }));
    },
    note({ resource, runs, lists }) {
      for (const name of runs.flatMap(names)) files.add(name);
      const plain = runs.map((run) => ({ ...run, lines: basename(run.lines), keys: basename(run.keys) }));
      const text = `${isBegun ? '' : `${JSON.stringify(identity)}\n`}${JSON.stringify({ resource, runs: plain, lists })}\n`;
      isBegun = true;
      last = last
        .then(() => (isRemoved ? undefined : appendFile(path, text)))
        .catch((error: unknown) => {
          throw withPath(error, path);
        });
      return last;
    },
  };
}
