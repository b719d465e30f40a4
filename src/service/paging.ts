/** `limit` and `cursor` of paged lists, and their envelope (service-api-v1.md, "Conventions" and "Pagination envelope"). */
import type { Cursors } from './cursors.js';
import type { FieldProblem } from './error-answer.js';
import type { Page } from './store/collection.js';

/**
 * "Every endpoint has an upper maximum for `limit`": 100 for GET licenses, not shown for the others, so 100 everywhere.
 * A greater limit is no error: "a page may hold fewer items than `limit`".
 */
export const MOST_PER_PAGE = 100;
/** Not shown; ours. */
export const DEFAULT_LIMIT = 50;

/** The number of items that `limit` asks for. What is wrong with it is added to the problems. */
export function limitOf(given: string | undefined, problems: FieldProblem[]): number {
  if (given === undefined) return DEFAULT_LIMIT;
  const limit = /^\d{1,15}$/.test(given) ? Number(given) : 0;
  if (limit >= 1) return Math.min(limit, MOST_PER_PAGE);
  problems.push({
    field: 'limit',
    message: `must be a whole number of at least 1, not ${JSON.stringify(given.slice(0, 60))}`,
  });
  return DEFAULT_LIMIT;
}

/** `{<collection name>: [...], paging: {nextCursor}}`; on the last page the cursor is null ("blank fields"). */
export function envelope<T>(
  key: string,
  { items, next }: Page<T>,
  issue: (after: number) => ReturnType<Cursors['issue']>,
): Record<string, unknown> {
  return { [key]: items, paging: { nextCursor: next === undefined ? null : issue(next) } };
}
