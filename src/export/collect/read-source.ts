/**
 * Reads one list for an export: only a pass from start to end without a restart counts; items of an incomplete pass are
 * dropped.
 */
import type { ListOptions } from '../../client/request/client.js';
import { PAGE_SIZE } from '../../contract/shared.js';
import { EduError } from '../../core/errors.js';
import type { Pass, Sorter } from '../../core/sort/sorter.js';
import { isNotToSee } from './export-failures.js';
import type { Source } from './sources.js';

export const MAX_RESTARTS = 5;

export interface ReadSourceOptions {
  readonly signal: AbortSignal;
  readonly pageSize?: number | undefined;
  readonly key: (item: unknown) => string;
  readonly line: (item: unknown) => string;
  /** Selects the items to keep; undefined for all. */
  readonly isOwn?: ((item: unknown) => boolean) | undefined;
  /** Returns why a complete pass does not count; undefined if it does. */
  readonly fault: (count: number) => Promise<string | undefined>;
  /** Called as pages arrive and when a pass is dropped. @param change change of the number of items */
  readonly onItems: (change: number) => void;
  /** Called with each page, also of passes that are dropped later. */
  readonly onPage?: ((items: readonly unknown[]) => void) | undefined;
  readonly onRestart?: (() => void) | undefined;
}

/** Without restarts, the client throws this kind of error for an expired cursor. */
const isExpiredCursor = (error: unknown): error is EduError => error instanceof EduError && error.kind === 'partial';

async function readPass(source: Source, pass: Pass, options: ReadSourceOptions): Promise<void> {
  const { signal, key, line, isOwn, onItems, onPage, pageSize } = options;
  const asked: ListOptions = { signal, restarts: 0, ...(pageSize === undefined ? {} : { pageSize }) };
  for await (const items of source.pages(asked)) {
    onPage?.(items);
    for (const item of isOwn === undefined ? items : items.filter(isOwn)) pass.add(key(item), line(item));
    onItems(items.length);
    await pass.settle();
  }
}

/**
 * Reads a list into a sorter.
 * @returns why the list does not count although it was read completely
 * @throws EduError if the list could not be read completely
 */
export async function readSource(
  source: Source,
  sorter: Sorter,
  options: ReadSourceOptions,
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
      await readPass(source, pass, { ...options, pageSize, onItems });
      const fault = await options.fault(pass.count);
      await (fault === undefined ? pass.keep(source.filter) : pass.drop());
      return fault;
    } catch (error) {
      options.onItems(-pass.count);
      await pass.drop().catch(() => {});
      // A list that was readable before is not invisible, so its rest must not be skipped.
      if (hasBegun && error instanceof EduError && isNotToSee(error, true)) {
        throw error.with({ kind: 'server_error' });
      }
      if (!isExpiredCursor(error)) throw error;
      if (restarts >= MAX_RESTARTS) {
        throw error.with({
          message: `${source.filter}: its cursor expired in each of ${restarts + 1} passes`,
          method: 'GET',
          hint: 'Items are being removed while the list is read. Run it again; a larger --page-size needs fewer cursors.',
        });
      }
      options.onRestart?.();
      // Fewer pages need fewer cursors that can expire.
      if (pageSize !== undefined) pageSize = Math.min(Math.max(pageSize, PAGE_SIZE), pageSize * 2);
    }
  }
}
