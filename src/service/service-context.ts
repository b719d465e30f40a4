/** The values that all parts of the service share: store, clock, randomness, variants and addresses. */
import type { HttpResponse } from '../core/http.js';
import type { Store } from './store/store.js';
import type { Variants } from './variants.js';

export interface ServiceContext {
  readonly store: Store;
  readonly now: () => number;
  readonly random: (count: number) => Uint8Array;
  readonly baseUrl: string;
  readonly variants: Variants;
}

/** A response, and what the journal notes about its request. */
export interface Answered extends HttpResponse {
  /** Input that the API document does not show, which a client may have misspelled. */
  readonly warnings?: readonly string[];
}

/** For functions that only read and write records. */
export type StoreContext = Pick<ServiceContext, 'store'>;
