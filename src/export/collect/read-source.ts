/**
 * Reads one list for an export: only a pass from start to end without a restart counts; items of a broken pass are
 * dropped.
 */
import type { ListOptions } from '../../client/request/client.js';
import { PAGE_SIZE } from '../../contract/shared.js';
import { EduError } from '../../core/errors.js';
import type { Pass, Sorter } from '../../core/sort/sorter.js';
import { isNotToSee } from './export-failures.js';
import type { Source } from './sources.js';

/** How often a list is started again before it is given up. */
export const MOST_RESTARTS = 5;

export interface PaginateOptions {
  readonly signal: AbortSignal;
  readonly pageSize?: number | undefined;
  readonly key: (item: unknown) => string;
  readonly line: (item: unknown) => string;
  /** Which items are kept; all if undefined. */
  readonly isOwn?: ((item: unknown) => boolean) | undefined;
  /** Why a pass that came to its end does not count; undefined when it does. */
  readonly fault: (count: number) => Promise<string | undefined>;
  /** Called as pages arrive and when a pass is dropped, with by how much the number of items has changed. */
  readonly onItems: (change: number) => void;
  /** Called with each page, of passes that will not count too. */
  readonly onPage?: ((items: readonly unknown[]) => void) | undefined;
  readonly onRestart?: (() => void) | undefined;
}

/** The kind of error for an expired cursor, when the client may not restart the list itself. */
const isDeath = (error: unknown): error is EduError => error instanceof EduError && error.kind === 'partial';

async function readPass(
  source: Source,
  pass: Pass,
  pageSize: number | undefined,
  options: PaginateOptions,
): Promise<void> {
  const { signal, key, line, isOwn, onItems, onPage } = options;
  const asked: ListOptions = { signal, restarts: 0, ...(pageSize === undefined ? {} : { pageSize }) };
  for await (const items of source.pages(asked)) {
    // The request for the next page goes out first: the service works on it while this page is put in order.
    await new Promise((resolve) => setImmediate(resolve));
    onPage?.(items);
    for (const item of isOwn === undefined ? items : items.filter(isOwn)) pass.add(key(item), line(item));
    onItems(items.length);
    await pass.settle();
  }
}

/**
 * Reads a list into a sorter.
 * @returns why it does not count although it was read to its end
 * @throws EduError when the list could not be completed
 */
export async function walkSource(
  source: Source,
  sorter: Sorter,
  options: PaginateOptions,
): Promise<string | undefined> {
  let { pageSize } = options;
  let hasBegun = false;
  const onItems = (change: number): void => {
    hasBegun = true;
    options.onItems(change);
  };
  for (let restarts = 0; ; restarts++) {
    const pass = sorter.pass();
    try {
      await readPass(source, pass, pageSize, { ...options, onItems });
      const fault = await options.fault(pass.count);
      await (fault === undefined ? pass.keep(source.filter) : pass.drop());
      return fault;
    } catch (error) {
      options.onItems(-pass.count);
      await pass.drop().catch(() => {});
      // A list that could be seen until then is not one that the caller may not see: the rest of it must not be passed over.
      if (hasBegun && error instanceof EduError && isNotToSee(error, true)) {
        const { message, method, path, status, requestId, hint } = error;
        throw new EduError('server_error', message, { method, path, status, requestId, hint, cause: error });
      }
      if (!isDeath(error)) throw error;
      if (restarts >= MOST_RESTARTS) {
        throw new EduError('partial', `${source.filter}: its cursor died in each of ${restarts + 1} passes`, {
          method: 'GET',
          path: error.path,
          status: error.status,
          requestId: error.requestId,
          hint: 'Items are being removed while the list is read. Run it again; a larger --page-size needs fewer cursors.',
          cause: error,
        });
      }
      options.onRestart?.();
      // Fewer pages, fewer cursors that can die.
      if (pageSize !== undefined) pageSize = Math.min(Math.max(pageSize, PAGE_SIZE), pageSize * 2);
    }
  }
}
