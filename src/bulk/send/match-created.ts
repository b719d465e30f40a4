/**
 * Matches listed items to rows of creates without a key. An item belongs to a row if it equals the sent values, did
 * not exist before, and belongs to no other row.
 */
import { createHash } from 'node:crypto';
import type { Reader } from '../../client/create/find-by-key.js';
import { canShow, equalsIn, idsIn, isActive, type Showing, showingOf } from '../../client/create/find-equal.js';
import type { Attempt } from '../../client/request/client.js';
import { ignoreEduError } from '../../core/errors.js';
import type { JsonObject } from '../../core/json.js';
import { getOrSet } from '../../core/maps.js';
import type { Journal } from '../job/journal.js';
import { isDone, type Trace } from '../job/states.js';
import { namesOf, type RowWrite } from '../row-command.js';
import { type Equals, MAX_LISTED_ITEMS } from './listed-before.js';
import { ReadWriteLock } from './read-write-lock.js';

/** Retries of a look-up after a create; the row repeats the look-up if necessary. */
const RETRIES = 1;
/** Retries of the listing before the first create, which cannot be repeated later. */
const RETRIES_BEFORE = 3;

/** The result of matching listed items to a row that may have been sent. */
export type MatchResult =
  /** With `exists`, it is the only item that may have these values; whether the row created it is not known. */
  | { readonly is: 'ours' | 'exists'; readonly item: JsonObject }
  /** No equal item was added so far; it may appear later. */
  | { readonly is: 'absent'; readonly showing: Showing }
  /** Equal items exist, and whether one of them is the row's is unknown. */
  | { readonly is: 'unclear'; readonly showing: Showing; readonly items: readonly JsonObject[]; readonly why: string };

export interface CreatedMatcherOptions {
  readonly client: Reader;
  /** Reads each list once, before the first row is sent. */
  readonly snapshot: Reader;
  readonly journal: Journal;
  readonly rows: number;
  /** True if other shards of the job may be running elsewhere. */
  readonly isPart: boolean;
  /** IDs of items that other jobs created. */
  readonly takenIds: readonly string[];
}

/** Rows whose items look the same in the list. */
interface Group {
  readonly lock: ReadWriteLock;
  /** Number of rows that may have been carried out but have no item yet, by what exactly they sent. */
  readonly waiting: Map<string, number>;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** `group.exact`: digests of the fields that the list shows, and of the whole request. */
const keyOf = (showing: Showing, { input }: RowWrite): string =>
  `${digest(showing.likeness)}.${digest(JSON.stringify(input.body))}`;

const groupIn = (key: string): string => key.split('.', 1)[0] ?? '';

const ADDED = 'has been added since';

export class CreatedMatcher {
  readonly #options: CreatedMatcherOptions;
  readonly #groups = new Map<string, Group>();
  /** IDs of items that belong to a row, or to another job. */
  readonly #taken: Set<string>;
  readonly #traces = new Map<number, Trace>();
  /** Listings stored in this run, by list; undefined for one that could not be read. */
  readonly #kept = new Map<string, Promise<number | undefined>>();
  /** True if a row may have created an item of unknown ID, because its response or its trace is missing. */
  #hasStray = false;
  #opened: Promise<void> | undefined;

  constructor(options: CreatedMatcherOptions) {
    this.#options = options;
    this.#taken = new Set(options.takenIds);
  }

  /** Reads the outcomes of earlier runs from the journal. */
  async #open(): Promise<void> {
    const { journal, rows } = this.#options;
    // Pending entries cannot be read back.
    await journal.flush();
    for (let row = 1; row <= rows; row++) {
      const state = journal.state(row);
      if (isDone(state)) {
        this.#take(journal.outcome(row).id);
      } else if (state === 'sending' || state === 'unknown') {
        const { key, listing } = journal.outcome(row);
        if (key === undefined) this.#hasStray = true;
        else {
          this.#traces.set(row, { key, listing });
          this.#count(key, 1);
        }
      }
    }
  }

  /** Listed items that equal a create and that no row created, if more than the rows that may have. */
  async unclaimed({ showing, items }: Equals): Promise<readonly JsonObject[]> {
    this.#opened ??= this.#open();
    await this.#opened;
    const others = items.filter((item) => !this.#taken.has(showing.idOf(item)));
    const waiting = this.#groups.get(digest(showing.likeness))?.waiting.values() ?? [];
    return others.length > [...waiting].reduce((sum, count) => sum + count, 0) ? others : [];
  }

  #take(id: string | undefined): void {
    if (id === undefined) this.#hasStray = true;
    else this.#taken.add(id);
  }

  #groupOf(key: string): Group {
    return getOrSet(this.#groups, groupIn(key), () => ({ lock: new ReadWriteLock(), waiting: new Map() }));
  }

