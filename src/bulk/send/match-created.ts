/**
 * Matches listed items to rows of creates without a key. An item belongs to a row if it equals the sent values, did
 * not exist before, and belongs to no other row.
 */
import { createHash } from 'node:crypto';
import type { Reader } from '../../client/create/find-by-key.js';
import { canShow, equalsIn, idsIn, type Showing, showingOf } from '../../client/create/find-equal.js';
import type { Attempt } from '../../client/request/client.js';
import { EduError } from '../../core/errors.js';
import type { Journal } from '../job/journal.js';
import { isDone, type Trace } from '../job/states.js';
import { namesOf } from '../results/outcome-ids.js';
import type { RowWrite } from '../row-command.js';
import type { Listings } from './known-ids.js';
import { Turns } from './read-write-lock.js';

type Json = Readonly<Record<string, unknown>>;

/** Longer lists are not kept: what was there before is not known then. */
const MOST = 200_000;
/** Attempts of a look-up after the first; the row looks again if need be. */
const RETRIES = 1;
/** The same before the first row is sent, which can't be made up for. */
const RETRIES_BEFORE = 3;

/** What a look at the list says of a row that may have been done. */
export type Sight =
  | { readonly is: 'ours'; readonly item: Json }
  /** Nothing equal to it has been added. It may yet appear. */
  | { readonly is: 'absent'; readonly showing: Showing }
  /** Equal things are there, and it is unknown whether one is the row's. */
  | { readonly is: 'unclear'; readonly showing: Showing; readonly items: readonly Json[]; readonly why: string }
  | { readonly is: 'unread'; readonly error: EduError };

export interface ClaimsOptions {
  readonly client: Reader;
  /** Reads every list once: what was there before the first row. */
  readonly snapshot: Reader;
  readonly journal: Journal;
  /** How many rows the job has. */
  readonly rows: number;
  readonly listings: Listings;
  /** Other parts of the job may be running elsewhere. */
  readonly isPart: boolean;
  /** IDs of what other jobs have made. */
  readonly takenIds: readonly string[];
}

/** Rows that may be taken for each other by what the list shows. */
interface Kin {
  readonly turns: Turns;
  /** How many rows may have been done and have no thing yet, by what exactly they sent. */
  readonly waiting: Map<string, number>;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** `kin.exact`: what the list can tell of a create, and all that was sent. */
const keyOf = (showing: Showing, { input }: RowWrite): string =>
  `${digest(showing.likeness)}.${digest(JSON.stringify(input.body))}`;

const kinIn = (key: string): string => key.split('.', 1)[0] ?? '';

const ADDED = 'has been added since';

export class Claims {
  readonly #options: ClaimsOptions;
  readonly #kin = new Map<string, Kin>();
  /** What rows were told to have made. */
  readonly #taken = new Set<string>();
  readonly #traces = new Map<number, Trace>();
  /** Lists that were kept in this run; undefined for one that could not be. */
  readonly #kept = new Map<string, Promise<number | undefined>>();
  /** Some row may have made a thing that can't be known for its own: it was not told which, or nothing was noted. */
  #hasStray = false;
  #opened: Promise<void> | undefined;

  constructor(options: ClaimsOptions) {
    this.#options = options;
  }

  /** Reads what earlier runs left in the journal. */
  async #open(): Promise<void> {
    const { journal, rows, takenIds } = this.#options;
    for (const id of takenIds) this.#taken.add(id);
    // What is still to be written can't be read back.
    await journal.flush();
    for (let row = 1; row <= rows; row++) {
      const state = journal.state(row);
      if (isDone(state)) {
        this.#take(journal.outcome(row).id);
      } else if (state === 'sending' || state === 'unknown') {
        const { key, listing } = journal.outcome(row);
        if (key === undefined) {
          this.#hasStray = true;
          continue;
        }
        this.#traces.set(row, { key, ...(listing === undefined ? {} : { listing }) });
        this.#count(key, 1);
      }
    }
  }

