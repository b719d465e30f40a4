/** Pagination: reads page after page to the end, restarts when a cursor expires, and returns each item once. */
import { EduError } from '../../core/errors.js';
import { JsonText } from '../../core/exact-json.js';
import { asId, isObject } from '../../core/json.js';
import { plural } from '../../core/plural.js';
import { seenKeys } from '../../core/seen-keys.js';
import { keepHeapSmall } from '../../core/v8-flags.js';
import type { Page } from '../request/answer.js';
import type { ListOptions } from '../request/client.js';
import { readAhead, type SizedPage } from './read-ahead.js';

/** A page, and the size of its response. */
export type FetchedPage = Page & { readonly bytes: number };

export interface Source {
  readonly method: string;
  readonly path: string;
  /** The member of an item that holds its ID; undefined if the items have none that is known. */
  readonly idField: string | undefined;
  /** Requested items per page; undefined for the service's default. */
  readonly size: number | undefined;
  readonly maxPerPage: number;
  /** True if no maximum of a page is known, so that the user may ask for larger pages. */
  readonly canGrow: boolean;
  readonly onSizeRefused: () => void;
  /** Fetches a page, with retries. @param size max number of items; undefined for the service's default */
  fetch(cursor: string | undefined, size: number | undefined, signal: AbortSignal): Promise<FetchedPage>;
}

/** Default of `ListOptions.restarts`. */
const RESTARTS = 5;

/** Max number of consecutive pages without new items in the first pass, after which the list counts as endless. */
const MAX_STALE_PAGES = 1000;

/**
 * Statuses of an expired cursor, which the API document does not show: 400, as for any bad value, 403, or a form of "gone".
 * If the list itself is gone, or may no longer be read, the first page of the next pass returns 404 or 403, too.
 */
const EXPIRED_CURSOR: ReadonlySet<number> = new Set([400, 403, 404, 409, 410, 412, 422]);

/** The ID of an item, which is itself an ID or has one as a member. */
function idOf(item: unknown, field: string): string | undefined {
  if (item instanceof JsonText) return item.id;
  return typeof item === 'string' ? item : asId(isObject(item) ? item[field] : undefined);
}

/** The items that were returned, over all passes. */
function returnedItems(idField = 'id', keys = seenKeys()) {
  /** Number of equal items without an ID in this pass: two equal items may be different ones. */
  let equals = new Map<string, number>();
  function keyOf(item: unknown): string {
    const id = idOf(item, idField);
    if (id !== undefined) return id;
    const json = JSON.stringify(item) ?? '';
    const times = (equals.get(json) ?? 0) + 1;
    equals.set(json, times);
    return `${json}#${times}`;
  }
  return {
    count: 0,
    nextPass(): void {
      equals = new Map();
    },
    /** The items that were not returned yet. */
    filterNew: (items: readonly unknown[]) => items.filter((item) => keys.note(keyOf(item), 1) === undefined),
  };
}

function unfinished({ method, path, canGrow }: Source, restarts: number, cause: EduError, returned: number): EduError {
  const after = restarts === 0 ? '' : ` after ${plural(restarts, 'restart')}`;
  const read = plural(returned, 'item was', 'items were');
  return cause.with({
    kind: 'partial',
    message: `the list could not be read completely: the service rejected its own cursor${after} (${cause.status}); ${read} read`,
    method,
    path,
    details: [],
    hint: `Items are being removed while the list is read. Run it again${canGrow ? '; a larger --page-size needs fewer cursors' : ''}.`,
  });
}

const endless = ({ method, path }: Source, why: string): EduError =>
  new EduError('invalid_response', `the list never ends: ${why}`, {
    isReason: true,
    method,
    path,
    hint: 'This is an error of the service. A list command with --limit reads only the beginning.',
  });

/** Reads a list from its beginning as often as its cursors expire. */
class ListReader {
  readonly #source: Source;
  readonly #options: ListOptions;
  readonly #signal: AbortSignal;
  readonly #returned: ReturnType<typeof returnedItems>;
  #size: number | undefined;
  #pages = 0;

  constructor(source: Source, options: ListOptions, signal: AbortSignal) {
    this.#source = source;
    this.#options = options;
    this.#signal = signal;
    this.#returned = returnedItems(source.idField, options.seen);
    this.#size = source.size;
  }

