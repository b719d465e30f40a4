/** What changed since an earlier export: the sorted lines of now beside the file of then, into three files. */
import { join } from 'node:path';
import { byCodePoint } from '../output/selection/sort.js';
import { type DataFile, type FileFacts, openDataFile, publish, type Target } from './data-file.js';
import type { FileFormat } from './format.js';
import { CHANGES, type Change } from './manifest.js';
import { Cursor, type Entry } from './read.js';
import type { Sorted } from './sorter.js';

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
    const add = async (change: Change, line: string | Buffer): Promise<void> => {
      await files[change]?.add(typeof line === 'string' ? Buffer.from(`${line}\n`) : line);
    };
    const next = async (): Promise<void> => {
      await then.next();
    };
    await next();
    await sorted.each(async (key, line) => {
      const text = line.toString('utf8', 0, line.length - 1);
      // Those of then that stand before this one are gone, also when the key is the same and the line is not the next.
      while (then.entry !== undefined && byCodePoint(then.entry.key, key) < 0) {
        await add('removed', then.entry.line);
        await next();
      }
      if (then.entry?.key !== key) return add('added', line);
      if (then.entry.line !== text) await add('changed', line);
      return next();
    });
    while (then.entry !== undefined) {
      await add('removed', then.entry.line);
      await next();
    }
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
