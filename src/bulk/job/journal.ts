/** The journal of a job: records each row on disk before it is sent, and its outcome, as one line of JSON per entry. */
import { closeSync, existsSync, fdatasync, fsyncSync, ftruncateSync, readSync, write } from 'node:fs';
import { EduError, usageError } from '../../core/errors.js';
import { describeErrno, diskFullHint, codeOf as errnoOf, onFile } from '../../core/fs/disk-errors.js';
import { appendRegularFile, openRegularFile, streamRegularFile } from '../../core/fs/regular-file.js';
import { damaged, type Entry, entryIn } from './journal-entry.js';
import { type Counts, type Outcome, STATES, type State } from './states.js';

/**
 * Longer than any entry, so that a file without line breaks cannot exhaust the memory. An input's record may have 4 Mi
 * characters, whose JSON takes up to six bytes each, and a key may be in an entry twice.
 */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Size of the read buffer for outcomes. */
const PAGE_BYTES = 256 * 1024;

/** How long outcomes are collected before they are written together. */
const BATCH_DELAY_MS = 10;

const codeOf = (state: State): number => STATES.indexOf(state);

/** Opens a journal without ever blocking. @throws EduError `usage` if a pipe, a device or a folder is in its place */
function openRegular(file: string, open: (file: string) => number = (path) => openRegularFile(path).handle): number {
  try {
    return open(file);
  } catch (error) {
    if (!['ENOTREGULAR', 'EISDIR'].includes(errnoOf(error) ?? '')) throw error;
    throw usageError(`Cannot read the journal ${file}: ${describeErrno(error)}.`, 'Restore it from a backup.');
  }
}

function deferred() {
  let resolve = (): void => {};
  let reject = (_: unknown): void => {};
  const promise = new Promise<void>((onDone, onError) => {
    resolve = onDone;
    reject = onError;
  });
  // Rows that only may have been sent are recorded without waiting.
  promise.catch(() => {});
  return { promise, resolve, reject };
}

export class Journal {
  readonly #file: string;
  readonly #handle: number;
  readonly #states: Uint8Array;
  /** Offset of each row's last entry. */
  readonly #offsets: Float64Array;
  readonly #counts = new Float64Array(STATES.length);
  #isOnlyRead = false;
  #end = 0;
  #waiting: string[] = [];
  /** Resolves after the next sync. */
  #synced: ReturnType<typeof deferred> | undefined;
  #running: Promise<void> | undefined;
  /** Whether an entry is to be written at once. */
  #isUrgent = false;
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
   * Opens or creates a journal and reads its entries. An incomplete last line is truncated.
   * @param rows number of rows of the job
   */
  static async open(file: string, rows: number): Promise<Journal> {
    const handle = openRegular(file, appendRegularFile);
    const journal = new Journal(file, handle, rows);
    try {
      await journal.#read();
    } catch (error) {
      closeSync(handle);
      throw error;
    }
    return journal;
  }

  /** Opens a journal read-only; it may be missing, or in use by another process. */
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

  /** Counts rows by state without modifying the journal, which may be in use. */
  static async count(file: string, rows: number): Promise<Counts> {
    const journal = new Journal(file, -1, rows);
    if (existsSync(file)) {
      closeSync(openRegular(file));
      await journal.#read();
    }
    return journal.counts();
  }

