/**
 * Pagination: reads page after page to the end, restarts when a cursor expires, and returns each item once. It reads
 * ahead of a slow reader, because cursors are short-lived (service-api-v1.md, "Conventions").
 */
import { EduError } from '../../core/errors.js';
import { isObject } from '../../core/json.js';
import type { Page } from '../request/answer.js';
import { keepYoungSpaceSmall } from '../request/young-space.js';
import { LAST_PASS, Seen } from './id-set.js';
import { Backlog } from './page-buffer.js';

/** Where pages come from. */
export interface Source {
  /** The list in messages: `GET /v1/licenses`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** The member of an item that is its id. */
  readonly idField: string;
  /** One page, with retries of its own. `size` undefined: as many items as the service likes. */
  fetch(
    cursor: string | undefined,
    size: number | undefined,
    signal: AbortSignal,
  ): Promise<Page & { readonly bytes: number }>;
}

export interface WalkOptions {
  /** Items asked for on a page; undefined to leave it to the service. */
  readonly size: number | undefined;
  /** The most that may be asked for. */
  readonly mostPerPage: number;
  /** Stop after this many items. */
  readonly limit?: number | undefined;
  /** Called when `limit` ended the list although there was more. */
  readonly onCut?: (() => void) | undefined;
  /** Called when the service refuses to be told how many items a page shall have. */
  readonly onSizeRefused?: (() => void) | undefined;
  /** Called each time that the list is started again. */
  readonly onRestart?: ((count: number, cause: EduError) => void) | undefined;
  /** How often the list may be started again. */
  readonly restarts: number;
  readonly signal?: AbortSignal | undefined;
  /** Folder for temporary files; the system's if undefined. */
  readonly folder: string | undefined;
  readonly mostInMemory?: number | undefined;
}

/** This many pages on end without anything new are no list. */
const MOST_STALE = 1000;

/** What a dead cursor is answered with: 400, as for any bad value, or "gone" in one way or another. */
const DEAD: ReadonlySet<number> = new Set([400, 404, 409, 410, 412, 422]);

const isDeath = (error: unknown): error is EduError => error instanceof EduError && DEAD.has(error.status ?? 0);

/** The id that an item goes by, if it has one: an id alone, or the member of that name. */
function idOf(item: unknown, field: string): string | undefined {
  if (typeof item === 'string') return item;
  const id = isObject(item) ? item[field] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** What has been given out, over all passes. */
class Given {
  readonly #seen = new Seen();
  #pass = 1;
  /** Items without an id may be equal and still be two: how often each was met in this pass. */
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

  /** The items that have not been given out, and how many were not met in this pass. */
  sift(items: readonly unknown[]): { fresh: unknown[]; news: number } {
    let news = 0;
    const fresh = items.filter((item) => {
      const before = this.#seen.meet(this.#keyOf(item), this.#pass);
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

const unfinished = (source: Source, restarts: number, cause: EduError, given: number): EduError =>
  new EduError(
    'partial',
    `the list could not be read completely: the service rejected its own cursor${restarts === 0 ? '' : ` after ${restarts} ${restarts === 1 ? 'restart' : 'restarts'}`} (${cause.status}); ${given} ${given === 1 ? 'item was' : 'items were'} read`,
    {
      method: source.method,
      path: source.path,
      status: cause.status,
      requestId: cause.requestId,
      hint: 'Items are being removed while the list is read. Run it again; a larger --page-size needs fewer cursors.',
      cause,
    },
  );

const endless = (source: Source, why: string): EduError =>
  new EduError('invalid_response', `the list never ends: ${why}`, {
    method: source.method,
    path: source.path,
    hint: 'This is an error of the service. Add --limit to read only the beginning of the list.',
  });

/** Reads the list into `give` until its end, its limit, or an error. */
async function read(
  source: Source,
  options: WalkOptions,
  give: (items: readonly unknown[], bytes: number) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const given = new Given(source.idField);
  let size = options.size;
  let doubted = false;
  for (let restarts = 0; ; restarts++) {
    const cursors = new Set<string>();
    let cursor: string | undefined;
    let stale = 0;
    let death: EduError | undefined;
    let ahead: ReturnType<Source['fetch']> | undefined;
    while (death === undefined) {
      let page: Page & { readonly bytes: number };
      try {
        page = await (ahead ?? source.fetch(cursor, size, signal));
      } catch (error) {
        if (cursor === undefined && size !== undefined && error instanceof EduError && error.status === 400) {
          // Perhaps only the size is refused (the document shows neither default nor maximum); if not, 400 comes again.
          size = undefined;
          doubted = true;
          continue;
        }
        if (cursor === undefined || !isDeath(error)) throw error;
        death = error;
        break;
      }
      if (doubted) options.onSizeRefused?.();
      doubted = false;
      const { items, next, bytes } = page;
      // The only page of its list is given as it is: equal activations are two activations.
      const whole = cursor === undefined && next === undefined && restarts === 0;
      const { fresh, news } = whole ? { fresh: items, news: items.length } : given.sift(items);
      const left = (options.limit ?? Number.POSITIVE_INFINITY) - given.count;
      const taken = fresh.length > left ? fresh.slice(0, left) : fresh;
      given.count += taken.length;
      stale = news === 0 ? stale + 1 : 0;
      if (next !== undefined && taken.length < left && !cursors.has(next) && stale <= MOST_STALE) {
        ahead = source.fetch(next, size, signal);
        // The caller that awaits it gets the error.
        ahead.catch(() => {});
        // The request leaves before the page is looked at: the service works meanwhile.
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (taken.length > 0) await give(taken, bytes);
      if (taken.length === left) {
        if (next !== undefined || fresh.length > left) options.onCut?.();
        return;
      }
      if (next === undefined) return;
      if (cursors.has(next)) throw endless(source, 'the service returned the same cursor twice');
      if (stale > MOST_STALE) throw endless(source, `${MOST_STALE} pages contained no new items`);
      if (cursor === undefined) keepYoungSpaceSmall();
      cursors.add(next);
      cursor = next;
    }
    if (restarts >= options.restarts) throw unfinished(source, restarts, death, given.count);
    options.onRestart?.(restarts + 1, death);
    given.nextPass();
    // Fewer pages, fewer cursors that can die.
    if (size !== undefined) size = Math.max(size, Math.min(options.mostPerPage, size * 2));
  }
}

/**
 * The items of a list, page by page, each once. Nothing is sent before the first page is asked for; from then on pages
 * are read as fast as they come, and reading stops when the caller stops.
 * @throws EduError after the last page that could be read, when the list could not be completed
 */
export async function* walk(source: Source, options: WalkOptions): AsyncGenerator<readonly unknown[]> {
  if (options.limit !== undefined && options.limit <= 0) return;
  const backlog = new Backlog({ folder: options.folder, mostInMemory: options.mostInMemory });
  const stop = new AbortController();
  const abort = () => stop.abort(options.signal?.reason);
  if (options.signal?.aborted) abort();
  options.signal?.addEventListener('abort', abort, { once: true });
  const reading = read(source, options, (items, bytes) => backlog.push(items, bytes), stop.signal).then(
    () => backlog.end(),
    (error: unknown) => backlog.end(error),
  );
  try {
    for (;;) {
      const items = await backlog.take();
      if (items === undefined) return;
      yield items;
    }
  } finally {
    options.signal?.removeEventListener('abort', abort);
    stop.abort();
    backlog.forget();
    await reading;
    await backlog.close();
  }
}
