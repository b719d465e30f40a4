/** Writes the changes since an earlier export: one file for each kind of change. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pair } from '../diff/compare.js';
import { type DataFile, type FileFacts, openDataFile, PARTIAL, publish, type Target } from '../files/data-file.js';
import type { FileFormat } from '../files/file-format.js';
import { CHANGES, type Change } from '../files/manifest.js';

type Files<T> = Readonly<Record<Change, T>>;

const forEachChange = <T>(make: (change: Change) => T): Files<T> =>
  Object.fromEntries(CHANGES.map((change) => [change, make(change)])) as Files<T>;

type Item = Readonly<Record<string, unknown>>;

/** Whether the other export would have seen an item that only one contains. */
export interface Visibility {
  readonly inBefore: (item: Item) => boolean;
  readonly inAfter: (item: Item) => boolean;
}

export function changeOf({ before, after }: Pair, { inBefore, inAfter }: Visibility): Change {
  if (before !== undefined && after !== undefined) return 'changed';
  if (before !== undefined) return inAfter(before.item) ? 'removed' : 'not_visible';
  return after !== undefined && inBefore(after.item) ? 'added' : 'not_visible';
}

/**
 * Writes the changes.
 * @param pairs the items that differ, in order
 * @param nameOf the name of the file for a kind of change
 * @returns functions that rename the finished files to their final names, or remove them
 */
export async function writeChanges(
  pairs: AsyncIterable<readonly Pair[]>,
  visibility: Visibility,
  form: FileFormat,
  folder: string,
  gzip: boolean,
  nameOf: (change: Change) => string,
): Promise<{
  readonly facts: Files<FileFacts>;
  readonly publish: () => Promise<void>;
  readonly abandon: () => Promise<void>;
}> {
  const targets = forEachChange((change): Target => {
    const file = nameOf(change);
    return { path: join(folder, file), file, gzip };
  });
  const opened = new Map<Change, DataFile>();
  try {
    for (const change of CHANGES) opened.set(change, await openDataFile(targets[change], form));
    for await (const some of pairs) {
      for (const pair of some) {
        const { line = '' } = pair.after ?? pair.before ?? {};
        await opened.get(changeOf(pair, visibility))?.add(Buffer.from(`${line}\n`));
      }
    }
    const facts: Partial<Record<Change, FileFacts>> = {};
    for (const [change, file] of opened) facts[change] = { file: targets[change].file, ...(await file.end()) };
    return {
      facts: facts as Files<FileFacts>,
      publish: async () => {
        for (const change of CHANGES) await publish(targets[change]);
      },
      abandon: async () => {
        for (const change of CHANGES) await rm(targets[change].path + PARTIAL, { force: true });
      },
    };
  } catch (error) {
    for (const file of opened.values()) await file.abandon();
    throw error;
  }
}
