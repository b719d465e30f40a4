/**
 * The journal of a job: records each row on disk before it is sent, and its outcome. Also has what later runs must know:
 * lists of existing items, and how runs ended.
 */
import { closeSync, existsSync, fdatasync, fsyncSync, ftruncateSync, readSync } from 'node:fs';
import { EduError, usageError } from '../../core/errors.js';
import { describeErrno, diskFullHint, codeOf as errnoOf, onFile } from '../../core/fs/disk-errors.js';
import { appendRegularFile, openRegularFile, streamRegularFile } from '../../core/fs/regular-file.js';
import { writeAll } from '../../core/fs/write-file.js';
import { getOrSet } from '../../core/maps.js';
import { damaged, entryIn, type JournalEntry, type RowEntry } from './journal-entry.js';
import { type Counts, type Outcome, STATES, type State } from './states.js';

/**
 * Longer than any entry, so that a file without line breaks cannot exhaust the memory. An input's record may have 4 Mi
 * characters, whose JSON takes up to six bytes each, and a key may be in an entry twice.
 */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Size of the read buffer for outcomes. */
const PAGE_BYTES = 256 * 1024;

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

export class Journal {
  readonly #file: string;
  readonly #handle: number;
  readonly #states: Uint8Array;
  /** Offset of each row's last entry. */
  readonly #offsets: Float64Array;
  readonly #counts = new Float64Array(STATES.length);
  /** Rows whose items an undo deleted. */
  readonly #deleted = new Set<number>();
  /** Offsets of the recorded lists, and their IDs once they were needed. */
  readonly #listings: number[] = [];
  readonly #ids = new Map<number, ReadonlySet<string> | undefined>();
  /** True if the last entry is the end of a run. */
  #isEnded = false;
  #isOnlyRead = false;
  #end = 0;
  #waiting: string[] = [];
  /** True if a caller waits until these are on disk. */
  #isAwaited = false;
  /** The write that is under way or over, and the one after it. */
  #written: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
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
    return new Journal(file, openRegular(file, appendRegularFile), rows).#opened();
  }

  /** Opens a journal read-only; it may be missing, or in use by another process. */
  static async reading(file: string, rows: number): Promise<Journal> {
    const journal = new Journal(file, existsSync(file) ? openRegular(file) : -1, rows);
    journal.#isOnlyRead = true;
    return journal.#opened();
  }

  async #opened(): Promise<Journal> {
    try {
      if (this.#handle >= 0) await this.#read();
      return this;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Counts rows by state without modifying the journal, which may be in use. */
  static async count(file: string, rows: number): Promise<Counts> {
    const journal = await Journal.reading(file, rows);
    await journal.close();
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
    if (size > 0 && !this.#isOnlyRead) {
      onFile(this.#file, () => {
        ftruncateSync(this.#handle, this.#end);
        fsyncSync(this.#handle);
      });
    }
  }

  #take(line: string, offset: number): void {
    const entry = entryIn(line);
    if (entry === undefined || ('row' in entry && entry.row >= this.#states.length)) throw damaged(this.#file, offset);
    this.#note(entry, offset);
  }

  #note(entry: JournalEntry, offset: number): void {
    this.#isEnded = 'ended' in entry;
    if ('ids' in entry) this.#listings.push(offset);
    if (!('row' in entry)) return;
    const { row, state, undone } = entry;
    const before = this.#states[row] ?? 0;
    this.#counts[before] = (this.#counts[before] ?? 0) - 1;
    const code = codeOf(state);
    this.#states[row] = code;
    this.#counts[code] = (this.#counts[code] ?? 0) + 1;
    this.#offsets[row] = offset;
    if (undone === 'deleted') this.#deleted.add(row);
    else this.#deleted.delete(row);
  }

  state(row: number): State {
    return STATES[this.#states[row] ?? 0] ?? 'planned';
  }

  /** Counts of all rows; those of other shards count as planned. */
  counts(): Counts {
    return Object.fromEntries(STATES.map((state, code) => [state, this.#counts[code] ?? 0])) as Record<State, number>;
  }

  /** The same, where rows whose items an undo deleted are planned again. */
  countsToSend(): Counts {
    const counts = this.counts();
    // Rows of the undo itself stay done.
    const again = [...this.#deleted].filter((row) => this.state(row) === 'created').length;
    return { ...counts, created: counts.created - again, planned: counts.planned + again };
  }

  /** True if the last run ended regularly, and nothing was recorded since. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** True if an undo deleted the item of a row. */
  isDeleted(row: number): boolean {
    return this.#deleted.has(row);
  }

  #append(entry: JournalEntry): void {
    const line = `${JSON.stringify(entry)}\n`;
    this.#note(entry, this.#end);
    this.#end += Buffer.byteLength(line);
    this.#waiting.push(line);
    void this.#write();
  }

  /** Discards all outcomes so that the job starts again. No entry may be pending. */
  restart(): void {
    onFile(this.#file, () => {
      ftruncateSync(this.#handle, 0);
      fsyncSync(this.#handle);
    });
    this.#states.fill(0);
    this.#offsets.fill(0);
    this.#deleted.clear();
    this.#counts.fill(0);
    this.#counts[0] = this.#states.length - 1;
    this.#end = 0;
    this.#page = Buffer.alloc(0);
  }

  /**
   * Records that a row is about to be sent. Resolves when the entry is on disk; only then may the request start.
   * @param listing number of the recorded list of existing items, for a row without a natural key
   */
  sending(row: number, key?: string, listing?: number): Promise<void> {
    this.#append({ row, state: 'sending', key, listing });
    return this.flush();
  }

  /** Records the outcome of a row. */
  settled(row: number, outcome: Outcome): void {
    this.#append({ row, ...outcome });
  }

  /** Records the IDs of a list before rows are sent. @returns its number, from 1, for `sending` and `listing` */
  keepListing(list: string, ids: ReadonlySet<string>): number {
    this.#append({ list, ids: [...ids] });
    this.#ids.set(this.#listings.length, ids);
    return this.#listings.length;
  }

  /** The IDs of a list that was recorded. */
  listing(number: number): ReadonlySet<string> | undefined {
    return getOrSet(this.#ids, number, () => {
      const offset = this.#listings[number - 1];
      const entry = offset === undefined ? undefined : entryIn(this.#line(offset));
      return entry !== undefined && 'ids' in entry ? new Set(entry.ids) : undefined;
    });
  }

  /** Records the end of a run. @param ended ISO 8601 */
  endRun(ended: string): void {
    this.#append({ ended, counts: this.counts() });
  }

  /** Resolves when all entries so far are on disk. @throws EduError `internal` if they cannot be written */
  flush(): Promise<void> {
    this.#isAwaited = true;
    return this.#write();
  }

  #write(): Promise<void> {
    if (this.#next === undefined) {
      this.#next = this.#writeAll();
      // Outcomes are recorded without waiting.
      this.#next.catch(() => {});
    }
    return this.#next;
  }

  async #writeAll(): Promise<void> {
    // All rows that become ready in this turn of the event loop, or during the write before, share one write.
    await Promise.allSettled([this.#written, new Promise((resolve) => setImmediate(resolve))]);
    this.#written = this.#next ?? this.#written;
    this.#next = undefined;
    // The kernel reports a failed sync only once and then success, so the first failure is final.
    if (this.#failure !== undefined) throw this.#failure;
    const isAwaited = this.#isAwaited;
    this.#isAwaited = false;
    try {
      writeAll(this.#handle, this.#waiting.splice(0).join(''));
      if (!isAwaited) return;
      await new Promise<void>((resolve, reject) =>
        fdatasync(this.#handle, (error) => (error ? reject(error) : resolve())),
      );
    } catch (error) {
      this.#failure = this.#unwritable(error);
      throw this.#failure;
    }
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
    const { row: _, ...outcome } = JSON.parse(this.#line(this.#offsets[row] ?? 0)) as RowEntry;
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
    await Promise.allSettled([this.#isOnlyRead ? undefined : this.flush()]);
    if (this.#handle >= 0) closeSync(this.#handle);
  }
}
