/**
 * Pagination: reads page after page to the end, restarts when a cursor expires, and returns each item once. It reads
 * ahead of a slow reader, because cursors are short-lived (service-api-v1.md, "Conventions").
 */
import { EduError } from '../../core/errors.js';
import { isObject } from '../../core/json.js';
import { JsonText } from '../../core/json-text.js';
import { plural } from '../../core/plural.js';
import type { Page } from '../request/answer.js';
import type { ListOptions } from '../request/client.js';
import { keepHeapSmall, limitYoungSpace, YOUNG_SPACE } from '../request/young-space.js';
import { IdSet, LAST_PASS } from './id-set.js';
import { PageBuffer, type PageBufferOptions } from './page-buffer.js';

export interface Source {
  /** Name of the list in messages: `GET /v1/licenses`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** The member of an item that holds its ID. */
  readonly idField: string;
  /** Fetches a page, with retries. @param size max number of items; undefined for the service's default */
  fetch(
    cursor: string | undefined,
    size: number | undefined,
    signal: AbortSignal,
  ): Promise<Page & { readonly bytes: number }>;
}

export interface PaginateOptions extends Pick<ListOptions, 'limit' | 'onCut' | 'onRestart' | 'signal'> {
  /** Requested items per page; undefined for the service's default. */
  readonly size: number | undefined;
  /** Max items per page that may be requested. */
  readonly maxPerPage: number;
  /** Called if the service rejects a page size. */
  readonly onSizeRefused: () => void;
  /** Max number of restarts. */
  readonly restarts: number;
  readonly buffer: PageBufferOptions;
}

/** Max number of consecutive pages without new items, after which the list counts as endless. */
const MAX_STALE_PAGES = 1000;

/** Statuses of an expired cursor: 400, as for any bad value, or a form of "gone". */
const EXPIRED_CURSOR: ReadonlySet<number> = new Set([400, 404, 409, 410, 412, 422]);

const isExpiredCursor = (error: unknown): error is EduError =>
  error instanceof EduError && EXPIRED_CURSOR.has(error.status ?? 0);

