/** The order of every list: filter, sort, query, limit, fields. Each step turns pages of items into pages of items. */
import { picker, requireFields } from './fields.js';
import { collect, inPages, mapped, ofWhole, onePage, type Pages } from './item-pages.js';
import type { Query } from './query.js';
import type { Sorting } from './sort.js';

/** True if `--limit` cut a list; `perhaps` if the next page was not requested. */
export type Cut = boolean | 'perhaps';

/** What the user asked for, with names as in the contract. Absent steps change nothing. */
export interface Steps {
  readonly filter?: ((items: readonly unknown[]) => readonly unknown[] | Promise<readonly unknown[]>) | undefined;
  readonly sort: Sorting | undefined;
  readonly query: Query | undefined;
  readonly limit: number | undefined;
  /** Dotted names of the fields of a row. */
  readonly fields: readonly string[] | undefined;
  /** Those that the contract does not describe, so that only the rows can show whether they exist. */
  readonly openFields: readonly string[];
  /** True if the contract does not describe the items, so that only they can show whether the sorted field exists. */
  readonly areItemsUnknown: boolean;
}

export interface Selected {
  readonly rows: Pages;
  /** False if the query has a single result, which is the only row. */
  readonly isList: boolean;
  readonly wasCut: () => Cut;
}

/** The rows of a query's result. */
export const resultRows = (result: unknown): Pick<Selected, 'rows' | 'isList'> =>
  Array.isArray(result) ? { rows: inPages(result), isList: true } : { rows: onePage([result]), isList: false };

/** Applies a query to each page if it works item by item; otherwise to the whole list. */
async function queried(
  items: Pages,
  { run, isPerItem, expression }: Query,
  noun: string,
): Promise<Pick<Selected, 'rows' | 'isList'>> {
  if (isPerItem) return { rows: mapped(items, (page) => run(page) as readonly unknown[]), isList: true };
  const hint =
    'Expressions that work on each item are not limited: [?…], [].name, [?…].{…}. More memory: NODE_OPTIONS=--max-old-space-size=8192';
  return resultRows(run(await collect(items, `--query: "${expression}" reads all ${noun}, which`, hint)));
}

/** @param looksOn read on after the last row to find out whether there are more */
async function* upTo(
  limit: number,
  rows: Pages,
  looksOn: boolean,
  onCut: (cut: Cut) => void,
): AsyncGenerator<readonly unknown[]> {
  let left = limit;
  for await (const page of rows) {
    if (page.length > left) onCut(true);
    const taken = page.slice(0, left);
    left -= taken.length;
    if (taken.length > 0) yield taken;
    if (left > 0 || (looksOn && page.length === taken.length)) continue;
    if (page.length === taken.length) onCut('perhaps');
    return;
  }
}

/** Checks the first items, before anything is printed. @throws EduError `usage` for a name that none of them has */
async function* checked(pages: Pages, names: readonly string[], flag: string): AsyncGenerator<readonly unknown[]> {
  let isFirst = true;
  for await (const page of pages) {
    if (isFirst && page.length > 0) {
      requireFields(page, names, flag);
      isFirst = false;
    }
    yield page;
  }
}

/** The rows with only the given fields. */
export const picked = (rows: Pages, { fields, openFields }: Pick<Steps, 'fields' | 'openFields'>): Pages => {
  if (fields === undefined) return rows;
  const pick = picker(fields);
  const named = openFields.length === 0 ? rows : checked(rows, openFields, '--fields');
  return mapped(named, (page) => page.map(pick));
};

/**
 * Selects what is printed of a list. Reads nothing before the rows are read, unless a query needs the whole list.
 * @param noun the items in the plural, for messages
 */
export async function select(source: Pages, steps: Steps, noun: string): Promise<Selected> {
  const { filter, sort, query, limit, areItemsUnknown } = steps;
  let cut: Cut = false;
  const kept = filter === undefined ? source : mapped(source, filter);
  const named = sort !== undefined && areItemsUnknown ? checked(kept, sort.fields, '--sort') : kept;
  const sorter = sort === undefined ? undefined : await import('./sort-list.js');
  const sorted = sort && sorter ? ofWhole(named, (all) => sorter.sortedPages(all, sort)) : named;
  const { rows, isList } = query === undefined ? { rows: sorted, isList: true } : await queried(sorted, query, noun);
  // A filter may reject all further items, so that reading on for one more could read the whole list.
  const isSelective = query === undefined ? filter !== undefined : query.isPerItem;
  const looksOn = sort !== undefined || !isSelective;
  const limited =
    limit === undefined
      ? rows
      : upTo(limit, rows, looksOn, (how) => {
          cut = how;
        });
  return {
    rows: picked(limited, steps),
    isList,
    wasCut: () => cut,
  };
}
