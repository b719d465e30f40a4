/** What changed since an earlier export: the sorted lines of now beside the file of then, into three files. */
import { join } from 'node:path';
import { byCodePoint } from '../../output/select/sort.js';
import { type DataFile, type FileFacts, openDataFile, publish, type Target } from '../files/data-file.js';
import type { FileFormat } from '../files/file-format.js';
import { CHANGES, type Change } from '../files/manifest.js';
import { Cursor, type Entry } from '../files/read-data-file.js';
import type { Sorted } from '../sort/sorter.js';

type Files<T> = Readonly<Record<Change, T>>;

const forEachChange = <T>(make: (change: Change) => T): Files<T> =>
  Object.fromEntries(CHANGES.map((change) => [change, make(change)])) as Files<T>;

/**
 * Writes what was added, changed and removed.
 * @param before the entries of the earlier export, in order; nothing when it had none
 * @param nameOf the files' names in the folder
 * @returns a function that gives the finished files their names
 */
export async function writeChanges(
  sorted: Sorted,
  before: AsyncIterable<readonly Entry[]>,
  form: FileFormat,
  folder: string,
  gzip: boolean,
  nameOf: (change: Change) => string,
): Promise<{ readonly facts: Files<FileFacts>; readonly publish: () => Promise<void> }> {
  const targets = forEachChange((change): Target => {
    const file = nameOf(change);
    return { path: join(folder, file), file, gzip };
  });
  const opened: DataFile[] = [];
  const then = new Cursor(before);
  try {
    const files: Partial<Record<Change, DataFile>> = {};
    for (const change of CHANGES) {
      const file = await openDataFile(targets[change], form);
      opened.push(file);
      files[change] = file;
    }
    const add = async (change: Change, line: string): Promise<void> => {
      await files[change]?.add(Buffer.from(`${line}\n`));
    };
    /** What was there under the key that is being looked at and has not been met again, and what is new under it. */
    let key: string | undefined;
    let left: string[] = [];
    let fresh: string[] = [];
    // Equal lines are the same item; of the others under one key, as activations may be, each takes the place of one.
    const settle = async (): Promise<void> => {
      for (const [index, line] of fresh.entries()) await add(index < left.length ? 'changed' : 'added', line);
      for (const line of left.slice(fresh.length)) await add('removed', line);
      left = [];
      fresh = [];
    };
    /** Those of then that stand before a key are gone; those that have it are remembered. */
    const goTo = async (next: string | undefined): Promise<void> => {
      await settle();
      key = next;
      while (then.entry !== undefined && (next === undefined || byCodePoint(then.entry.key, next) <= 0)) {
        if (then.entry.key === next) left.push(then.entry.line);
        else await add('removed', then.entry.line);
        await then.next();
      }
    };
    await then.next();
    await sorted.each(async (of, bytes) => {
      if (of !== key) await goTo(of);
      const line = bytes.toString('utf8', 0, bytes.length - 1);
      const at = left.indexOf(line);
      if (at < 0) fresh.push(line);
      else left.splice(at, 1);
    });
    await goTo(undefined);
    const facts: Partial<Record<Change, FileFacts>> = {};
    for (const change of CHANGES) {
      const ended = await (files[change] as DataFile).end();
      facts[change] = { file: targets[change].file, ...ended };
    }
    return {
      facts: facts as Files<FileFacts>,
      publish: async () => {
        for (const change of CHANGES) await publish(targets[change]);
      },
    };
  } catch (error) {
    for (const file of opened) await file.abandon();
    throw error;
  } finally {
    await then.close();
  }
}