/** The ID of an item, which is itself an ID or has one as a member. */
function idOf(item: unknown, field: string): string | undefined {
  if (typeof item === 'string') return item;
  if (item instanceof JsonText) return item.id;
  const id = isObject(item) ? item[field] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** The items that were returned, over all passes. */
class ReturnedItems {
  readonly #seen = new IdSet();
  #pass = 1;
  /** Number of equal items without an ID in this pass: two equal items may be different ones. */
  #equals = new Map<string, number>();
  readonly #idField: string;
  count = 0;

  constructor(idField: string) {
    this.#idField = idField;
  }

  nextPass(): void {
    this.#pass = Math.min(LAST_PASS, this.#pass + 1);
    this.#equals = new Map();
  }

  /** The items that were not returned yet, and how many did not occur in this pass before. */
  filterNew(items: readonly unknown[]): { fresh: unknown[]; news: number } {
    let news = 0;
    const fresh = items.filter((item) => {
      const before = this.#seen.add(this.#keyOf(item), this.#pass);
      if (before !== this.#pass) news++;
      return before === 0;
    });
    return { fresh, news };
  }

  #keyOf(item: unknown): string {
    const id = idOf(item, this.#idField);
    if (id !== undefined) return id;
    const json = JSON.stringify(item) ?? '';
    const times = (this.#equals.get(json) ?? 0) + 1;
    this.#equals.set(json, times);
    return `${json}#${times}`;
  }
}

function unfinished({ method, path }: Source, restarts: number, cause: EduError, returned: number): EduError {
  const after = restarts === 0 ? '' : ` after ${plural(restarts, 'restart')}`;
  const read = plural(returned, 'item was', 'items were');
  return cause.with({
    kind: 'partial',
    message: `the list could not be read completely: the service rejected its own cursor${after} (${cause.status}); ${read} read`,
    method,
    path,
    details: [],
    hint: 'Items are being removed while the list is read. Run it again; a larger --page-size needs fewer cursors.',
  });
}

const endless = ({ method, path }: Source, why: string): EduError =>
  new EduError('invalid_response', `the list never ends: ${why}`, {
    method,
    path,
    hint: 'This is an error of the service. A list command with --limit reads only the beginning.',
  });

/** Reads the list into `give` until its end, its limit, or an error. */
async function read(
  source: Source,
  options: PaginateOptions,
  give: (items: readonly unknown[], bytes: number) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const returned = new ReturnedItems(source.idField);
  let size = options.size;
  let sizeDropped = false;
  for (let restarts = 0; ; restarts++) {
    const cursors = new Set<string>();
    let cursor: string | undefined;
    let stale = 0;
    let expired: EduError | undefined;
    let ahead: ReturnType<Source['fetch']> | undefined;
    while (expired === undefined) {
      let page: Page & { readonly bytes: number };
      try {
        page = await (ahead ?? source.fetch(cursor, size, signal));
      } catch (error) {
        if (cursor === undefined && size !== undefined && error instanceof EduError && error.status === 400) {
          // Perhaps only the page size is rejected (the API document has no maximum); otherwise the retry returns 400 too.
          size = undefined;
          sizeDropped = true;
          continue;
        }
        if (cursor === undefined || !isExpiredCursor(error)) throw error;
        expired = error;
        break;
      }
      if (sizeDropped) options.onSizeRefused();
      sizeDropped = false;
      const { items, next, bytes } = page;
      // A list of one page is returned unchanged, because equal activations are different ones.
      const whole = cursor === undefined && next === undefined && restarts === 0;
      const { fresh, news } = whole ? { fresh: items, news: items.length } : returned.filterNew(items);
      const left = (options.limit ?? Number.POSITIVE_INFINITY) - returned.count;
      const taken = fresh.length > left ? fresh.slice(0, left) : fresh;
      returned.count += taken.length;
      stale = news === 0 ? stale + 1 : 0;
      if (next !== undefined && taken.length < left && !cursors.has(next) && stale <= MAX_STALE_PAGES) {
        ahead = source.fetch(next, size, signal);
        // The error is thrown where `ahead` is awaited.
        ahead.catch(() => {});
        // Sends the request before the page is processed, so that the service works meanwhile.
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (taken.length > 0) await give(taken, bytes);
      if (taken.length === left) {
        if (next !== undefined || fresh.length > left) options.onCut?.();
        return;
      }
      if (next === undefined) return;
      if (cursors.has(next)) throw endless(source, 'the service returned the same cursor twice');
      if (stale > MAX_STALE_PAGES) throw endless(source, `${MAX_STALE_PAGES} pages contained no new items`);
      if (cursor === undefined) keepHeapSmall();
      // Not after every page, because reading the size takes a fortieth of a page's time.
      if (cursors.size % 16 === 0) limitYoungSpace(YOUNG_SPACE);
      cursors.add(next);
      cursor = next;
    }
    if (restarts >= options.restarts) throw unfinished(source, restarts, expired, returned.count);
    options.onRestart?.(restarts + 1, expired);
    returned.nextPass();
    // Fewer pages need fewer cursors that can expire.
    if (size !== undefined) size = Math.max(size, Math.min(options.maxPerPage, size * 2));
  }
}

/**
 * The items of a list, page by page, each once. The first request is sent when the caller reads the first page; then
 * pages are read ahead until the caller stops.
 * @throws EduError after the last page that could be read, if the list is incomplete
 */
export async function* paginate(source: Source, options: PaginateOptions): AsyncGenerator<readonly unknown[]> {
  if (options.limit !== undefined && options.limit <= 0) return;
  const buffer = new PageBuffer(options.buffer);
  const stop = new AbortController();
  const abort = () => stop.abort(options.signal?.reason);
  if (options.signal?.aborted) abort();
  options.signal?.addEventListener('abort', abort, { once: true });
  const reading = read(source, options, (items, bytes) => buffer.push(items, bytes), stop.signal).then(
    () => buffer.end(),
    (error: unknown) => buffer.end(error),
  );
  try {
    for (;;) {
      const items = await buffer.take();
      if (items === undefined) return;
      yield items;
    }
  } finally {
    options.signal?.removeEventListener('abort', abort);
    stop.abort();
    buffer.forget();
    await reading;
    await buffer.close();
  }
}