  #count(key: string, change: number): void {
    const { waiting } = this.#groupOf(key);
    const count = (waiting.get(key) ?? 0) + change;
    if (count > 0) waiting.set(key, count);
    else waiting.delete(key);
  }

  /**
   * Stores the list of existing items before a row is recorded.
   * @param earlier whether an earlier run may have sent the row
   * @returns the trace to record with the row; undefined if its item could not be found
   */
  async before(write: RowWrite, row: number, earlier: boolean): Promise<Trace | undefined> {
    if (!canShow(write.endpoint)) return undefined;
    this.#opened ??= this.#open();
    await this.#opened;
    const recorded = this.#traces.get(row);
    if (earlier && recorded !== undefined) return recorded;
    try {
      const showing = await this.#showing(write, this.#options.snapshot);
      // The ledger of removed jobs has no trace, but an item whose likeness is its key needs none.
      if (showing === undefined || (earlier && !showing.isDistinct)) return undefined;
      const listing = earlier ? undefined : await getOrSet(this.#kept, showing.list, () => this.#keep(showing));
      return { key: keyOf(showing, write), listing };
    } catch (error) {
      return ignoreEduError(error);
    }
  }

  #showing({ endpoint, input }: RowWrite, reader: Reader): Promise<Showing | undefined> {
    return showingOf(reader, endpoint, input, { retries: RETRIES });
  }

  async #keep(showing: Showing): Promise<number | undefined> {
    // Without a listing of existing items, as of a list that is too long, the row is sent anyway, and its item cannot be
    // matched afterwards.
    const ids = await idsIn(showing, MAX_LISTED_ITEMS, { retries: RETRIES_BEFORE }).catch(ignoreEduError);
    return ids && this.#options.journal.keepListing(showing.list, new Set(ids));
  }

  /** Sends a row, and counts it as waiting until its outcome is known. */
  async send(write: RowWrite, trace: Trace | undefined, work: () => Promise<Attempt>): Promise<Attempt> {
    if (trace === undefined) {
      this.#hasStray ||= canShow(write.endpoint);
      return work();
    }
    const sent = await this.#groupOf(trace.key).lock.send(async () => {
      this.#count(trace.key, 1);
      const attempt = await work();
      if (attempt.is !== 'unknown' && attempt.is !== 'unreadable') this.#count(trace.key, -1);
      if (attempt.is === 'done') this.#take(namesOf(write, attempt.value).id);
      return attempt;
    });
    this.#forget(trace.key);
    return sent;
  }

  /** Frees the memory of a group whose rows are all done. */
  #forget(key: string): void {
    const { lock, waiting } = this.#groupOf(key);
    if (lock.isEmpty && waiting.size === 0) this.#groups.delete(groupIn(key));
  }

  /** Stops counting a row as waiting, because it is sent again. */
  release({ key }: Trace): void {
    this.#count(key, -1);
  }

  /** Finds the item that a row may have created; a match is reserved for this row. @throws EduError */
  async find(write: RowWrite, trace: Trace): Promise<MatchResult> {
    const showing = await this.#showing(write, this.#options.client);
    if (showing === undefined) throw new TypeError(`${write.endpoint.path} shows in no list`);
    return this.#groupOf(trace.key).lock.look(() => this.#look(showing, trace));
  }

  async #look(showing: Showing, { key, listing }: Trace): Promise<MatchResult> {
    const equals = await equalsIn(showing);
    const before = listing === undefined ? undefined : this.#options.journal.listing(listing);
    const items = equals.filter((item) => {
      const id = showing.idOf(item);
      // Without a listing, a class that was deleted does not count: only active ones are distinct.
      if (before === undefined && !isActive(item)) return false;
      return !this.#taken.has(id) && !before?.has(id);
    });
    const [first] = items;
    if (first === undefined) return { is: 'absent', showing };
    const why = this.#doubt(showing, key, items.length, before !== undefined);
    if (why !== undefined) return { is: 'unclear', showing, items, why };
    this.#count(key, -1);
    this.#take(showing.idOf(first));
    return { is: before === undefined ? 'exists' : 'ours', item: first };
  }

  /** Why no equal item can be attributed to a row; undefined if one can. @param isListed whether it is known to be new */
  #doubt({ isDistinct }: Showing, key: string, count: number, isListed: boolean): string | undefined {
    if (!isListed) return isDistinct ? undefined : 'may have existed before';
    const { waiting } = this.#groupOf(key);
    // No other row of the input creates an item that is meant to be distinct.
    if (!isDistinct && this.#options.isPart) return `${ADDED}, maybe by another part of the job`;
    if (!isDistinct && this.#hasStray) return `${ADDED}, maybe by a row whose response was lost`;
    if (waiting.size > 1) return `${ADDED}, maybe by a row that differs only in fields that the list does not show`;
    return count > (waiting.get(key) ?? 0) ? `${ADDED}, maybe by another program` : undefined;
  }
}
