/**
 * Stores the IDs of a list from before a job's rows were sent. A listing is addressed by its line's offset in the
 * file, so a truncated line does not affect later ones.
 */
import { closeSync, fdatasyncSync, fstatSync } from 'node:fs';
import { onFile } from '../../core/fs/disk-errors.js';
import { appendRegularFile, readRegularBytes } from '../../core/fs/regular-file.js';
import { writeAll } from '../../core/fs/write-file.js';

const MAX_BYTES = 1024 ** 3;

export class Listings {
  readonly #file: string;
  readonly #known = new Map<number, ReadonlySet<string>>();

  constructor(file: string) {
    this.#file = file;
  }

  /** Appends a listing to the file and syncs it. @returns its offset, by which it is read */
  keep(list: string, ids: readonly string[]): number {
    const handle = appendRegularFile(this.#file);
    try {
      const number = fstatSync(handle).size;
      onFile(this.#file, () => {
        writeAll(handle, `${JSON.stringify({ list, ids })}\n`);
        fdatasyncSync(handle);
      });
      this.#known.set(number, new Set(ids));
      return number;
    } finally {
      closeSync(handle);
    }
  }

  /** The IDs of a listing; undefined if it cannot be read. */
  read(number: number): ReadonlySet<string> | undefined {
    const known = this.#known.get(number);
    if (known !== undefined) return known;
    try {
      const bytes = readRegularBytes(this.#file, MAX_BYTES);
      const { ids } = JSON.parse(bytes.toString('utf8', number, bytes.indexOf(10, number)));
      const read: ReadonlySet<string> = new Set(ids);
      this.#known.set(number, read);
      return read;
    } catch {
      return undefined;
    }
  }
}
