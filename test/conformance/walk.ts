/** Follows cursors through a paged collection, page by page, exactly as documented. */
import { expect } from 'vitest';
import type { Actor, Given } from './actor.js';
import { documentedRow } from './answer-check.js';
import type { AnswerTo, Route } from './typed-routes.js';

export type PagedRoute = {
  [R in Route]: AnswerTo<R> extends { readonly paging: unknown } ? R : never;
}[Route];

type ItemsOf<A> = { [K in Exclude<keyof A, 'paging'>]: A[K] }[Exclude<keyof A, 'paging'>];
type ItemOf<R extends PagedRoute> = ItemsOf<AnswerTo<R>> extends readonly (infer I)[] ? I : never;

export interface Page<R extends PagedRoute> {
  readonly items: readonly ItemOf<R>[];
  readonly nextCursor: string | null;
}

/** One page. */
export async function page<R extends PagedRoute>(
  actor: Actor,
  route: R,
  given: Given,
  limit: number | undefined,
  cursor?: string | undefined,
): Promise<Page<R>> {
  const answer: unknown = await actor.ok(route, { ...given, query: { ...given.query, limit, cursor } });
  const envelope = answer as { readonly paging: { readonly nextCursor: string | null } } & Readonly<
    Record<string, unknown>
  >;
  const items = envelope[documentedRow(route).page ?? ''] as readonly ItemOf<R>[];
  return { items, nextCursor: envelope.paging.nextCursor || null };
}

/** All pages from the first to the last; each must be within the limit, and no cursor may repeat. */
export async function pages<R extends PagedRoute>(
  actor: Actor,
  route: R,
  given: Given = {},
  limit = 100,
): Promise<Page<R>[]> {
  const all: Page<R>[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const next: Page<R> = await page(actor, route, given, limit, cursor);
    expect(next.items.length).toBeLessThanOrEqual(limit);
    all.push(next);
    cursor = next.nextCursor ?? undefined;
    if (cursor !== undefined) {
      expect(seen).not.toContain(cursor);
      seen.add(cursor);
    }
  } while (cursor !== undefined);
  return all;
}

/** Every item of the collection. */
export async function everyItem<R extends PagedRoute>(actor: Actor, route: R, given: Given = {}): Promise<ItemOf<R>[]> {
  return (await pages(actor, route, given)).flatMap(({ items }) => [...items]);
}
