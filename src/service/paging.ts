/** `limit` and `cursor` of paged lists, and the envelope (service-api-v1.md, "Conventions", "Pagination envelope"). */
import type { Cursors } from './cursors.js';
import type { FieldProblem } from './error-answer.js';
import type { Page } from './store/collection.js';
import type { Variants } from './variants.js';

/** Reads `limit`, and adds a problem if it is invalid. */
export function limitOf(given: string | undefined, problems: FieldProblem[], variants: Variants): number {
  const { defaultLimit, maxLimit, largeLimit } = variants;
  if (given === undefined) return Math.min(defaultLimit, maxLimit);
  const limit = /^\d{1,15}$/.test(given) ? Number(given) : 0;
  // By default a limit above the maximum is reduced to it: "a page may hold fewer items than `limit`".
  if (limit >= 1 && (limit <= maxLimit || largeLimit === 'cut')) return Math.min(limit, maxLimit);
  problems.push({
    field: 'limit',
    message: `must be a whole number ${largeLimit === 'cut' ? 'of at least 1' : `from 1 to ${maxLimit}`}, not ${JSON.stringify(given.slice(0, 60))}`,
  });
  return defaultLimit;
}

/** `{<collection name>: [...], paging: {nextCursor}}`. By default the last page's cursor is null ("blank fields"). */
export function envelope<T>(
  key: string,
  { items, next }: Page<T>,
  { lastCursor }: Variants,
  issue: (after: number) => ReturnType<Cursors['issue']>,
): Record<string, unknown> {
  if (next !== undefined) return { [key]: items, paging: { nextCursor: issue(next) } };
  if (lastCursor === 'no-paging') return { [key]: items };
  const paging = lastCursor === 'absent' ? {} : { nextCursor: lastCursor === 'empty' ? '' : null };
  return { [key]: items, paging };
}