  #take(id: string | undefined): void {
    if (id === undefined) this.#hasStray = true;
    else this.#taken.add(id);
  }

  #kinOf(key: string): Kin {
    const name = kinIn(key);
    let kin = this.#kin.get(name);
    if (kin === undefined) {
      kin = { turns: new Turns(), waiting: new Map() };
      this.#kin.set(name, kin);
    }
    return kin;
  }

  #count(key: string, change: number): void {
    const { waiting } = this.#kinOf(key);
    const count = (waiting.get(key) ?? 0) + change;
    if (count > 0) waiting.set(key, count);
    else waiting.delete(key);
  }

  /**
   * Before a row is noted: makes sure that what is there already is known, on disk.
   * @param earlier an earlier run may have sent it
   * @returns what to note with the row; undefined when what it makes can't be looked for
   */
  async before(write: RowWrite, row: number, earlier: boolean): Promise<Trace | undefined> {
    if (!canShow(write.endpoint)) return undefined;
    this.#opened ??= this.#open();
    await this.#opened;
    if (earlier) return this.#traces.get(row);
    try {
      const showing = await this.#showing(write, this.#options.snapshot);
      if (showing === undefined) return undefined;
      const listing = await this.#listed(showing);
      return { key: keyOf(showing, write), ...(listing === undefined ? {} : { listing }) };
    } catch (error) {
      if (error instanceof EduError) return undefined;
      throw error;
    }
  }

  #showing({ endpoint, input }: RowWrite, reader: Reader): Promise<Showing | undefined> {
    return showingOf(reader, endpoint, input, { retries: RETRIES });
  }

  #listed(showing: Showing): Promise<number | undefined> {
    let kept = this.#kept.get(showing.list);
    if (kept === undefined) {
      kept = this.#keep(showing);
      this.#kept.set(showing.list, kept);
    }
    return kept;
  }

  async #keep(showing: Showing): Promise<number | undefined> {
    try {
      const ids = await idsIn(showing, MOST, { retries: RETRIES_BEFORE });
      return ids === undefined ? undefined : this.#options.listings.keep(showing.list, ids);
    } catch (error) {
      // Without a listing of existing items, the row is sent anyway, and its item cannot be matched afterwards.
      if (error instanceof EduError) return undefined;
      throw error;
    }
  }

  /** Sends a row, and remembers that it may have been done until it is known. */
  async send(write: RowWrite, trace: Trace | undefined, work: () => Promise<Attempt>): Promise<Attempt> {
    if (trace === undefined) {
      this.#hasStray ||= canShow(write.endpoint);
      return work();
    }
    const sent = await this.#kinOf(trace.key).turns.send(async () => {
      this.#count(trace.key, 1);
      const attempt = await work();
      if (attempt.is !== 'unknown' && attempt.is !== 'unreadable') this.#count(trace.key, -1);
      if (attempt.is === 'done') this.#take(namesOf(write, attempt.value).id);
      return attempt;
    });
    this.#forget(trace.key);
    return sent;
  }

  /** Of rows that are done, and differ from all others, nothing stays in memory but the id. */
  #forget(key: string): void {
    const { turns, waiting } = this.#kinOf(key);
    if (turns.isEmpty && waiting.size === 0) this.#kin.delete(kinIn(key));
  }

  /** Forgets that a row may have been done: it is sent again. */
  release({ key }: Trace): void {
    this.#count(key, -1);
  }

  /** Looks for what a row may have made; what it finds is no other row's from then on. */
  async find(write: RowWrite, trace: Trace): Promise<Sight> {
    try {
      const showing = await this.#showing(write, this.#options.client);
      if (showing === undefined) throw new TypeError(`${write.endpoint.path} shows in no list`);
      return await this.#kinOf(trace.key).turns.look(() => this.#look(showing, trace));
    } catch (error) {
      if (error instanceof EduError) return { is: 'unread', error };
      throw error;
    }
  }

  async #look(showing: Showing, { key, listing }: Trace): Promise<Sight> {
    const equals = await equalsIn(showing);
    const before = listing === undefined ? undefined : this.#options.listings.read(listing);
    const items = equals.filter((item) => {
      const id = showing.idOf(item);
      return !this.#taken.has(id) && !before?.has(id);
    });
    const [first] = items;
    if (first === undefined) return { is: 'absent', showing };
    const why = before === undefined ? 'may have existed before' : this.#doubt(key, items.length);
    if (why !== undefined) return { is: 'unclear', showing, items, why };
    this.#count(key, -1);
    this.#take(showing.idOf(first));
    return { is: 'ours', item: first };
  }

  /** Why none of several new things can be said to be a row's. */
  #doubt(key: string, count: number): string | undefined {
    const { waiting } = this.#kinOf(key);
    if (this.#options.isPart) return `${ADDED}, maybe by another part of the job`;
    if (this.#hasStray) return `${ADDED}, maybe by a row whose response was lost`;
    if (waiting.size > 1) return `${ADDED}, maybe by a row that differs only in fields that the list does not show`;
    return count > (waiting.get(key) ?? 0) ? `${ADDED}, maybe by another program` : undefined;
  }
}