  async #read(): Promise<void> {
    // Chunks of a long line are joined once, because joining each would take quadratic time.
    let parts: Buffer[] = [];
    let size = 0;
    for await (const chunk of streamRegularFile(this.#file)) {
      parts.push(chunk);
      size += chunk.length;
      if (size > MAX_LINE_BYTES) throw damaged(this.#file, this.#end);
      if (!chunk.includes(10)) continue;
      const bytes: Buffer = parts.length === 1 ? chunk : Buffer.concat(parts);
      let start = 0;
      for (let end = bytes.indexOf(10); end >= 0; start = end + 1, end = bytes.indexOf(10, start)) {
        this.#take(bytes.toString('utf8', start, end), this.#end);
        this.#end += end + 1 - start;
      }
      size = bytes.length - start;
      parts = size === 0 ? [] : [bytes.subarray(start)];
    }
    if (size > 0 && this.#handle >= 0 && !this.#isOnlyRead) {
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

  /** Counts of all rows; those of other shards count as planned. */
  counts(): Counts {
    return Object.fromEntries(STATES.map((state, code) => [state, this.#counts[code] ?? 0])) as Record<State, number>;
  }

  /** In bytes, including pending entries. */
  get size(): number {
    return this.#end;
  }

  #append(
    entry: Readonly<Record<string, unknown>> & { readonly row: number; readonly state: State },
    mayWait = false,
  ): void {
    const line = JSON.stringify(entry);
    this.#set(entry.row, entry.state, this.#end);
    this.#end += Buffer.byteLength(line) + 1;
    this.#waiting.push(line);
    if (!mayWait) this.#beUrgent();
    this.#running ??= this.#write();
  }

  #beUrgent(): void {
    if (this.#isUrgent) return;
    this.#isUrgent = true;
    this.#hurry?.();
  }

  /** Discards all outcomes so that the job starts again. No entry may be pending. */
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
   * Records that a row is about to be sent. Resolves when the entry is on disk; only then may the request start.
   * @param listing number of the stored list of existing items, for a row without a natural key
   */
  sending(row: number, key: string | undefined, attempt: number, listing?: number): Promise<void> {
    this.#synced ??= deferred();
    if (this.#failure === undefined) this.#append({ row, state: 'sending', key, listing, attempt });
    else this.#synced.reject(this.#failure);
    return this.#synced.promise;
  }

  /** Records the outcome of a row. @param mayWait up to 10 ms, to be written together with others */
  settled(row: number, outcome: Outcome, mayWait = false): void {
    this.#append({ row, ...outcome }, mayWait);
  }

  /** Writes all pending entries together, and syncs them if a caller waits for the disk. */
  async #write(): Promise<void> {
    do {
      if (!this.#isUrgent) await this.#pause();
      // All rows that become ready in this turn of the event loop share one write.
      if (this.#isUrgent) await new Promise((resolve) => setImmediate(resolve));
      this.#isUrgent = false;
      if (this.#failure !== undefined) break;
      const text = `${this.#waiting.splice(0).join('\n')}\n`;
      const synced = this.#takeSynced();
      try {
        await this.#writeAll(Buffer.from(text));
        if (synced !== undefined) {
          await this.#sync();
          synced.resolve();
        }
      } catch (error) {
        this.#failure = this.#unwritable(error);
        synced?.reject(this.#failure);
        this.#takeSynced()?.reject(this.#failure);
      }
    } while (this.#waiting.length > 0 && this.#failure === undefined);
    this.#running = undefined;
  }

  #takeSynced(): ReturnType<typeof deferred> | undefined {
    const synced = this.#synced;
    this.#synced = undefined;
    return synced;
  }

  /** Waits for more outcomes; ends early when an entry must be written at once. */
  async #pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, BATCH_DELAY_MS);
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

  /** Waits until everything is on disk. @throws if it cannot be written */
  async flush(): Promise<void> {
    do {
      this.#beUrgent();
      while (this.#running !== undefined) await this.#running;
      if (this.#failure !== undefined) throw this.#failure;
      try {
        await this.#sync();
      } catch (error) {
        // The kernel reports a failed sync only once and then success, so the first failure is final.
        this.#failure = this.#unwritable(error);
        throw this.#failure;
      }
      // Entries may have been appended during the sync.
    } while (this.#running !== undefined);
  }

  #unwritable(error: unknown): EduError {
    return new EduError('internal', `Cannot write the journal ${this.#file}: ${describeErrno(error)}.`, {
      hint: `Every request that was sent is recorded in it. ${diskFullHint(error, 'Fix the cause and run the command again.')}`,
      cause: error,
    });
  }

  /** The outcome in a row's last entry. Fast if rows are read in about the order of their entries. */
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
    let size = PAGE_BYTES;
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

  /** Writes pending entries and closes the file. */
  async close(): Promise<void> {
    try {
      while (this.#running !== undefined) await this.#running;
    } finally {
      if (this.#handle >= 0) closeSync(this.#handle);
    }
  }
}
