/** The journal of a job: records each row on disk before it is sent, and its outcome, as one line of JSON per entry. */
import { closeSync, existsSync, fdatasync, fsyncSync, ftruncateSync, openSync, readSync, write } from 'node:fs';
import { EduError, usageError } from '../../core/errors.js';
import { describeErrno, diskFullHint, codeOf as errnoOf, onFile } from '../../core/fs/disk-errors.js';
import { openRegularFile, streamRegularFile } from '../../core/fs/regular-file.js';
import { type Counts, type Outcome, STATES, type State } from './states.js';

interface Entry extends Outcome {
  readonly row: number;
}

/** More than any entry has, so that a file without line ends does not fill the memory. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;

/** A page of the file for reading outcomes back, in bytes. */
const PAGE = 256 * 1024;

/** How long outcomes are gathered before they are written, in milliseconds. */
const PAUSE = 10;

const codeOf = (state: State): number => STATES.indexOf(state);

function damaged(file: string, offset: number): EduError {
  return new EduError('usage', `The journal ${file} is damaged at byte ${offset}.`, {
    hint: 'Nothing was sent. Restore the file from a backup. Without one, remove the job, and check what it created before you run its command again.',
  });
}

/** Opens a journal without waiting for anything. @throws EduError `usage` for a pipe, a device or a folder in its place */
function openRegular(file: string): number {
  try {
    return openRegularFile(file).handle;
  } catch (error) {
    if (errnoOf(error) !== 'ENOTREGULAR') throw error;
    throw usageError(`Cannot read the journal ${file}: ${describeErrno(error)}.`, 'Restore it from a backup.');
  }
}

const isText = (value: unknown): boolean => value === undefined || typeof value === 'string';

/** The entry that a line holds; undefined when it is none. */
function entryIn(line: string): Entry | undefined {
  try {
    const entry = JSON.parse(line) as Entry;
    const { row, state, id, code, error }: { readonly [K in keyof Entry]: unknown } = entry;
    const known = (STATES as readonly unknown[]).includes(state) && isText(id) && isText(code) && isText(error);
    return known && Number.isInteger(row) && entry.row >= 1 ? entry : undefined;
  } catch {
    // No JSON, or null.
    return undefined;
  }
}

export class Journal {
  readonly #file: string;
  readonly #handle: number;
  readonly #states: Uint8Array;
  /** Where a row's last entry begins. */
  readonly #offsets: Float64Array;
  readonly #counts = new Float64Array(STATES.length);
  #isOnlyRead = false;
  #end = 0;
  #waiting: string[] = [];
  #promises: { readonly resolve: () => void; readonly reject: (error: unknown) => void }[] = [];
  #running: Promise<void> | undefined;
  #hurry: (() => void) | undefined;
  #failure: unknown;
  #page: Buffer = Buffer.alloc(0);
  #pageStart = 0;

  private constructor(file: string, handle: number, rows: number) {
    this.#file = file;
    this.#handle = handle;
    this.#states = new Uint8Array(rows + 1);
    this.#offsets = new Float64Array(rows + 1);
    this.#counts[0] = rows;
  }

  /**
   * Opens a journal, made if it is not there, and reads what it holds. A last line that was not written whole is dropped.
   * @param rows how many rows the job has
   */
  static async open(file: string, rows: number): Promise<Journal> {
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    closeSync(openRegular(file));
    const handle = openSync(file, 'a+', 0o600);
    const journal = new Journal(file, handle, rows);
    try {
      await journal.#read();
    } catch (error) {
      closeSync(handle);
      throw error;
    }
    return journal;
  }

  /** Opens a journal that may be in use, or not be there, to read the outcomes of rows. */
  static async reading(file: string, rows: number): Promise<Journal> {
    const handle = existsSync(file) ? openRegular(file) : undefined;
    const journal = new Journal(file, handle ?? -1, rows);
    journal.#isOnlyRead = true;
    try {
      if (handle !== undefined) await journal.#read();
    } catch (error) {
      await journal.close();
      throw error;
    }
    return journal;
  }

  /** How many rows are in which state, without touching a journal that may be in use. */
  static async count(file: string, rows: number): Promise<Counts> {
    const journal = new Journal(file, -1, rows);
    if (existsSync(file)) {
      closeSync(openRegular(file));
      await journal.#read();
    }
    return journal.counts();
  }

  async #read(): Promise<void> {
    let pending: Buffer = Buffer.alloc(0);
    for await (const chunk of streamRegularFile(this.#file)) {
      const bytes: Buffer = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      let start = 0;
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
        this.#take(bytes.toString('utf8', start, end), this.#end);
        this.#end += end + 1 - start;
        start = end + 1;
      }
      pending = bytes.subarray(start);
      if (pending.length > MAX_LINE_BYTES) throw damaged(this.#file, this.#end);
    }
    if (pending.length > 0 && this.#handle >= 0 && !this.#isOnlyRead) {
      onFile(this.#file, () => {
        ftruncateSync(this.#handle, this.#end);
        fsyncSync(this.#handle);
      });
    }
  }

  #take(line: string, offset: number): void {
    const entry = entryIn(line);
    if (entry === undefined || entry.row >= this.#states.length) throw damaged(this.#file, offset);
    const { row, state } = entry;
    this.#set(row, state, offset);
  }

  #set(row: number, state: State, offset: number): void {
    const before = this.#states[row] ?? 0;
    this.#counts[before] = (this.#counts[before] ?? 0) - 1;
    const code = codeOf(state);
    this.#states[row] = code;
    this.#counts[code] = (this.#counts[code] ?? 0) + 1;
    this.#offsets[row] = offset;
  }

