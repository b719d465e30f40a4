/**
 * Types of responses by route, so that tests need no casts. The actual content is checked against the document
 * (answer-check.ts).
 */
import type { Contract } from '../../src/contract/index.js';
import type { Answer, AnswerOf, Field } from '../../src/contract/vocabulary.js';

type Row = { [R in keyof Contract]: Contract[R][keyof Contract[R]] }[keyof Contract];
type Named<E> = E extends { readonly method: infer M extends string; readonly path: infer P extends string }
  ? `${M} ${P}`
  : never;

/** `METHOD /v1/path/{segment}` of every endpoint. */
export type Route = Named<Row>;

type RowOf<R extends Route, E = Row> = E extends unknown ? (Named<E> extends R ? E : never) : never;

type Listed<E> = E extends { readonly list: { readonly key: infer K; readonly of: infer F extends Field } }
  ? K extends string
    ? { readonly [N in K]: readonly Answer<F>[] } & (E extends { readonly list: { readonly paged: true } }
        ? { readonly paging: { readonly nextCursor: string | null } }
        : unknown)
    : readonly Answer<F>[]
  : AnswerOf<E>;

/** The response of a route: an envelope or an array for lists. Only paged lists have `paging`. */
export type AnswerTo<R extends Route> = Listed<RowOf<R>>;