  /** Reads until the list's end or its limit. @throws EduError if the list cannot be completed */
  async *read(): AsyncGenerator<SizedPage> {
    const { restarts: maxRestarts = RESTARTS, onRestart } = this.#options;
    const { maxPerPage } = this.#source;
    for (let restarts = 0; ; restarts++) {
      const expired = yield* this.#readPass(restarts === 0);
      if (expired === undefined) return;
      if (restarts >= maxRestarts) throw unfinished(this.#source, restarts, expired, this.#returned.count);
      onRestart?.(restarts + 1, expired);
      this.#returned.nextPass();
      // Fewer pages need fewer cursors that can expire.
      if (this.#size !== undefined) this.#size = Math.max(this.#size, Math.min(maxPerPage, this.#size * 2));
    }
  }

  /** Reads the list once, from its beginning. @returns the error of a cursor that expired */
  async *#readPass(isFirst: boolean): AsyncGenerator<SizedPage, EduError | undefined> {
    // A pass after a restart begins with as many pages that bring nothing new as were read before.
    const maxStalePages = this.#pages + MAX_STALE_PAGES;
    const { limit, mayRepeat = false, seen } = this.#options;
    const cursors = seenKeys();
    let stale = 0;
    let page = await this.#fetchFirst();
    for (let isOnlyPage = true; ; isOnlyPage = false) {
      this.#pages++;
      const { next, bytes } = page;
      // A list of one page is returned unchanged if its items have no ID, because equal activations are different ones.
      const isWhole = isFirst && isOnlyPage && (next ?? seen ?? this.#source.idField) === undefined;
      const fresh = isWhole || mayRepeat ? page.items : this.#returned.filterNew(page.items);
      // The first items of the pages are enough to recognize a list that begins anew.
      const isStale = (mayRepeat ? this.#returned.filterNew(fresh.slice(0, 1)) : fresh).length === 0;
      const left = (limit ?? Number.POSITIVE_INFINITY) - this.#returned.count;
      const taken = fresh.slice(0, left);
      this.#returned.count += taken.length;
      stale = isStale ? stale + 1 : 0;
      const isLast = next === undefined || taken.length === left;
      const isRepeated = !isLast && cursors.note(next, 1) !== undefined;
      const isEndless = isRepeated || stale > maxStalePages;
      // Requested before the page is processed, so that the service works meanwhile.
      const ahead = isLast || isEndless ? undefined : this.#source.fetch(next, this.#size, this.#signal);
      // Its error is thrown where the page is awaited.
      ahead?.catch(() => {});
      if (taken.length > 0) yield { items: taken, bytes };
      if (taken.length === left && (next !== undefined || fresh.length > left)) this.#options.onCut?.();
      if (isLast) return undefined;
      if (isRepeated) throw endless(this.#source, 'the service returned the same cursor twice');
      if (ahead === undefined) throw endless(this.#source, `${stale} pages contained no new items`);
      if (isOnlyPage) keepHeapSmall();
      try {
        page = await ahead;
      } catch (error) {
        if (error instanceof EduError && EXPIRED_CURSOR.has(error.status ?? 0)) return error;
        throw error;
      }
    }
  }

  async #fetchFirst(): Promise<FetchedPage> {
    const fetch = () => this.#source.fetch(undefined, this.#size, this.#signal);
    try {
      return await fetch();
    } catch (error) {
      if (this.#size === undefined || !(error instanceof EduError) || error.status !== 400) throw error;
      // Perhaps only the page size is rejected (the API document has no maximum); otherwise this returns 400 too.
      this.#size = undefined;
      const page = await fetch();
      this.#source.onSizeRefused();
      return page;
    }
  }
}

/**
 * The items of a list, page by page, each once. The first request is sent when the caller reads the first page; then
 * pages are read ahead until the caller stops.
 * @throws EduError after the last page that could be read, if the list is incomplete
 */
export async function* paginate(source: Source, options: ListOptions): AsyncGenerator<readonly unknown[]> {
  if (options.limit !== undefined && options.limit <= 0) return;
  yield* readAhead((signal) => new ListReader(source, options, signal).read(), options.signal);
}