  state(row: number): State {
    return STATES[this.#states[row] ?? 0] ?? 'planned';
  }

  /** Of all rows, those of other shards among the planned ones. */
  counts(): Counts {
    return Object.fromEntries(STATES.map((state, code) => [state, this.#counts[code] ?? 0])) as Record<State, number>;
  }

  /** In bytes, what is not written yet included. */
  get size(): number {
    return this.#end;
  }

  #append(
    entry: Readonly<Record<string, unknown>> & { readonly row: number; readonly state: State },
    mayWait = false,
  ): void {
    const line = `${JSON.stringify(entry)}\n`;
    this.#set(entry.row, entry.state, this.#end);
    this.#end += Buffer.byteLength(line);
    this.#waiting.push(line);
    if (!mayWait) this.#hurry?.();
    this.#running ??= this.#write(mayWait);
  }

  /** Forgets all outcomes: the job starts again. Nothing may be waiting to be written. */
  restart(): void {
    onFile(this.#file, () => {
      ftruncateSync(this.#handle, 0);
      fsyncSync(this.#handle);
    });
    this.#states.fill(0);
    this.#offsets.fill(0);
    this.#counts.fill(0);
    this.#counts[0] = this.#states.length - 1;
    this.#end = 0;
    this.#page = Buffer.alloc(0);
  }

  /**
   * Notes that a row is about to be sent. Resolves when that is on disk: only then may a byte leave.
   * @param listing what was there before, for a row without a natural key
   */
  sending(row: number, key: string | undefined, attempt: number, listing?: number): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    this.#append({
      row,
      state: 'sending',
      ...(key === undefined ? {} : { key }),
      ...(listing === undefined ? {} : { listing }),
      attempt,
    });
    return new Promise((resolve, reject) => this.#promises.push({ resolve, reject }));
  }

  /** Records the outcome of a row. @param mayWait up to 10 ms, to be written together with others */
  settled(row: number, outcome: Outcome, mayWait = false): void {
    this.#append({ row, ...outcome }, mayWait);
  }

  /** Writes what is waiting, all at once, and syncs it when a caller waits for that. */
  async #write(mayWait: boolean): Promise<void> {
    // One turn at least, so that all rows that are ready share one write.
    await (mayWait ? this.#pause() : new Promise((resolve) => setImmediate(resolve)));
    while (this.#waiting.length > 0 && this.#failure === undefined) {
      const text = this.#waiting.splice(0).join('');
      const promises = this.#promises.splice(0);
      try {
        await this.#writeAll(Buffer.from(text));
        if (promises.length > 0) await this.#sync();
        for (const { resolve } of promises) resolve();
      } catch (error) {
        this.#failure = this.#unwritable(error);
        for (const { reject } of [...promises, ...this.#promises.splice(0)]) reject(this.#failure);
      }
    }
    this.#running = undefined;
  }

  /** A short wait that ends at once when something may not wait. */
  async #pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, PAUSE);
      this.#hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#hurry = undefined;
  }

  async #writeAll(bytes: Buffer): Promise<void> {
    let rest = bytes;
    while (rest.length > 0) {
      const now = rest;
      const count = await new Promise<number>((resolve, reject) =>
        write(this.#handle, now, (error, written) => (error ? reject(error) : resolve(written))),
      );
      rest = rest.subarray(count);
    }
  }

  #sync(): Promise<void> {
    return new Promise((resolve, reject) => fdatasync(this.#handle, (error) => (error ? reject(error) : resolve())));
  }

  /** Waits until everything is on disk. @throws when it can't be written */
  async flush(): Promise<void> {
    do {
      this.#hurry?.();
      while (this.#running !== undefined) await this.#running;
      if (this.#failure !== undefined) throw this.#failure;
      try {
        await this.#sync();
      } catch (error) {
        // The system reports a failed sync once, and the next one as done: it counts for good.
        this.#failure = this.#unwritable(error);
        throw this.#failure;
      }
      // Others may have appended while this was synced.
    } while (this.#running !== undefined);
  }

  #unwritable(error: unknown): EduError {
    return new EduError('internal', `Cannot write the journal ${this.#file}: ${describeErrno(error)}.`, {
      hint: `Every request that was sent is recorded in it. ${diskFullHint(error, 'Fix the cause and run the command again.')}`,
      cause: error,
    });
  }

  /** What the last entry of a row says. Quick when rows are asked for in about the order of their entries. */
  outcome(row: number): Outcome {
    const state = this.state(row);
    if (state === 'planned' && this.#offsets[row] === 0) return { state };
    const { row: _, ...outcome } = JSON.parse(this.#line(this.#offsets[row] ?? 0)) as Entry;
    return outcome;
  }

  #line(offset: number): string {
    const at = offset - this.#pageStart;
    const end = at >= 0 && at < this.#page.length ? this.#page.indexOf(10, at) : -1;
    if (end >= 0) return this.#page.toString('utf8', at, end);
    let size = PAGE;
    for (;;) {
      const page = Buffer.alloc(size);
      const count = readSync(this.#handle, page, 0, size, offset);
      this.#page = page.subarray(0, count);
      this.#pageStart = offset;
      const found = this.#page.indexOf(10);
      if (found >= 0) return this.#page.toString('utf8', 0, found);
      if (count < size) throw damaged(this.#file, offset);
      size *= 2;
    }
  }

  /** Writes what is waiting and closes the file. */
  async close(): Promise<void> {
    try {
      while (this.#running !== undefined) await this.#running;
    } finally {
      if (this.#handle >= 0) closeSync(this.#handle);
    }
  }
}
