/** Writes the changes since an earlier export: one file for each kind of change. */
import type { Pair } from '../diff/compare.js';
import { type DataFile, discard, type FileFacts, openDataFile, publish, type Target } from '../files/data-file.js';
import type { FileFormat } from '../files/file-format.js';
import { CHANGES, type Change } from '../files/manifest.js';

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
 * @param targetOf the file for a kind of change
 * @returns the entries for the files, and functions that rename them to their final names, or remove them
 */
export async function writeChanges(
  pairs: AsyncIterable<readonly Pair[]>,
  visibility: Visibility,
  form: FileFormat,
  targetOf: (change: Change) => Target,
) {
  const opened = new Map<Change, DataFile>();
  try {
    for (const change of CHANGES) opened.set(change, await openDataFile(targetOf(change), form));
    for await (const some of pairs) {
      for (const pair of some) {
        const { line = '' } = pair.after ?? pair.before ?? {};
        await opened.get(changeOf(pair, visibility))?.add(Buffer.from(`${line}\n`));
      }
    }
    const facts: Partial<Record<Change, FileFacts>> = {};
    for (const [change, file] of opened) facts[change] = await file.end();
    return {
      facts: facts as Readonly<Record<Change, FileFacts>>,
      publish: async () => {
        for (const change of CHANGES) await publish(targetOf(change));
      },
      abandon: async () => {
        for (const change of CHANGES) await discard(targetOf(change));
      },
    };
  } catch (error) {
    for (const file of opened.values()) await file.abandon();
    throw error;
  }
}
