/** The types of handlers, derived from the contract: checked parameters, query and body in, response out. */
import type { Contract } from '../contract/index.js';
import type { AnswerOf, InputFields, ItemOf } from '../contract/vocabulary.js';
import type { Caller } from './access.js';
import type { Upload } from './body.js';
import type { ServiceContext } from './service-context.js';
import type { Page } from './store/collection.js';

type Part<E, K extends 'params' | 'query' | 'body'> = E extends { readonly [P in K]: infer S }
  ? InputFields<S, Upload>
  : Record<never, never>;

export interface PageRequest {
  readonly after: number;
  readonly limit: number;
}

export interface Call<E> {
  readonly core: ServiceContext;
  readonly caller: Caller;
  readonly params: Part<E, 'params'>;
  readonly query: Part<E, 'query'>;
  readonly body: Part<E, 'body'>;
}

/** The parts of a call for an item by its ID that are the same for all endpoints. */
export type ItemCall = Pick<Call<unknown>, 'core' | 'caller'> & { readonly params: { readonly id: string } };

type IsPaged<E> = E extends { readonly list: { readonly paged: true } } ? true : false;

type WholeAnswer<E> = E extends { readonly list: { readonly key: infer K } }
  ? K extends string
    ? { readonly [P in K]: readonly ItemOf<E>[] }
    : readonly ItemOf<E>[]
  : AnswerOf<E>;

export interface HandlerTraits {
  /** The permission that the caller's roles must give; if left out, any caller may send the request. */
  readonly needs?: readonly [resource: string, operation: string];
  /** Set for a GET that changes data, so that it runs in a write transaction. */
  readonly writes?: true;
}

/** Runs synchronously inside one transaction; throws `Refusal` to respond with an error. */
type Handler<E> = HandlerTraits &
  (IsPaged<E> extends true
    ? { readonly run: (call: Call<E> & { readonly page: PageRequest }) => Page<ItemOf<E>> }
    : { readonly run: (call: Call<E>) => WholeAnswer<E> });

export type Handlers<R extends keyof Contract> = { readonly [N in keyof Contract[R]]: Handler<Contract[R][N]> };
