/** The values that all parts of the service share: store, clock, randomness, variants and addresses. */
import type { Language } from '../contract/shared.js';
import type { Store } from './store/store.js';
import type { Variants } from './variants.js';

/** An e-mail that the service sends: "the new user receives an e-mail containing a random password". */
export interface Email {
  /** ISO 8601, by the service's clock. */
  readonly at: string;
  readonly to: string;
  readonly userId: string;
  readonly language: Language;
  readonly password: string;
}

export interface ServiceContext {
  readonly store: Store;
  readonly now: () => number;
  readonly random: (count: number) => Uint8Array;
  readonly baseUrl: string;
  readonly variants: Variants;
  /** Receives e-mails; without it they are dropped. */
  readonly onEmail?: ((email: Email) => void) | undefined;
}

/** For functions that only read and write records. */
export type StoreContext = Pick<ServiceContext, 'store'>;
